/** How little a client needs: the wire, the fold, and two buttons. ?room=CODE&name=ME */

import { commitment, secret } from "./fair.js";
import { mySeat, reduce, start } from "./state.js";

const query = new URLSearchParams(location.search);
const room = (query.get("room") ?? "").toUpperCase();
const shown = /** @type {HTMLElement} */ (document.querySelector("#table"));
const flip = /** @type {HTMLButtonElement} */ (document.querySelector("#flip"));
const begin = /** @type {HTMLButtonElement} */ (document.querySelector("#start"));
const token = sessionStorage.getItem(room) ?? secret();
sessionStorage.setItem(room, token);

let state = start();
let nonce = secret();
let promised = "";
/** @type {WebSocket} */
let socket;
/** @param {import("./messages.d.ts").FromClient} message */
const say = (message) => socket.send(JSON.stringify(message));

function connect() {
  socket = new WebSocket(location.origin.replace("http", "ws") + "/ws", "krig.1");
  socket.onopen = () => {
    const { epoch, v } = state;
    say({ type: "hello", protocol: 1, room, token, epoch, v });
    say({ type: "sit", name: query.get("name") ?? `Mini ${token.slice(0, 3)}` });
  };
  socket.onclose = ({ code }) => {
    if (code < 4500) setTimeout(connect, 500 + 2000 * Math.random());
    else shown.textContent = `Closed: ${code}`;
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "ping") say({ type: "pong" });
    if (message.type === "error") console.warn(message.code, message.message);
    state = reduce(state, message);
    if (state.gap) say({ type: "resync" });
    act();
    draw();
  };
}

/** What is due: be ready on every new terms, and show the nonce when all are bound. */
function act() {
  const seat = mySeat(state);
  if (seat === null || state.view === null) return;
  const { game, terms, deal, phase } = state.view.room;
  const due = `${deal.stage} ${game} ${terms}`;
  const missing = deal.missing.includes(seat);
  const unready = phase === "lobby" && !state.view.seats[seat]?.ready;
  if (due === promised || (!missing && !unready)) return;
  if (deal.stage === "reveal") say({ type: "reveal", game, terms, nonce });
  else {
    nonce = secret();
    const place = state.view.seats.slice(0, seat).filter(Boolean).length;
    say({
      type: "ready",
      game,
      terms,
      on: true,
      commitment: commitment(deal.id, place, nonce),
    });
  }
  promised = due;
}

function draw() {
  if (state.view === null) return;
  const { room: about, seats, table, last } = state.view;
  const seat = mySeat(state);
  const lines = seats.map((taken, i) => {
    const hand = table?.hands[i];
    const cards =
      hand?.laid.map(({ down, up }) => "▮".repeat(down) + (up ?? "")).join(" ") ?? "";
    const count = hand ? hand.stock + hand.won : taken?.ready ? "ready" : "";
    return taken ? `${i === seat ? ">" : " "} ${taken.name}: ${count} ${cards}` : "  –";
  });
  const ended =
    last && !table ? `\nLast game: ${last.counts.join(" – ")} (${last.ending})` : "";
  shown.textContent = `${about.code}, ${table ? `round ${table.round}` : about.phase}\n\n${lines.join("\n")}\n${ended}`;
  begin.hidden = table !== null || about.owner !== state.player;
  begin.onclick = () => say({ type: "start", game: about.game });
  const waits = table !== null && seat !== null && table.waiting.includes(seat);
  flip.disabled = !waits || table.flipped.includes(seat);
  flip.onclick = () =>
    table &&
    say({ type: "flip", game: about.game, round: table.round, battle: table.battle });
}

connect();
