import type { AssembleRequest, AssembleResponse } from "../../../gen/acms/v1/assembly_service.js";
import type { ContextFragment } from "../../../gen/acms/v1/fragment.js";
import type { ContextPayload } from "../../../gen/acms/v1/payload.js";
import { Outcome, Reason } from "../../core/index.js";
import { printable } from "../printable.js";
import { budgetBar } from "./budget-bar.js";
import { droppedLines } from "./dropped-lines.js";
import { titled, wrap } from "./fit-text.js";
import { fragmentRows } from "./fragment-rows.js";
import { count, countOf, percent } from "./numbers.js";
import { packingLine } from "./packing-line.js";
import { reasonWords } from "./reasons.js";
import { paint, type Terminal } from "./terminal.js";

/** What text about an assembly is made of. */
export interface AssemblyView {
  readonly request: AssembleRequest;
  readonly response: AssembleResponse;
  readonly terminal: Terminal;
  /** The most fragments that each list shows. */
  readonly limit: number;
  /** Tokens of dropped fragments that declare none, by position. Absent: nobody has asked for them. */
  readonly counted?: ReadonlyMap<number, number>;
}

/** An answer for people, by lines: the budget as a bar, what was kept, what was dropped and why, and what departs from what was asked. */
export function assemblyText(view: AssemblyView): string[] {
  const payload = view.response.payload;
  if (payload === undefined) {
    return ["the answer holds no payload"];
  }
  return [
    ...budgetLines(payload, view.terminal),
    ...(payload.packing === undefined ? [] : wrap(packingLine(payload.packing), view.terminal.width)),
    "",
    ...keptLines(payload, view),
    ...prefixLines(payload, view),
    "",
    ...droppedLines(payload, view),
    ...warningLines(payload, view.terminal),
    "",
    ...endLines(payload, view.terminal),
  ];
}

/** What the budget was spent on, in two lines and a title. */
export function budgetLines(payload: ContextPayload, terminal: Terminal): string[] {
  const { totalTokens, availableTokens, budgetUsed } = payload;
  const used = `${count(totalTokens)} of ${count(availableTokens)} tokens`;
  return [`${paint(terminal, "bold", used)}  ${percent(budgetUsed)}`, ...budgetBar(payload, terminal)];
}

function keptLines(payload: ContextPayload, { request, terminal, limit }: AssemblyView): string[] {
  const { fragments } = payload;
  const given = new Map(request.fragments.map((fragment) => [fragment.fragmentId, fragment]));
  const marks = new Map(
    payload.decisions
      .filter(({ outcome, reason }) => outcome === Outcome.SELECTED && reason !== Reason.CHOSEN)
      .map(({ fragmentId, reason }) => [fragmentId, reasonWords(reason).name]),
  );
  const rows = fragments.map((fragment) => ({
    tokens: fragment.tokenCount,
    figure: relevance(fragment),
    label: labelOf(given.get(fragment.fragmentId), fragment),
    remark: marks.get(fragment.fragmentId) ?? (fragment.pinned ? "pinned" : ""),
  }));
  const strategies = payload.strategiesUsed.map(printable).join(", ");
  const title = `Kept ${count(fragments.length)} of ${count(request.fragments.length)}`;
  return [
    ...titled(title, `by ${strategies}`, terminal),
    ...fragmentRows(rows, { figureHeading: "relevance", limit }, terminal),
  ];
}

/** How much of the start is as it was, where the request has a previous payload to compare with. */
function prefixLines({ stablePrefixTokens, totalTokens }: ContextPayload, { request }: AssemblyView): string[] {
  if (request.previous === undefined) {
    return [];
  }
  return [`Stable prefix ${count(stablePrefixTokens)} of ${countOf(totalTokens, "token")}`];
}

/** The caller's own id; where the caller gave none, the node says more than the id that the server made. */
function labelOf(given: ContextFragment | undefined, kept: ContextFragment): string {
  return given === undefined && kept.ukoNode !== "" ? kept.ukoNode : kept.fragmentId;
}

function relevance({ relevanceScore }: ContextFragment): string {
  return relevanceScore === undefined ? "" : relevanceScore.toFixed(2);
}

function warningLines({ warnings }: ContextPayload, terminal: Terminal): string[] {
  if (warnings.length === 0) {
    return [];
  }
  const lines = warnings.flatMap(({ code, message }) =>
    wrap(printable(`${code}: ${message}`), terminal.width - 4).map((line, i) =>
      i === 0 ? `  ${line}` : `    ${line}`,
    ),
  );
  return ["", paint(terminal, "yellow", "Warnings"), ...lines];
}

function endLines({ tokenizer, countsEstimated, contextHash }: ContextPayload, terminal: Terminal): string[] {
  const counted = countsEstimated ? `some counts estimated by ${printable(tokenizer)}` : "all counts as declared";
  const lines = wrap(`${counted}; context hash ${printable(contextHash.slice(0, 16))}…`, terminal.width);
  return lines.map((line) => paint(terminal, "dim", line));
}
