/** A table as it was just dealt, and what the first one is played by. */

/** @typedef {import("./messages.d.ts").SeatView} SeatView */
/** @typedef {import("./messages.d.ts").View} View */

/** @type {import("./messages.d.ts").Rules} */
export const KRIEG_40 = {
  deck: 52,
  war_down: 1,
  short: "play_have",
  all_short: "all_out",
  participants: "tied",
  match_down: false,
  pile: "reshuffle",
  order: "winner_first",
  orphan: "next_highest",
  void: "count",
  round_limit: 40,
  time_limit: null,
  time_mid_war: "finish",
  teams: false,
  deal: "cut",
  repetition: "stop",
};

/**
 * Somebody who sits at a table that no server tells of.
 * @param {number} player
 * @param {string} name
 * @param {"human" | "bot"} kind
 * @returns {SeatView}
 */
export function seatOf(player, name, kind) {
  const state = kind === "bot" ? "bot" : "here";
  return { player, name, kind, ready: true, commitment: null, state };
}

/**
 * The view of a game that has just been dealt, where no server tells of it.
 * @param {object} dealt
 * @param {Partial<View["room"]> & Pick<View["room"], "rules">} dealt.room what is known of it
 * @param {readonly number[]} dealt.stocks
 * @param {number[]} dealt.playing the seats in the first battle
 * @param {number} [dealt.aside]
 * @param {(SeatView | null)[]} [dealt.seats]
 * @returns {View}
 */
export function dealtView({ room, stocks, playing, aside = 0, seats = [] }) {
  return {
    room: {
      code: "",
      phase: "playing",
      game: 0,
      terms: 0,
      owner: null,
      closed: false,
      preset: null,
      game_code: null,
      tempo: "normal",
      wars_by_table: false,
      paused: null,
      asleep: false,
      deal: { id: "", commitment: "", stage: "done", missing: [], withheld: [] },
      ...room,
    },
    seats,
    table: {
      round: 1,
      battle: 0,
      wars: 0,
      hands: stocks.map((stock) => ({ stock, won: 0, out: false, laid: [] })),
      waiting: playing,
      flipped: [],
      fighting: playing,
      pot: 0,
      aside,
      last_round: false,
      clock: null,
    },
    last: null,
  };
}
