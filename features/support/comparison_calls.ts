/** Comparisons, in the words of the features. */
import { CompareVariant, type FragmentReference } from "../../gen/acms/v1/comparison.js";
import type { AcmsWorld } from "./world.js";

/** Compares variants of the request in the making. */
export async function compare(world: AcmsWorld, variants: CompareVariant[]): Promise<void> {
  await world.outcomes.record("comparison", async () => {
    const response = await world.server.assembly.compareStrategies({ assemble: world.request, variants });
    world.comparisons.push({ variants, response });
    return response;
  });
}

/** The variant of a table's row; an empty cell leaves its field absent. */
export function variantOf({
  label = "",
  strategies = "",
  profile = "",
  packer = "",
}: Record<string, string>): CompareVariant {
  const names = strategies === "" ? [] : strategies.split(",").map((name) => ({ name: name.trim() }));
  const namesComponents = profile + packer !== "";
  return CompareVariant.fromPartial({
    label,
    strategies: names,
    ...(namesComponents ? { pipeline: { profile, packer } } : {}),
  });
}

/** The ids of fragments, in order. */
export function idsOf(references: readonly FragmentReference[]): string[] {
  return references.map(({ fragmentId }) => fragmentId);
}
