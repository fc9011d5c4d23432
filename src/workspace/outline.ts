import { type Language, languageOf } from "./languages.js";

const longestLine = 200;
const firstLines = 20;

/**
 * What a file is about, line by line: the headings of Markdown, the top-level declarations of code, else the first lines that are not
 * indented. It reads lines, not syntax, so it is an outline for orientation. Empty where nothing stands out.
 */
export function outline(path: string, text: string): string {
  // Cut first: generated code has lines of megabytes, on which no pattern should have to work.
  const lines = text.split(/\r\n|\n|\r/).map(cut);
  const language = languageOf(path);
  const chosen = language === undefined ? plainLines(lines) : declarations(lines, language);
  return chosen.join("\n");
}

function declarations(lines: readonly string[], language: Language): string[] {
  const chosen: string[] = [];
  let fence: string | undefined;
  for (const line of lines) {
    const mark = language.fence?.exec(line)?.[1];
    if (fence !== undefined) {
      // A fence ends with the mark that opened it, or more of the same.
      fence = mark?.startsWith(fence) ? undefined : fence;
    } else if (mark !== undefined) {
      fence = mark;
    } else if (language.declaration.test(line)) {
      chosen.push(language.ending === undefined ? line.trimEnd() : line.replace(language.ending, "").trimEnd());
    }
  }
  return chosen;
}

function plainLines(lines: readonly string[]): string[] {
  return lines.filter((line) => /^\S/.test(line) && /[\p{L}\p{N}]/u.test(line)).slice(0, firstLines);
}

function cut(line: string): string {
  const characters = Array.from(line.slice(0, 2 * longestLine + 2));
  return characters.length > longestLine ? `${characters.slice(0, longestLine).join("")}…` : line;
}
