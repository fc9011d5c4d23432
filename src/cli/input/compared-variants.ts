import type { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import { CompareVariant } from "../../../gen/acms/v1/comparison.js";
import { PipelineSpec } from "../../../gen/acms/v1/component.js";

/** What a flag names: something that one variant uses in place of what the request does. */
export interface NamedChoice {
  readonly kind: "strategy" | "profile" | "packer";
  readonly name: string;
}

/** The names of a list such as `relevance,recency`; undefined where one is empty. */
export function parseNames(text: string): string[] | undefined {
  const names = text.split(",").map((name) => name.trim());
  return names.includes("") ? undefined : names;
}

/**
 * A variant for each name, which is its label. A profile or packer replaces that of the request's pipeline and leaves the rest of it as it
 * is; a strategy that the request has settings for keeps them.
 */
export function variantsOf(choices: readonly NamedChoice[], request: AssembleRequest): CompareVariant[] {
  return choices.map(({ kind, name }) => {
    const variant = CompareVariant.fromPartial({ label: name });
    if (kind === "strategy") {
      const own = request.strategies.find((strategy) => strategy.name === name);
      return { ...variant, strategies: [own ?? { name, confidence: undefined, config: undefined }] };
    }
    const pipeline = { ...PipelineSpec.fromPartial({}), ...request.pipeline };
    return { ...variant, pipeline: { ...pipeline, [kind]: name } };
  });
}
