/** What a solver of linear programs in whole numbers says about pools within caps. */
import assert from "node:assert/strict";
import highsModule from "highs";
import type { Fragment } from "../../../../model/fragment.js";
import type { Packing, PackingInput } from "../../../packing.js";
import { linearProgramOf } from "../linear-program.fixture.js";
import { afterFloors, type CappedPool, isWithinCaps } from "./capped-pools.fixture.js";

// The package's types are those of a CommonJS module, whose default export is a member; its ES module is the function itself.
const loadHighs = highsModule as unknown as typeof highsModule.default;

/** Without the first the solver stops within a ten-thousandth of the best. */
const EXACT = { mip_rel_gap: 0, mip_abs_gap: 1e-9, output_flag: false };

const TOLERANCE = 1e-6;

export function chosenOf({ fragments }: PackingInput, { chosenBy }: Packing): Fragment[] {
  return fragments.filter((_, i) => chosenBy[i] !== 0);
}

/** The value of the best set of a pool once its floors are filled. */
export async function openSolver(): Promise<(input: PackingInput) => number> {
  const highs = await loadHighs();
  return (input) => {
    const filled = afterFloors(input, {});
    const floors = [...filled.committed].reduce((sum, { relevanceScore }) => sum + relevanceScore, 0);
    return floors + highs.solve(linearProgramOf(filled), EXACT).ObjectiveValue;
  };
}

/** Asserts that a packing breaks nothing, that its bound holds and that it proves nothing false; answers what it lacks of the best value. */
export function judgeBy(best: number, { input, sections }: CappedPool, packing: Packing, where: string): number {
  const { value, upperBound, provenOptimal } = packing.report!;
  assert.ok(isWithinCaps(sections, chosenOf(input, packing)), `${where}: a cap is broken`);
  assert.ok(upperBound >= best - TOLERANCE, `${where}: the bound ${upperBound} is below ${best}`);
  assert.ok(value <= best + TOLERANCE, `${where}: ${value} is more than ${best}`);
  assert.ok(!provenOptimal || value >= best - TOLERANCE, `${where}: a false proof`);
  return value >= best - TOLERANCE ? 0 : 1 - value / best;
}
