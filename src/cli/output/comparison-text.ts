import type { AssembleRequest, CompareStrategiesResponse } from "../../../gen/acms/v1/assembly_service.js";
import type { VariantResult } from "../../../gen/acms/v1/comparison.js";
import { printable } from "../printable.js";
import { differenceLines } from "./difference-lines.js";
import { titled, wrap } from "./fit-text.js";
import { count, countOf } from "./numbers.js";
import { packingLine } from "./packing-line.js";
import { paint, type Terminal } from "./terminal.js";
import { signOf } from "./variant-sign.js";
import { variantTable } from "./variant-table.js";

/** What text about a comparison is made of. */
export interface ComparisonView {
  readonly request: AssembleRequest;
  readonly response: CompareStrategiesResponse;
  readonly terminal: Terminal;
  /** The most differences that are shown. */
  readonly limit: number;
}

/** A comparison for people, by lines: a row for each variant, what is to be said of each, and the fragments on which they differ. */
export function comparisonText(view: ComparisonView): string[] {
  const { request, response, terminal } = view;
  const { results, availableTokens } = response;
  const title = `${countOf(results.length, "way", "ways")} to fill ${count(availableTokens)} tokens`;
  return [
    ...titled(title, `from ${countOf(request.fragments.length, "fragment")}`, terminal),
    "",
    ...variantTable(results, availableTokens, terminal),
    ...noteLines(results, terminal),
    "",
    ...differenceLines(view),
    "",
    endLine(response, terminal),
  ];
}

/** What is to be said of single variants, each after its sign. */
function noteLines(results: readonly VariantResult[], terminal: Terminal): string[] {
  const notes = results.flatMap(({ outcome }, position) =>
    notesOf(outcome).map((note) => `${signOf(position)}  ${note}`),
  );
  const lines = [...notes, ...sameContext(results)].flatMap((note) =>
    wrap(printable(note), terminal.width - 5).map((line, i) => (i === 0 ? `  ${line}` : `     ${line}`)),
  );
  return lines.length === 0 ? [] : ["", ...lines];
}

function notesOf(outcome: VariantResult["outcome"]): string[] {
  if (outcome?.$case === "failure") return [`${outcome.value.status}: ${outcome.value.message}`];
  if (outcome?.$case !== "summary") return ["came to nothing that this program knows"];
  const { packing, warnings } = outcome.value;
  return [
    ...(packing === undefined ? [] : [packingLine(packing)]),
    ...warnings.map(({ code, message }) => `${code}: ${message}`),
  ];
}

/** Variants that made one and the same context, in the same order. */
function sameContext(results: readonly VariantResult[]): string[] {
  const byHash = new Map<string, string[]>();
  results.forEach(({ outcome }, position) => {
    if (outcome?.$case !== "summary") return;
    const { contextHash } = outcome.value;
    byHash.set(contextHash, [...(byHash.get(contextHash) ?? []), signOf(position)]);
  });
  return [...byHash.values()].filter(({ length }) => length > 1).map((signs) => `${signs.join("=")}  the same context`);
}

function endLine({ tokenizer, countsEstimated }: CompareStrategiesResponse, terminal: Terminal): string {
  const counted = countsEstimated ? `some counts estimated by ${printable(tokenizer)}` : "all counts as declared";
  return paint(terminal, "dim", counted);
}
