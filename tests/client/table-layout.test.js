import assert from "node:assert/strict";
import { test } from "node:test";
import { cardWidth, laneOrder, placeLane, shapeOf } from "../../client/table/layout.js";

/** @typedef {import("../../client/table/layout.js").Group} Group */

const RANK = 0.54; // The part of a card's width that its rank takes.

/** The card area of a lane at 390×664: two, three and four players. */
const LANES = [
  { players: 2, width: 348, height: 161 },
  { players: 3, width: 258, height: 115 },
  { players: 4, width: 258, height: 80 },
  { players: 4, width: 186, height: 140 }, // in landscape, two by two
];

/**
 * @param {number} wars
 * @param {number} down
 * @returns {Group[]}
 */
const afterWars = (wars, down) => [
  { down: 0, up: "Ts" },
  ...Array.from({ length: wars }, () => ({ down, up: "Kh" })),
];

test("you are always the bottom lane, and the others follow in turn", () => {
  assert.deepEqual(laneOrder(4, 0), [1, 2, 3, 0]);
  assert.deepEqual(laneOrder(3, 1), [2, 0, 1]);
  assert.deepEqual(laneOrder(2, 1), [0, 1]);
});

test("the shape follows from the box, and only a watcher gets the big screen", () => {
  assert.equal(shapeOf(390, 664, false), "tall");
  assert.equal(shapeOf(360, 560, false), "small");
  assert.equal(shapeOf(320, 454, false), "small");
  assert.equal(shapeOf(320, 302, false), "small");
  assert.equal(shapeOf(844, 390, true), "wide");
  assert.equal(shapeOf(1280, 800, true), "big");
  assert.equal(shapeOf(1280, 800, false), "tall");
});

test("cards on a phone have the sizes that the prototype settled", () => {
  const widths = LANES.slice(0, 3).map((lane) => cardWidth({ ...lane, warDown: 3 }));
  assert.deepEqual(widths, [115, 82, 57]);
});

test("deep stakes make smaller cards where the lane is narrow", () => {
  const lane = { width: 150, height: 161 };
  assert.ok(cardWidth({ ...lane, warDown: 3 }) < cardWidth({ ...lane, warDown: 1 }));
});

for (const lane of LANES) {
  for (const down of [0, 1, 2, 3]) {
    for (const wars of [0, 1, 2, 3, 4, 9]) {
      test(`${lane.players} players, ${lane.width} wide, ${down} down, ${wars} wars: every rank is seen`, () => {
        const card = cardWidth({ ...lane, warDown: down });
        const row = placeLane(afterWars(wars, down), false, {
          width: lane.width,
          card,
        });
        row.cards.forEach(({ card: shown, x }, i) => {
          const next = row.cards[i + 1]?.x ?? lane.width;
          if (shown)
            assert.ok(next - x >= RANK * card - 1, `${shown} at ${x}, then ${next}`);
        });
        assert.ok((row.cards.at(-1)?.x ?? 0) + card <= lane.width + 1);
      });
    }
  }
}

test("two wars lie open; from the third the oldest cards fold into a chip", () => {
  const size = { width: 258, card: 57 };
  assert.equal(placeLane(afterWars(2, 3), false, size).folded, 0);
  assert.equal(placeLane(afterWars(3, 3), false, size).folded, 5);
  assert.equal(placeLane(afterWars(4, 3), false, size).folded, 9);
});

test("a card that has been pressed lies last, face down, and keeps its name when turned", () => {
  const size = { width: 258, card: 57 };
  const pressed = placeLane([{ down: 0, up: "Ts" }], true, size).cards;
  const turned = placeLane(afterWars(1, 0), false, size).cards;
  assert.deepEqual(
    pressed.map(({ key, card }) => [key, card]),
    [
      ["0u", "Ts"],
      ["1u", null],
    ],
  );
  assert.equal(turned[1]?.key, "1u");
});

test("stakes laid under a pressed card leave it the last", () => {
  const groups = [
    { down: 0, up: "Ts" },
    { down: 3, up: null },
  ];
  const keys = placeLane(groups, true, { width: 258, card: 57 }).cards.map(
    ({ key }) => key,
  );
  assert.deepEqual(keys, ["0u", "1d0", "1d1", "1d2", "1u"]);
});

test("only the newest face is bright", () => {
  const row = placeLane(afterWars(2, 1), false, { width: 258, card: 57 });
  const bright = row.cards.filter(({ newest }) => newest).map(({ key }) => key);
  assert.deepEqual(bright, ["2u"]);
});
