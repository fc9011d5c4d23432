/** From the tables of the features to the sections of a prompt. */
import type { DataTable } from "@cucumber/cucumber";
import { PromptSection, type TrimPolicy } from "../../gen/acms/v1/prompt.js";

/** The sections of a table with a row for each part: `section`, `file` (its label), `text` and `policy`. */
export function promptSectionsOf(table: DataTable): PromptSection[] {
  const sections = new Map<string, PromptSection>();
  for (const { section: name = "", file: label = "", text = "", policy = "" } of table.hashes()) {
    const section = sections.get(name) ?? PromptSection.fromPartial({ name });
    sections.set(name, section);
    section.parts.push({ label, content: textOf(text) });
    if (policy !== "") section.policy = policyOf(policy);
  }
  return [...sections.values()];
}

/** A text as it stands, or in short: `2000 x "b"` repeats one, and `80 lines of 19 x "b"` are such lines. */
export function textOf(cell: string): string {
  const [, lines, count, text] = /^(?:(\d+) (?:CRLF )?lines of )?(\d+) x "(.*)"$/.exec(cell) ?? [];
  if (text === undefined) return cell;
  const line = text.repeat(Number(count));
  const lineBreak = cell.includes("CRLF") ? "\r\n" : "\n";
  return lines === undefined ? line : Array.from({ length: Number(lines) }, () => line).join(lineBreak);
}

function policyOf(cell: string): TrimPolicy {
  const number = Number(/\d+/.exec(cell)?.[0]);
  if (cell === "keep") return { policy: { $case: "keep", value: {} } };
  if (cell === "drop") return { policy: { $case: "drop", value: {} } };
  if (cell.endsWith("lines")) return { policy: { $case: "headLines", value: { lines: number } } };
  return { policy: { $case: "shorten", value: { floorCharacters: number } } };
}
