import type { ExpressionResult, Expressions } from "../expressions.js";
import type { Faults } from "./faults.js";
import type { StrategySpec } from "./strategy-spec.js";

/** One expression, where it stands in the request. */
interface PlacedExpression {
  readonly path: string;
  readonly source: string;
  readonly gives: ExpressionResult;
}

/** The expressions of a strategy's settings, where it has any; paths begin with `path`. */
export function expressionsOf({ config }: StrategySpec, path: string): PlacedExpression[] {
  const all: PlacedExpression[] =
    config?.$case === "expression"
      ? [
          { path: `${path}.expression.where`, source: config.value.where, gives: "boolean" },
          { path: `${path}.expression.score`, source: config.value.score, gives: "number" },
        ]
      : config?.$case === "priority"
        ? [{ path: `${path}.priority.score_expression`, source: config.value.scoreExpression, gives: "number" }]
        : [];
  return all.filter(({ source }) => source !== "");
}

/** Checks expressions before any fragment is there; faults name the position in the source. */
export async function checkExpressions(
  placed: readonly PlacedExpression[],
  expressions: Expressions,
  signal: AbortSignal,
  faults: Faults,
): Promise<void> {
  const found = await Promise.all(placed.map(({ source, gives }) => expressions.check(source, gives, signal)));
  found.forEach((fault, i) => {
    if (fault !== undefined) faults.add(placed[i]!.path, fault.description);
  });
}
