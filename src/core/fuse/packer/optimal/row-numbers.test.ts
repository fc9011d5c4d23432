import assert from "node:assert/strict";
import { test } from "node:test";
import { createDraw } from "./random-pools.fixture.js";
import { RowNumbers } from "./row-numbers.js";

const WIDTHS = {
  "so few different rows that each has a slot": [3, 4, 2],
  "more than have slots": [50, 60, 70],
  "more than a number tells apart": new Array<number>(20).fill(100),
  "rows of nothing": [],
};

for (const [name, widths] of Object.entries(WIDTHS)) {
  test(`equal rows have one number, and others another: ${name}`, () => {
    const draw = createDraw(1);
    const rows = new RowNumbers();
    // Whatever was there before is forgotten.
    rows.clear([7, 7]);
    rows.draft[0] = 1;
    rows.numberOfDraft();
    rows.clear(widths);
    // The last places alone differ in most of them, where a key that is too large for a number would be rounded.
    const known = new Map<string, number>();
    for (let i = 0; i < 2_000; i++) {
      const row = widths.map((width, place) => draw.below(place < widths.length - 2 ? 2 : width));
      row.forEach((number, place) => {
        rows.draft[place] = number;
      });
      const number = rows.numberOfDraft();
      const expected = known.get(row.join()) ?? known.size;
      assert.equal(number, expected);
      known.set(row.join(), expected);
      assert.deepEqual(
        row.map((_, place) => rows.at(number, place)),
        row,
      );
    }
    assert.equal(rows.count, known.size);
  });
}
