import type { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import { Outcome, Reason, STAGES } from "../../core/index.js";
import type { Explanation } from "../explain/explanation.js";
import { printable } from "../printable.js";
import { fieldLines } from "./field-lines.js";
import { shorten, wrap } from "./fit-text.js";
import { identityFields } from "./identity-fields.js";
import { nameAt } from "./name-at.js";
import { countOf } from "./numbers.js";
import { reasonWords } from "./reasons.js";
import { paint, type Terminal } from "./terminal.js";

/** What text about one fragment is made of. */
export interface ExplanationView {
  readonly request: AssembleRequest;
  readonly explanation: Explanation;
  readonly terminal: Terminal;
}

/** The story of one fragment for people, by lines: what became of it and why, who it is, how it was judged, what would change that. */
export function explanationText(view: ExplanationView): string[] {
  const { terminal } = view;
  return [
    ...verdictLines(view),
    "",
    paint(terminal, "bold", "Who it is"),
    ...fieldLines(identityFields(view), terminal),
    "",
    paint(terminal, "bold", "How it was judged"),
    ...fieldLines(judgementFields(view), terminal),
    ...changeLines(view),
  ];
}

function verdictLines({ request, explanation, terminal }: ExplanationView): string[] {
  const { position, decision } = explanation;
  const words = reasonWords(decision.reason);
  const isKept = decision.outcome === Outcome.SELECTED;
  const verdict = `${isKept ? "kept" : "dropped"}: ${words.name}`;
  const name = shorten(printable(nameAt(request, position)), terminal.width - verdict.length - 2);
  const sentences = [words.sentence, missingSentence(explanation), printable(decision.detail)];
  return [
    `${paint(terminal, "bold", name)}  ${paint(terminal, isKept ? "green" : "yellow", verdict)}`,
    ...indented(sentences.filter((sentence) => sentence !== "").join(" "), terminal),
  ];
}

function missingSentence({ decision: { tokensMissing, tokensMissingExact } }: Explanation): string {
  if (tokensMissing === undefined) return "";
  const tokens = countOf(tokensMissing, "token");
  return tokensMissingExact ? `It lacks exactly ${tokens}.` : `It lacks about ${tokens}, which is an estimate.`;
}

function judgementFields(view: ExplanationView): [string, string][] {
  const { decision, payload, ranks } = view.explanation;
  const role = STAGES[decision.stage - 1];
  const component = payload.timings.find(({ stage }) => stage === decision.stage)?.component;
  const place = payload.fragments.findIndex(({ fragmentId }) => fragmentId === decision.fragmentId);
  return [
    ["decided by", `${role?.replaceAll("_", " ") ?? `stage ${decision.stage}`}${component ? ` (${component})` : ""}`],
    ...relatedField(view),
    ...ranks.map(({ strategy, rank }): [string, string] => [
      "nominated",
      rank === undefined ? `not by ${strategy}` : `by ${strategy}, as number ${rank + 1} of its order`,
    ]),
    ...scoreFields(view),
    ...(place < 0 ? [] : [["place", `${place + 1} of ${payload.fragments.length} in the payload`] as [string, string]]),
  ];
}

function relatedField({ request, explanation: { decision, payload } }: ExplanationView): [string, string][] {
  const { relatedFragmentId, reason } = decision;
  if (relatedFragmentId === "") return [];
  const related = payload.decisions.find(({ fragmentId }) => fragmentId === relatedFragmentId);
  const name = related === undefined ? relatedFragmentId : nameAt(request, related.inputIndex);
  return [["related", `${reasonWords(reason).relation} ${name}`]];
}

function scoreFields({ explanation: { decision } }: ExplanationView): [string, string][] {
  const { score, components, originalRelevance } = decision;
  if (score === undefined) return [];
  const parts = Object.entries(components ?? {}).map(([part, value]) => `${part} ${Number(value).toFixed(3)}`);
  const before = originalRelevance === undefined ? [] : [`relevance before ${originalRelevance.toFixed(3)}`];
  return [
    ["score", score.toFixed(3)],
    ...(parts.length === 0 ? [] : [["made of", [...parts, ...before].join(", ")] as [string, string]]),
  ];
}

function changeLines(view: ExplanationView): string[] {
  const { explanation, terminal } = view;
  const { decision, remedies, unpinned } = explanation;
  if (unpinned !== undefined) {
    const outcome = unpinned.outcome === Outcome.SELECTED ? "still be kept" : "be dropped";
    return section("Without its pin", [`It would ${outcome}: ${reasonWords(unpinned.reason).name}.`], terminal);
  }
  if (decision.outcome === Outcome.SELECTED) return [];
  const lines = remedies.length === 0 ? ["Nothing that was tried lets it in."] : remedies.map((words) => `${words}.`);
  return section("What lets it in, as was tried", [...lines, ...pointer(view)], terminal);
}

/** Whoever is dropped for another has that one's story to read. */
function pointer(view: ExplanationView): string[] {
  const { reason } = view.explanation.decision;
  const related = relatedField(view)[0]?.[1];
  if (related === undefined || (reason !== Reason.PARTNER_MISSING && reason !== Reason.REQUIREMENT_MISSING)) return [];
  const name = related.slice(reasonWords(reason).relation.length + 1);
  return [`--explain ${printable(name)} has the story of the one that is missing.`];
}

function section(title: string, lines: readonly string[], terminal: Terminal): string[] {
  return ["", paint(terminal, "bold", title), ...lines.flatMap((line) => indented(line, terminal))];
}

function indented(text: string, terminal: Terminal): string[] {
  return wrap(text, terminal.width - 2).map((line) => `  ${shorten(line, terminal.width - 2)}`);
}
