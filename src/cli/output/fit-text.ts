import { paint, type Terminal } from "./terminal.js";

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const mark = /\p{M}/u;

/** Columns that a printable text takes on a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    width += columnsOf(character);
  }
  return width;
}

/** A printable text in at most so many columns: the end of a long one, which tells most in a path, outweighs its beginning. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) {
    return text;
  }
  const characters = Array.from(text);
  const head = take(characters, Math.floor((width - 1) / 3));
  const tail = take(characters.reverse(), width - 1 - widthOf(head.join("")));
  return `${head.join("")}…${tail.reverse().join("")}`;
}

/** Breaks a text at its spaces into lines of at most so many columns; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** A title with what stands behind it, broken into lines; the title, which has to fit on one, in a style. */
export function titled(title: string, rest: string, terminal: Terminal): string[] {
  const lines = wrap(`${title}  ${rest}`, terminal.width);
  return lines.map((line, i) => (i === 0 ? line.replace(title, () => paint(terminal, "bold", title)) : line));
}

function take(characters: readonly string[], width: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += columnsOf(character);
    if (used > width) {
      break;
    }
    taken.push(character);
  }
  return taken;
}

function columnsOf(character: string): number {
  if (mark.test(character)) {
    return 0;
  }
  return wide.test(character) ? 2 : 1;
}
