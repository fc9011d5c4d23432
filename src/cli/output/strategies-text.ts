import type { Strategy, StrategyCapabilities } from "../../../gen/acms/v1/strategy.js";
import { printable } from "../printable.js";
import { wrap } from "./fit-text.js";
import { count } from "./numbers.js";
import { paint, type Terminal } from "./terminal.js";

/** Strategies for people, by lines. */
export function strategiesText(strategies: readonly Strategy[], terminal: Terminal): string[] {
  return strategies.flatMap(({ name, confidence, explanation, capabilities }, i) => [
    ...(i === 0 ? [] : [""]),
    `${paint(terminal, "bold", printable(name))}  confidence ${confidence}`,
    ...wrap(printable(explanation), terminal.width - 2).map((line) => `  ${line}`),
    ...wrap(describe(capabilities), terminal.width - 2).map((line) => paint(terminal, "dim", `  ${line}`)),
  ]);
}

function describe(capabilities: StrategyCapabilities | undefined): string {
  if (capabilities === undefined) {
    return "capabilities unknown";
  }
  const { maxFragments, qualityScore } = capabilities;
  const abilities = [
    capabilities.supportsSemanticSearch && "semantic search",
    capabilities.supportsGraphNavigation && "graph navigation",
    capabilities.supportsTemporalArchaeology && "temporal archaeology",
  ].filter((ability) => ability !== false);
  const limit = maxFragments > 0 ? `at most ${count(maxFragments)} fragments` : "any number of fragments";
  return [`quality ${qualityScore}`, limit, ...(abilities.length > 0 ? [`supports ${abilities.join(", ")}`] : [])].join(
    "; ",
  );
}
