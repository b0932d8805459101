/**
 * The six rounds by which the German source explains the game, with exactly its cards:
 * 27:25, 26:26, 29:23, 28:24, 25:27, 26:26. The rules page plays them.
 */

import { stepsOf } from "./replay.js";
import { KRIEG_40 } from "./rules.js";
import { Game } from "./verify/game.js";

const CARDS = ["Ks 4h 9s 8s Ah Td 6h 3h 2d 5h", "7d Jc 9c 8d Ts Qh 6s 7s Kc 3d"];
const ROUNDS = 6;

/** The other cards, which these rounds do not come to. */
const UNTURNED = 16;

/** @param {string} code what the table's header says */
export function sixRounds(code) {
  const stocks = CARDS.map((cards) => [
    ...cards.split(" "),
    ...Array.from({ length: UNTURNED }, () => "2c"),
  ]);
  const game = new Game(KRIEG_40, stocks, (_label, cards) => [...cards]);
  return stepsOf(game, code, (step) => {
    while (game.rounds < ROUNDS) {
      for (const seat of game.waiting) game.flip(seat, "player");
      step();
    }
  });
}
