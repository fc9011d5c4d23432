import type { Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import type { CliIo } from "../io.js";

/** What text for people is fitted to. */
export interface Terminal {
  /** Columns of a line. */
  readonly width: number;
  readonly colour: boolean;
}

/** The width of text that goes elsewhere than to a terminal, and the least that a terminal is taken for. */
const usualWidth = 80;
const leastWidth = 40;

/** Whether a person reads what is written. */
export function isTerminal(out: Writable): boolean {
  return (out as Partial<WriteStream>).isTTY === true;
}

/** What text for the standard output is fitted to: colour on a terminal alone, and not where the variable NO_COLOR forbids it. */
export function terminalOf(io: Pick<CliIo, "stdout" | "env">): Terminal {
  const { columns } = io.stdout as Partial<WriteStream>;
  const onTerminal = isTerminal(io.stdout);
  return {
    width: Math.max(leastWidth, (onTerminal && columns) || usualWidth),
    colour: onTerminal && (io.env.NO_COLOR ?? "") === "",
  };
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;
export type Style = keyof typeof codes;

/** What `paint` puts before and after a text. */
export const stylePattern = new RegExp(`\\u001b\\[(?:0|${Object.values(codes).join("|")})m`);

/** A text in a style, where the terminal has colours. */
export function paint({ colour }: Terminal, style: Style, text: string): string {
  return colour && text !== "" ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;
}
