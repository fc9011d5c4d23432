import { Reason } from "../../model/payload.js";
import { compareUtf8 } from "../../model/text.js";
import type { PreambleGenerator, PreambleInput } from "../../stages.js";

/** Says which strategies chose, how many fragments each resource gave, and what was left out. Equal payloads have equal preambles. */
export const provenancePreamble: PreambleGenerator = {
  generate: (input) => [chosenLine(input), ...sourceLines(input), ...droppedLines(input)].join("\n"),
};

function chosenLine({ selected, strategiesUsed }: PreambleInput): string {
  const chosen = strategiesUsed.length === 0 ? "" : ` chosen by ${strategiesUsed.join(", ")}`;
  return `Context: ${countOf(selected.length, "fragment")}${chosen}.`;
}

function sourceLines({ selected }: PreambleInput): string[] {
  const counts = new Map<string, number>();
  for (const { provenance } of selected)
    counts.set(provenance.resourceUri, (counts.get(provenance.resourceUri) ?? 0) + 1);
  if (counts.size === 0) return [];
  const sources = [...counts]
    .sort(([a, m], [b, n]) => n - m || compareUtf8(a, b))
    .map(([uri, count]) => `${uri} (${count})`);
  return [`Sources: ${sources.join(", ")}.`];
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
