import type { ExpressionFault, SourcePosition } from "./contract.js";

/** A fault at an offset of a source, thrown where it is found and turned into a message where the source is known. */
export class SourceFault extends Error {
  /** In UTF-16 units. Absent: the whole source. */
  readonly offset: number | undefined;

  constructor(message: string, offset?: number) {
    super(message);
    this.offset = offset;
  }
}

/** A fault as a caller may read it. */
export function describeFault(source: string, fault: SourceFault): ExpressionFault {
  if (fault.offset === undefined) return { description: fault.message };
  const position = locate(source, fault.offset);
  return { description: `at ${position.line}:${position.column}: ${fault.message}`, position };
}

/** What stands before a token where the parser puts its position. */
const LEADING = /(?:\s|\.(?=\s*[A-Za-z_]))*/y;

/** The line and column of the first thing at an offset that is not blank and not the dot before a name. */
function locate(source: string, offset: number): SourcePosition {
  LEADING.lastIndex = offset;
  LEADING.test(source);
  const before = source.slice(0, Math.max(offset, LEADING.lastIndex)).split(/\r\n|\r|\n/);
  return { line: before.length, column: [...before.at(-1)!].length + 1 };
}
