import type { ContextPayload } from "../../../gen/acms/v1/payload.js";
import { count } from "./numbers.js";
import { paint, type Style, type Terminal } from "./terminal.js";

/** A part of the budget as it is drawn. Each has a sign of its own, so that it is told apart without colour. */
interface Part {
  readonly name: string;
  readonly sign: string;
  readonly style: Style;
  readonly tokens: number;
}

const widestBar = 100;
const gap = "   ";

/** Two lines or more: the budget as a bar, and what its signs stand for. */
export function budgetBar(payload: ContextPayload, terminal: Terminal): string[] {
  const parts = partsOf(payload).filter(({ tokens }) => tokens > 0);
  const cells = shareCells(
    parts.map(({ tokens }) => tokens),
    Math.min(widestBar, terminal.width),
  );
  const bar = parts.map(({ sign, style }, i) => paint(terminal, style, sign.repeat(cells[i] ?? 0))).join("");
  return [bar, ...legend(parts, terminal)];
}

/** What the signs stand for, on as many lines as it takes. */
function legend(parts: readonly Part[], terminal: Terminal): string[] {
  const lines: string[] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const { name, sign, style, tokens } of parts) {
    const words = ` ${name} ${count(tokens)}`;
    const entry = paint(terminal, style, sign) + words;
    const width = 1 + words.length;
    if (used + gap.length + width > terminal.width) {
      lines.push(entry);
      used = width;
    } else {
      lines.push(`${lines.pop()}${gap}${entry}`);
      used += gap.length + width;
    }
  }
  return lines;
}

function partsOf(payload: ContextPayload): Part[] {
  const { totalTokens, preambleTokens, skeletonTokens, availableTokens } = payload;
  const taken = totalTokens + preambleTokens + skeletonTokens;
  return [
    { name: "kept", sign: "█", style: "green", tokens: totalTokens },
    { name: "preamble", sign: "▓", style: "cyan", tokens: preambleTokens },
    { name: "outline of the parents", sign: "▒", style: "blue", tokens: skeletonTokens },
    // An outline may exceed what is available, which a warning says; the bar has no room for less than nothing.
    { name: "free", sign: "·", style: "dim", tokens: Math.max(0, availableTokens - taken) },
    { name: "reserved", sign: "░", style: "yellow", tokens: payload.budget?.reservedTokens ?? 0 },
  ];
}

/**
 * Cells in proportion to amounts above 0, all cells used, and none for no amount: a part that is too small to see would be taken for
 * absent. So each has one cell, and the rest goes by largest remainder.
 */
export function shareCells(amounts: readonly number[], cells: number): number[] {
  const sum = amounts.reduce((a, b) => a + b, 0);
  const exact = amounts.map((amount) => (amount * cells) / sum);
  const shares = exact.map((share) => Math.max(1, Math.floor(share)));
  const excess = (i: number): number => (exact[i] ?? 0) - (shares[i] ?? 0);
  const byRemainder = amounts.map((_, i) => i).sort((a, b) => excess(b) - excess(a));
  let left = cells - shares.reduce((a, b) => a + b, 0);
  for (const i of byRemainder.slice(0, Math.max(0, left))) {
    shares[i] = (shares[i] ?? 0) + 1;
  }
  for (; left < 0; left++) {
    const largest = shares.indexOf(Math.max(...shares));
    shares[largest] = (shares[largest] ?? 0) - 1;
  }
  return shares;
}
