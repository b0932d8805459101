// What lies on the table at one moment, and how one told event changes it.
// Rule 1: nothing here knows the rules of War; who won is what the server told.
// Rule 2: a scene is never changed, only followed by another.

/** @typedef {import("../messages.d.ts").View} View */
/** @typedef {import("../messages.d.ts").ToldEvent} ToldEvent */
/** @typedef {import("./layout.js").Group} Group */

/** @typedef {{stock: number, won: number, out: boolean, laid: Group[]}} Hand */
/**
 * What the line between table and button has to say.
 * @typedef {{kind: "won", round: number, seat: number, count: number, cards: [number, string][], counts: number[]}
 *   | {kind: "war", war: number}
 *   | {kind: "short", seat: number, count: number}
 *   | {kind: "void", time: boolean}
 *   | {kind: "left", how: "carry" | "discard", count: number}
 *   | {kind: "shuffle", seat: number}
 *   | {kind: "out", seat: number}
 *   | {kind: "time"}} Note
 */
/**
 * @typedef {object} Scene
 * @property {number} round
 * @property {Hand[]} hands
 * @property {number[]} fighting
 * @property {number[]} pressed  seats whose next card lies ready, face down
 * @property {number} pot
 * @property {number} wars
 * @property {number | null} winner  the seat whose lane is outlined
 * @property {number} gain  the cards it took
 * @property {Note | null} note
 */

/**
 * Who looks at the table.
 * @typedef {object} Me
 * @property {number | null} seat  null: only watches
 * @property {number} watchers
 * @property {boolean} online
 * @property {number} [followed]  the seat at the bottom while watching
 * @property {number} [clockAhead]  server time minus this device's, in ms
 * @property {boolean} [wishes]  to sit in the next game
 * @property {boolean} [replay]  nothing can be done at the table
 */

/**
 * The table as a view shows it. What was last said about a finished round is kept.
 * @param {View} view
 * @param {Scene | null} [before]
 * @returns {Scene | null} null: no game on the table
 */
export function sceneOf(view, before = null) {
  const table = view.table;
  if (!table) return null;
  const quiet = table.hands.every(({ laid }) => laid.length === 0);
  const stays = quiet || ["war", "time"].includes(before?.note?.kind ?? "");
  const kept = stays ? before : null;
  // A round that was cut off does not count, but it was the last that was played.
  const over = table.waiting.length === 0;
  return {
    round: Math.max(table.round, (over && before?.round) || 0),
    hands: table.hands.map(({ stock, won, out, laid }) => ({ stock, won, out, laid })),
    fighting: table.fighting,
    pressed: table.flipped,
    pot: table.pot,
    wars: table.wars,
    winner: kept?.winner ?? null,
    gain: kept?.gain ?? 0,
    note: kept?.note ?? null,
  };
}

/**
 * @param {Scene} scene
 * @param {ToldEvent} event
 * @param {number} [i] where it stands
 * @param {readonly ToldEvent[]} [events] among what was told
 * @returns {Scene} the same scene where the event shows nothing on the table
 */
export function follow(scene, event, i = 0, events = []) {
  switch (event.type) {
    case "flipped":
      return {
        ...scene,
        pressed: [...scene.pressed.filter((s) => s !== event.seat), event.seat],
      };
    case "reshuffled":
      return {
        ...changed(scene, event.seat, () => ({ stock: event.count, won: 0 })),
        note: { kind: "shuffle", seat: event.seat },
      };
    case "staked":
      return event.stakes.reduce(
        (s, [seat, down]) => lay(s, seat, { down, up: null }),
        scene,
      );
    case "turned":
      return {
        ...event.cards.reduce(turnUp, scene),
        pressed: [],
        winner: null,
        gain: 0,
        note: null,
      };
    case "war":
      return {
        ...scene,
        fighting: event.seats,
        wars: event.war,
        note: { kind: "war", war: event.war },
      };
    case "short":
      return {
        ...(event.count > 0
          ? lay(scene, event.seat, { down: event.count, up: null })
          : scene),
        note: { kind: "short", seat: event.seat, count: event.count },
      };
    case "pot_won":
      return {
        ...scene,
        winner: event.seat,
        gain: event.count,
        note: wonNote(scene, event),
      };
    case "pot_left":
      return { ...scene, note: { kind: "left", how: event.how, count: event.count } };
    case "round_void": {
      const next = events[i + 1];
      const time = next?.type === "game_ended" && next.outcome.ending === "time_limit";
      return { ...scene, note: { kind: "void", time } };
    }
    case "seat_out":
      return changed(scene, event.seat, () => ({ out: true }));
    case "round_ended":
      return cleared(scene, event.counts);
    case "battle":
      return { ...scene, round: event.round, fighting: event.waiting, pressed: [] };
    case "time_struck":
      return { ...scene, note: { kind: "time" } };
    default:
      return scene;
  }
}

/**
 * The seat that lays fewer cards than the others because it has no more, if there is one.
 * @param {Scene} scene
 * @returns {{seat: number, down: number} | null}
 */
export function maybePoorest(scene) {
  const fighters = scene.fighting.flatMap((seat) => {
    const hand = scene.hands[seat];
    const last = hand?.laid.at(-1);
    return hand && last ? [{ seat, down: last.down, left: cardsHeld(hand) }] : [];
  });
  const most = Math.max(0, ...fighters.map(({ down }) => down));
  const poorest = fighters.find(({ down, left }) => down < most && left === 0);
  return poorest ? { seat: poorest.seat, down: poorest.down } : null;
}

/** @param {Hand} hand */
export function cardsHeld(hand) {
  return hand.stock + hand.won;
}

/**
 * @param {Scene} scene
 * @param {number} seat
 * @param {(hand: Hand) => Partial<Hand>} change
 * @returns {Scene}
 */
function changed(scene, seat, change) {
  const hands = scene.hands.map((hand, i) =>
    i === seat ? { ...hand, ...change(hand) } : hand,
  );
  return { ...scene, hands };
}

/**
 * @param {Scene} scene
 * @param {number} seat
 * @param {Group} group
 */
function lay(scene, seat, group) {
  const count = group.down + (group.up === null ? 0 : 1);
  const after = changed(scene, seat, (hand) => ({
    ...spent(hand, count),
    laid: [...hand.laid, group],
  }));
  return { ...after, pot: scene.pot + count };
}

/**
 * @param {Scene} scene
 * @param {[number, string]} turned
 */
function turnUp(scene, [seat, card]) {
  const last = scene.hands[seat]?.laid.at(-1);
  if (!last || last.up !== null) return lay(scene, seat, { down: 0, up: card });
  const after = changed(scene, seat, (hand) => ({
    ...spent(hand, 1),
    laid: [...hand.laid.slice(0, -1), { down: last.down, up: card }],
  }));
  return { ...after, pot: scene.pot + 1 };
}

/**
 * @param {Hand} hand
 * @param {number} count
 */
function spent(hand, count) {
  const stock = Math.max(0, hand.stock - count);
  return { stock, won: Math.max(0, hand.won - (count - (hand.stock - stock))) };
}

/**
 * @param {Scene} scene
 * @param {[number, number][]} counts
 * @returns {Scene}
 */
function cleared(scene, counts) {
  const hands = scene.hands.map((hand, i) => ({
    ...hand,
    stock: counts[i]?.[0] ?? hand.stock,
    won: counts[i]?.[1] ?? hand.won,
    laid: [],
  }));
  const note =
    scene.note?.kind === "won"
      ? { ...scene.note, counts: hands.map(cardsHeld) }
      : scene.note;
  return { ...scene, hands, note, pot: 0, wars: 0, pressed: [] };
}

/**
 * @param {Scene} scene
 * @param {{seat: number, count: number, by: string}} event
 * @returns {Note}
 */
function wonNote(scene, { seat, count, by }) {
  /** @type {[number, string][]} */
  const cards = scene.fighting.flatMap((s) => {
    const up = scene.hands[s]?.laid.at(-1)?.up;
    return up ? [/** @type {[number, string]} */ ([s, up])] : [];
  });
  const counts = scene.hands.map(cardsHeld);
  return {
    kind: "won",
    round: scene.round,
    seat,
    count,
    cards: by === "high" ? cards : [],
    counts,
  };
}
