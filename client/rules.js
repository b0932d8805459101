/** What the first table is played by, until a room says otherwise. */

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
