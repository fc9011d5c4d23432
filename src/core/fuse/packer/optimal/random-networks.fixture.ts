/** Seeded networks whose needs are known, for tests of what searches make of them. */
import assert from "node:assert/strict";
import { runAtOnce } from "../../../run-in-slices.js";
import { buildNetwork, type Network } from "./network.js";
import { createDraw } from "./random-pools.fixture.js";
import type { Option, Variable } from "./variables.js";

/** More options than any variable has: an id is this times the variable's number, and the option's. */
const ID_STEP = 10;

export interface RandomNetwork {
  readonly network: Network;
  /** True where every need of a set is met, looked up one by one. */
  isWhole(options: ArrayLike<number>): boolean;
}

export interface NetworkShape {
  readonly variables: number;
  /** Of how many others an option needs something at most; at least it needs something of one. */
  readonly needs: number;
  /** Draws an earlier variable of which that of a number needs something. */
  readonly neededBy: (number: number, draw: ReturnType<typeof createDraw>) => number;
}

/** A network of variables with two options each, of which each needs something of earlier variables. */
export function randomNetwork(seed: number, { variables, needs, neededBy }: NetworkShape): RandomNetwork {
  const draw = createDraw(seed);
  const optionOf = (number: number): Option => ({
    fragments: [],
    tokens: draw.below(50),
    value: draw.below(900),
    needs: Array.from({ length: number === 0 ? 0 : 1 + draw.below(needs) }, () => neededBy(number, draw))
      .filter((variable, at, all) => all.indexOf(variable) === at)
      .map((variable) => ({ variable, options: draw.of([[1], [2], [1, 2]]) })),
    isWanted: true,
  });
  const all = Array.from({ length: variables }, (_, number): Variable => [optionOf(number), optionOf(number)]);
  const numbers = new Map(
    all.flatMap((options, number) => options.map((option, at) => [option, number * ID_STEP + at])),
  );
  const network = runAtOnce(buildNetwork({ variables: all }, (option) => numbers.get(option)!));
  const variableOf = network.turns.map(({ ids }) => Math.floor(ids[1]! / ID_STEP));
  assert.deepEqual(
    variableOf.toSorted((a, b) => a - b),
    [...all.keys()],
  );
  return {
    network,
    isWhole: (options) => {
      const taken = new Array<number>(all.length).fill(0);
      variableOf.forEach((variable, turn) => {
        taken[variable] = options[turn]!;
      });
      return taken.every(
        (option, number) =>
          option === 0 || all[number]![option - 1]!.needs.every((need) => need.options.includes(taken[need.variable]!)),
      );
    },
  };
}
