import { EXPRESSION_LIMITS } from "./limits.js";
import { SourceFault } from "./source-fault.js";

/** A comment, a raw text, any other text, or a bracket. */
const TOKEN = new RegExp(
  [
    String.raw`//[^\r\n]*`,
    String.raw`[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\r\n]*"|'[^'\r\n]*')`,
    String.raw`"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*'`,
    String.raw`[()[\]{}]`,
  ].join("|"),
  "g",
);

const CLOSING = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

/** Throws a `SourceFault` where brackets stand too deep, or do not close: the parser is slow to find that out, and says it less well. */
export function checkBrackets(source: string): void {
  const open: { bracket: string; offset: number }[] = [];
  for (const { 0: token, index } of source.matchAll(TOKEN)) {
    if (CLOSING.has(token)) {
      open.push({ bracket: token, offset: index });
      if (open.length > EXPRESSION_LIMITS.brackets) {
        throw new SourceFault(`brackets stand more than ${EXPRESSION_LIMITS.brackets} deep`, index);
      }
    } else if (token === ")" || token === "]" || token === "}") {
      const opened = open.pop();
      if (opened === undefined) throw new SourceFault(`${token} closes nothing`, index);
      const closing = CLOSING.get(opened.bracket);
      if (closing !== token) throw new SourceFault(`${token} stands where ${closing} was expected`, index);
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw new SourceFault(`${unclosed.bracket} is never closed`, unclosed.offset);
}
