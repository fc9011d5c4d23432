import { compareUtf8 } from "../model/text.js";

/** A text in pieces: digit runs, without zeros before them, and what stands between them. */
export type NaturalKey = readonly Piece[];

interface Piece {
  readonly text: string;
  readonly isNumber: boolean;
}

const PIECES = /[0-9]+|[^0-9]+/g;
const LEADING_ZEROS = /^0+(?=[0-9])/;

/** Takes a text apart, so that `compareNatural` need not do it at every comparison. */
export function naturalKey(text: string): NaturalKey {
  return (text.match(PIECES) ?? []).map((piece) => {
    const first = piece.charCodeAt(0);
    const isNumber = first >= ZERO && first <= NINE;
    return { text: isNumber ? piece.replace(LEADING_ZEROS, "") : piece, isNumber };
  });
}

const ZERO = 0x30;
const NINE = 0x39;

/**
 * Orders texts as a person does: digit runs by the numbers that they write, however long, everything else by UTF-8 bytes; L9 stands before
 * L10. The start of another text stands before it. Numbers that differ in zeros before them are equal.
 */
export function compareNatural(a: NaturalKey, b: NaturalKey): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const order = comparePieces(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function comparePieces(a: Piece, b: Piece): number {
  if (a.isNumber && b.isNumber && a.text.length !== b.text.length) return a.text.length - b.text.length;
  return compareUtf8(a.text, b.text);
}
