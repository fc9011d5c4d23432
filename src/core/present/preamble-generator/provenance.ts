import { Reason } from "../../model/payload.js";
import type { PreambleGenerator, PreambleInput } from "../../stages.js";

/** Says which strategies chose, how many fragments each resource gave, and what was left out. Equal payloads have equal preambles. */
export const provenancePreamble: PreambleGenerator = {
  generate: (input) => [chosenLine(input), ...sourceLines(input), ...droppedLines(input)].join("\n"),
};

function chosenLine({ selected, strategiesUsed }: PreambleInput): string {
  const chosen = strategiesUsed.length === 0 ? "" : ` chosen by ${strategiesUsed.join(", ")}`;
  return `Context: ${countOf(selected.length, "fragment")}${chosen}.`;
}

/** So many sources are named, those that gave most; a preamble is short, and so is the patience of who reads it. */
const NAMED_SOURCES = 8;

function sourceLines({ selected }: PreambleInput): string[] {
  const counts = new Map<string, number>();
  for (const { provenance } of selected) {
    counts.set(provenance.resourceUri, (counts.get(provenance.resourceUri) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const named = largestSources(counts).map(([uri, count]) => `${uri} (${count})`);
  const others = counts.size - named.length;
  return [`Sources: ${named.join(", ")}${others > 0 ? ` and ${others} more` : ""}.`];
}

/** The sources with most fragments, of equals those that are read first; one pass, for there may be as many sources as fragments. */
function largestSources(counts: ReadonlyMap<string, number>): [uri: string, count: number][] {
  const largest: [uri: string, count: number][] = [];
  for (const source of counts) {
    if (largest.length === NAMED_SOURCES && source[1] <= largest.at(-1)![1]) continue;
    largest.push(source);
    largest.sort(([, a], [, b]) => b - a);
    if (largest.length > NAMED_SOURCES) largest.pop();
  }
  return largest;
}

function droppedLines({ dropped }: PreambleInput): string[] {
  const total = [...dropped.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return [];
  const reasons = [...dropped].sort(([a], [b]) => a - b).map(([reason, count]) => `${nameOf(reason)} ${count}`);
  return [`Left out: ${countOf(total, "fragment")} (${reasons.join(", ")}).`];
}

function nameOf(reason: Reason): string {
  const [name = ""] = Object.entries(Reason).find(([, number]) => number === reason) ?? [];
  return name.toLowerCase().replaceAll("_", " ");
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
