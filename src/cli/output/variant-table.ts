import type { VariantResult, VariantSummary } from "../../../gen/acms/v1/comparison.js";
import { printable } from "../printable.js";
import { shareCells } from "./budget-bar.js";
import { shorten, widthOf } from "./fit-text.js";
import { count } from "./numbers.js";
import { paint, type Terminal } from "./terminal.js";
import { signOf } from "./variant-sign.js";

const headings = ["tokens", "relevance", "kept", "alone", "ms"] as const;
const gap = 2;
const signWidth = 3;
const widestBar = 40;
/** A shorter bar tells nothing. */
const shortestBar = 6;
const shortestLabel = 6;

/** A row for each variant: its sign and label, its tokens as a bar, and its figures. */
export function variantTable(results: readonly VariantResult[], availableTokens: number, terminal: Terminal): string[] {
  const figures = results.map(figuresOf);
  const widths = headings.map((heading, column) => {
    return Math.max(heading.length, ...figures.map((row) => row?.[column]?.length ?? 0)) + gap;
  });
  const labels = results.map(({ label }) => printable(label));
  // On a narrow terminal the last figures give way to the names.
  while (widths.length > 1 && sum(widths) + signWidth + shortestLabel > terminal.width) widths.pop();
  const room = terminal.width - signWidth - sum(widths);
  const widest = Math.max(...labels.map(widthOf));
  const labelWidth = Math.min(widest, Math.max(shortestLabel, room - gap - shortestBar));
  const barWidth = Math.min(widestBar, room - labelWidth - gap);
  const hasBar = barWidth >= shortestBar;
  const columns = (row: readonly string[]): string => widths.map((width, i) => (row[i] ?? "").padStart(width)).join("");
  const rows = results.map(({ outcome }, position) => {
    const label = shorten(labels[position] ?? "", labelWidth);
    const head = `${paint(terminal, "bold", signOf(position))}  ${label}${" ".repeat(labelWidth - widthOf(label))}`;
    const row = figures[position];
    if (outcome?.$case !== "summary" || row === undefined) return `${head}  ${paint(terminal, "red", "failed")}`;
    const bar = hasBar ? `  ${barOf(outcome.value, availableTokens, { barWidth, terminal })}` : "";
    return `${head}${bar}${columns(row)}`;
  });
  const start = signWidth + labelWidth + (hasBar ? gap + barWidth : 0);
  return [paint(terminal, "dim", `${" ".repeat(start)}${columns(headings)}`), ...rows];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

function figuresOf({ outcome, elapsed }: VariantResult): string[] | undefined {
  if (outcome?.$case !== "summary") return undefined;
  const { totalTokens, relevanceSum, selectedCount, onlyHere } = outcome.value;
  return [
    count(totalTokens),
    relevanceSum.toFixed(2),
    count(selectedCount),
    count(onlyHere.length),
    milliseconds(elapsed ?? { seconds: 0, nanos: 0 }),
  ];
}

function milliseconds({ seconds, nanos }: { seconds: number; nanos: number }): string {
  const ms = seconds * 1_000 + nanos / 1e6;
  return ms < 1 ? "<1" : count(ms);
}

/** What was kept, what stands beside it, and what is free. */
function barOf(
  { totalTokens, preambleTokens, skeletonTokens }: VariantSummary,
  availableTokens: number,
  { barWidth, terminal }: { barWidth: number; terminal: Terminal },
): string {
  const beside = preambleTokens + skeletonTokens;
  const parts = [
    { sign: "█", style: "green", tokens: totalTokens },
    { sign: "▒", style: "blue", tokens: beside },
    { sign: "·", style: "dim", tokens: Math.max(0, availableTokens - totalTokens - beside) },
  ] as const;
  const shown = parts.filter(({ tokens }) => tokens > 0);
  const cells = shareCells(
    shown.map(({ tokens }) => tokens),
    barWidth,
  );
  return shown.map(({ sign, style }, i) => paint(terminal, style, sign.repeat(cells[i] ?? 0))).join("");
}
