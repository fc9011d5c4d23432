import assert from "node:assert/strict";
import { test } from "node:test";
import { breakPrice, type Laid } from "./break-price.js";
import { createClassBuilder } from "./classes.js";
import { findHulls } from "./hull.js";
import { buildNetwork, type Network } from "./network.js";
import { NetworkRows } from "./network-rows.js";
import { createDraw } from "./random-pools.fixture.js";
import type { Option, Variable } from "./variables.js";

type Draw = ReturnType<typeof createDraw>;

function toEnd<T>(work: Generator<void, T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

/** A hub of three options, each dearer and better than the one before, and variables that need one of them. */
function drawNetwork(draw: Draw): Network {
  const optionOf = (scale: number, needs: Option["needs"]): Option => {
    return {
      fragments: [],
      tokens: scale * (1 + draw.below(90)),
      value: scale * (1 + draw.below(900)),
      needs,
      isWanted: true,
    };
  };
  const hub = [1, 2, 3].map((scale) => optionOf(scale, []));
  const leaf = (): Variable => [optionOf(1, [{ variable: 0, options: [1 + draw.below(3)] }])];
  return toEnd(buildNetwork({ variables: [hub, ...Array.from({ length: 1 + draw.below(5) }, leaf)] }, () => 0));
}

function drawKnapsack(seed: number): Omit<Laid, "capacity"> {
  const draw = createDraw(seed);
  const builder = createClassBuilder(16, () => false);
  for (let c = draw.below(40); c >= 0; c--) {
    for (let choice = 0; choice < 3; choice++) builder.add(1 + draw.below(200), 1 + draw.below(2_000), choice);
    builder.close();
  }
  const classes = builder.build();
  const networks = Array.from({ length: 1 + draw.below(30) }, () => drawNetwork(draw));
  return { classes, hulls: findHulls(classes), rows: new NetworkRows(networks, 1e6), webs: [] };
}

/** Tokens of the best sets at a price, everything being priced anew. */
function tokensAt(price: number, { hulls, rows }: Omit<Laid, "capacity">): number {
  const ofSteps = hulls.tokens.reduce((sum, tokens, step) => (hulls.slopes[step]! > price ? sum + tokens : sum), 0);
  return rows.at(price).reduce((sum, { tokens }) => sum + tokens, ofSteps);
}

test("just below the price the best sets are too many, and from just above it they fit", () => {
  for (let seed = 0; seed < 300; seed++) {
    const knapsack = drawKnapsack(seed);
    const all = tokensAt(0, knapsack);
    for (const share of [0.02, 0.3, 0.7, 0.97]) {
      const capacity = Math.floor(all * share);
      const price = toEnd(breakPrice({ ...knapsack, capacity }, 1e9));
      assert.ok(tokensAt(price * (1 - 1e-9), knapsack) > capacity, `seed ${seed}, ${share}: the price is too high`);
      assert.ok(tokensAt(price * (1 + 1e-9), knapsack) <= capacity, `seed ${seed}, ${share}: the price is too low`);
    }
    assert.equal(toEnd(breakPrice({ ...knapsack, capacity: all }, 1e9)), 0);
  }
});
