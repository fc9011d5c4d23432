import type { ContextPayload } from "../../../gen/acms/v1/payload.js";
import type { Decision } from "../../../gen/acms/v1/trace.js";
import { Outcome } from "../../core/index.js";
import type { AssemblyView } from "./assembly-text.js";
import { titled, wrap } from "./fit-text.js";
import { type FragmentRow, fragmentRows } from "./fragment-rows.js";
import { count } from "./numbers.js";
import { reasonWords } from "./reasons.js";
import { paint } from "./terminal.js";

/** What was dropped, by reason, and within a reason first what the least further tokens would let in. */
export function droppedLines(payload: ContextPayload, view: AssemblyView): string[] {
  const { request, terminal } = view;
  const dropped = request.fragments.length - payload.fragments.length;
  const title = `Dropped ${count(dropped)}`;
  const decisions = payload.decisions.filter(({ outcome }) => outcome === Outcome.DROPPED);
  if (dropped > 0 && decisions.length === 0) {
    return titled(title, "without a trace; --trace dropped says why", terminal);
  }
  return [paint(terminal, "bold", title), ...byReason(decisions).flatMap((group) => reasonLines(group, view))];
}

/** Groups of one reason, the largest first. */
function byReason(decisions: readonly Decision[]): Decision[][] {
  const groups = new Map<number, Decision[]>();
  for (const decision of decisions) {
    const group = groups.get(decision.reason);
    if (group === undefined) groups.set(decision.reason, [decision]);
    else group.push(decision);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

function reasonLines(group: Decision[], { request, terminal, limit, counted }: AssemblyView): string[] {
  const { name, sentence } = reasonWords(group[0]?.reason ?? 0);
  const rows = group.sort(byNearness).map((decision): FragmentRow => {
    const fragment = request.fragments[decision.inputIndex];
    return {
      tokens: fragment?.tokenCount ?? counted?.get(decision.inputIndex),
      figure: missing(decision),
      label: fragment?.fragmentId || fragment?.ukoNode || decision.fragmentId,
      remark: decision.detail || relation(decision),
    };
  });
  const anyMissing = group.some(({ tokensMissing }) => tokensMissing !== undefined);
  const title = `${name} ${count(group.length)}`;
  const heading = wrap(`${title}  ${sentence}`, terminal.width - 2).map((line) => `  ${line}`);
  return [
    ...heading.map((line, i) => (i === 0 ? line.replace(title, paint(terminal, "yellow", title)) : line)),
    ...fragmentRows(rows, { figureHeading: anyMissing ? "lacks" : "", limit }, terminal),
  ];
}

function byNearness(a: Decision, b: Decision): number {
  return (
    (a.tokensMissing ?? Number.MAX_VALUE) - (b.tokensMissing ?? Number.MAX_VALUE) ||
    (a.rank ?? Number.MAX_VALUE) - (b.rank ?? Number.MAX_VALUE) ||
    a.inputIndex - b.inputIndex
  );
}

/** The tokens that it lacks; an estimate is marked as one. */
function missing({ tokensMissing, tokensMissingExact }: Decision): string {
  return tokensMissing === undefined ? "" : `${tokensMissingExact ? "" : "~"}${count(tokensMissing)}`;
}

function relation({ reason, relatedFragmentId }: Decision): string {
  return relatedFragmentId === "" ? "" : `${reasonWords(reason).relation} ${relatedFragmentId}`;
}
