import { type CliIo, writeLines } from "../io.js";
import { printable } from "../printable.js";
import { stylePattern, terminalOf } from "./terminal.js";

const styles = new RegExp(`(${stylePattern.source})`);

/**
 * The one door to the standard output for what people read. Whoever fits a text into a line spells out what would steer the terminal, since
 * that takes more columns; this door spells out what was forgotten, and leaves our own styles.
 */
export async function writeForPeople(io: CliIo, lines: readonly string[]): Promise<void> {
  const { colour } = terminalOf(io);
  await writeLines(io.stdout, lines.map(colour ? betweenStyles : printable));
}

function betweenStyles(line: string): string {
  return line
    .split(styles)
    .map((part, i) => (i % 2 === 0 ? printable(part) : part))
    .join("");
}
