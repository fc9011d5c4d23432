import assert from "node:assert/strict";
import { test } from "node:test";
import { runAtOnce } from "../../../../run-in-slices.js";
import { type NetworkShape, randomNetwork } from "../random-networks.fixture.js";
import { createDraw } from "../random-pools.fixture.js";
import { networkSet, SetSteps } from "./network-set.js";
import { NetworkSets } from "./network-sets.js";
import type { CappedProblem } from "./problem.js";

const SHAPES: Record<string, { shape: NetworkShape; isWeb: boolean }> = {
  "a network of situations": {
    shape: { variables: 40, needs: 1, neededBy: (number, { below }) => Math.max(0, number - 1 - below(3)) },
    isWeb: false,
  },
  "a web": { shape: { variables: 60, needs: 3, neededBy: (number, { below }) => below(number) }, isWeb: true },
};

function problemWith(networks: CappedProblem["networks"], capacity: number, rooms: readonly number[]): CappedProblem {
  const demandOf = (id: number) => Float64Array.from(rooms, (_, cap) => (id * (cap + 3)) % 20);
  const order = { placeOf: () => 0, comparePlaces: () => 0, firstDifference: () => ({ place: -1, firstHolds: true }) };
  return { blocks: [], mixed: [], networks, turns: [], order, capacity, rooms: Float64Array.from(rooms), demandOf };
}

for (const [kind, { shape, isWeb }] of Object.entries(SHAPES)) {
  test(`what one step makes of a set of ${kind} is what it is when it is looked at anew`, () => {
    let taken = 0;
    for (let seed = 0; seed < 20; seed++) {
      const { network, isWhole } = randomNetwork(seed, shape);
      assert.equal(network.web !== undefined, isWeb);
      const problem = problemWith([network], 600, [250, 300]);
      const draw = createDraw(seed);
      const options = new Int32Array(shape.variables);
      for (let round = 0; round < 30; round++) {
        const steps = new SetSteps(network, networkSet(network, options, problem), problem);
        const next: Int32Array[] = [];
        for (let turn = 0; turn < options.length; turn++) {
          for (const option of [0, 1, 2]) {
            const stepped = options.with(turn, option);
            const set = networkSet(network, stepped, problem);
            const isWithin = set.tokens <= 600 && set.caps[0]! <= 250 && set.caps[1]! <= 300;
            assert.equal(steps.isWithin(turn, option), isWithin, `seed ${seed}, ${turn} to ${option}`);
            assert.equal(steps.isWhole(turn, option), isWhole(stepped), `seed ${seed}, ${turn} to ${option}`);
            if (isWithin && isWhole(stepped) && (option > 0 || round % 3 === 0)) next.push(stepped);
          }
        }
        if (next.length > 0) options.set(draw.of(next));
      }
      taken += options.reduce((sum, option) => sum + Math.sign(option), 0);
    }
    assert.ok(taken > 40, `${taken} options were taken in all`);
  });
}

test("the sets a step from one are looked at without going through all turns for each of them", () => {
  const { network } = randomNetwork(1, { variables: 4_000, needs: 1, neededBy: () => 0 });
  const problem = problemWith([network], 1e9, [1e9]);
  const hub = network.turns.findIndex(({ ids }) => ids[1] === 0);
  const options = new Int32Array(4_000).with(hub, 1);
  const steps = new SetSteps(network, networkSet(network, options, problem), problem);
  for (let turn = 0; turn < options.length; turn++) for (const option of [1, 2]) steps.isWhole(turn, option);
  assert.ok(steps.looks < 10 * options.length, `${steps.looks} turns were looked at`);
  const sets = new NetworkSets(problem);
  runAtOnce(sets.addNeighbours(0, options));
  const { mixed } = sets.asClasses().problem;
  assert.deepEqual([mixed.length, mixed[0]!.ids.length], [1, 400]);
});
