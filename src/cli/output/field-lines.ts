import { printable } from "../printable.js";
import { shorten, wrap } from "./fit-text.js";
import { paint, type Terminal } from "./terminal.js";

const nameWidth = 11;

/** Names with their values, a row or more for each; the lines of a long value stand below one another. */
export function fieldLines(fields: readonly (readonly [name: string, value: string])[], terminal: Terminal): string[] {
  const room = terminal.width - nameWidth - 4;
  return fields.flatMap(([name, value]) =>
    wrap(printable(value), room).map((line, i) => {
      const head = i === 0 ? paint(terminal, "dim", name.padEnd(nameWidth)) : " ".repeat(nameWidth);
      return `  ${head}  ${shorten(line, room)}`;
    }),
  );
}
