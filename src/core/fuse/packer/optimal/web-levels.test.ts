import assert from "node:assert/strict";
import { test } from "node:test";
import { runAtOnce } from "../../../run-in-slices.js";
import { createClassBuilder } from "./classes.js";
import { randomNetwork } from "./random-networks.fixture.js";
import { relax } from "./relax.js";
import { stepsOfWeb, webLevels } from "./web-levels.js";

test("what the levels of a web cost is known before they are made", () => {
  for (let seed = 0; seed < 40; seed++) {
    const { network } = randomNetwork(seed, {
      variables: 60,
      needs: 3,
      neededBy: (number, { below }) => below(number),
    });
    const classes = createClassBuilder(1, () => false).build();
    const order = {
      placeOf: () => 0,
      comparePlaces: () => 0,
      firstDifference: () => ({ place: -1, firstHolds: true }),
    };
    const relaxed = runAtOnce(relax({ classes, networks: [network], capacity: 300 }, order));
    const priced = relaxed.networks[0]!;
    for (const slack of [0, 500, 5_000, Number.POSITIVE_INFINITY]) {
      const around = { price: relaxed.price, slack, leeway: 0 };
      const levels = webLevels(priced, priced.priced!, around);
      const steps = levels.reduce((sum, { level }) => sum + level.network!.weight * level.tokens.length, 0);
      assert.equal(stepsOfWeb(priced, priced.priced!, around), steps, `seed ${seed}, slack ${slack}`);
    }
  }
});
