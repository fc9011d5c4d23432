/** Plain fillings take a way of their own to numbers that the general one finds too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentsOf, scored, testRun } from "../../drafts.fixture.js";
import type { Fragment } from "../../model/fragment.js";
import { runAtOnce } from "../../run-in-slices.js";
import { nominationOf, packingInputOf } from "../packing.fixture.js";
import type { Packing, PackingInput, Shortfalls } from "../packing.js";
import { inOrder } from "./in-order.js";
import { createDraw } from "./optimal/random-pools.fixture.js";
import { isPlain } from "./plain-shortfalls.js";

interface Filling {
  readonly fragments: readonly Fragment[];
  readonly tokens: number;
  readonly miss: "skip" | "end";
}

/** The input of a filling of all fragments but the last, which nobody nominates. */
function inputOf({ fragments, tokens, miss }: Filling, fields: Partial<PackingInput> = {}): PackingInput {
  const nominations = [nominationOf(fragments.slice(0, -1), { tokens, miss })];
  return packingInputOf(fragments, tokens, { nominations, ...fields });
}

function shortfallsOf(input: PackingInput): Shortfalls {
  const packing = inOrder.pack(input, testRun()) as Packing;
  return runAtOnce(packing.shortfalls!());
}

/** Shortfalls the plain way, and the general one: what is out of the running keeps a filling from being plain. */
function bothWays(filling: Filling): readonly [Shortfalls, Shortfalls] {
  const plain = inputOf(filling);
  const out = Uint8Array.from(filling.fragments, (_, i) => Number(i === filling.fragments.length - 1));
  const general = inputOf(filling, { out });
  assert.deepEqual([isPlain(plain), isPlain(general)], [true, false]);
  return [shortfallsOf(plain), shortfallsOf(general)];
}

function poolOf(seed: number, count: number, priceOf: (draw: ReturnType<typeof createDraw>) => number): Fragment[] {
  const draw = createDraw(seed);
  return fragmentsOf(...Array.from({ length: count }, (_, i) => scored(`f${i}`, 0.5, priceOf(draw))));
}

for (const miss of ["skip", "end"] as const) {
  test(`the plain way and the general one agree where a miss is to ${miss}`, () => {
    for (let seed = 0; seed < 60; seed++) {
      const fragments = poolOf(seed, 2 + seed, ({ below, of }) => of([below(10), 1 + below(100), 50]));
      const total = fragments.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
      for (const share of [0, 0.2, 0.5, 0.9]) {
        const [plain, general] = bothWays({ fragments, tokens: Math.floor(total * share), miss });
        assert.deepEqual(plain.tokens, general.tokens, `seed ${seed}, ${share}`);
        assert.deepEqual([...plain.estimates], [...general.estimates], `seed ${seed}, ${share}`);
      }
    }
  });
}

/** The least number of further tokens at which a filling that skips misses takes a unit, by trying one after the other. */
function leastFurther(fragments: readonly Fragment[], turn: number, tokens: number): number {
  for (let further = 1; ; further++) {
    let room = tokens + further;
    for (let before = 0; before < turn; before++) {
      if (fragments[before]!.tokenCount <= room) room -= fragments[before]!.tokenCount;
    }
    if (fragments[turn]!.tokenCount <= room) return further;
  }
}

test("what is exact is the least of all budgets, where many must be tried for one unit", () => {
  for (let seed = 0; seed < 8; seed++) {
    const fragments = poolOf(seed, 600, ({ below, next }) => (next() < 0.05 ? 300 + below(300) : 1 + below(9)));
    const tokens = 2_400;
    const shortfalls = shortfallsOf(inputOf({ fragments, tokens, miss: "skip" }));
    const exact = fragments.filter(({ inputIndex: i }) => shortfalls.tokens[i]! >= 0 && !shortfalls.estimates.has(i));
    assert.ok(exact.length >= 10, `seed ${seed}`);
    for (const { inputIndex: i } of exact) {
      assert.equal(shortfalls.tokens[i], leastFurther(fragments, i, tokens), `seed ${seed}, turn ${i}`);
    }
  }
});

/** Behind one price that nothing reaches, every search goes back to the first turn. */
const ENDLESS = [1_000_000, ...new Array<number>(2_000).fill(1)];

test("past the limit of steps the rest are estimates, which say so", () => {
  const fragments = fragmentsOf(...[...ENDLESS, 1].map((price, i) => scored(`f${i}`, 0.5, price)));
  const { tokens, estimates } = shortfallsOf(inputOf({ fragments, tokens: 10, miss: "skip" }));
  const dropped = fragments.filter((_, i) => tokens[i]! >= 0);
  const exact = dropped.filter(({ inputIndex: i }) => !estimates.has(i));
  assert.ok(exact.length > 0 && estimates.size > 0, `${exact.length} and ${estimates.size}`);
  // The first unit that was left out lacks one token, and each after it one more, as long as that is searched.
  assert.deepEqual(
    exact.slice(0, 4).map(({ inputIndex: i }) => tokens[i]),
    [999_990, 1, 2, 3],
  );
  assert.ok(dropped.every(({ inputIndex: i }) => tokens[i]! >= 1));
});

test("in a window nothing lacks less than what is newer, past the limit too", () => {
  const window = [1, 3, 5];
  const fragments = fragmentsOf(...[...ENDLESS, ...window, 1].map((price, i) => scored(`f${i}`, 0.5, price)));
  const nominated = fragments.slice(0, -1);
  const fields = { tokens: 10, miss: "end" as const, suffixFrom: ENDLESS.length };
  const nominations = [nominationOf(nominated, fields)];
  const { tokens, estimates } = shortfallsOf(packingInputOf(fragments, 10, { nominations }));
  const inWindow = nominated.slice(ENDLESS.length).map(({ inputIndex }) => inputIndex);
  assert.deepEqual(
    inWindow.map((i) => [tokens[i], estimates.has(i)]),
    [
      [5, true],
      [5, true],
      [5, true],
    ],
  );
});
