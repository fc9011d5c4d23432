/**
 * The hash of a payload: SHA-256, lower-case hexadecimal, over its fragments in order, each contributing the length of its node in UTF-8
 * bytes (32 bits, big endian), the node, the depth (one byte), the role's number (one byte), and the SHA-256 of its content's UTF-8
 * bytes.
 *
 * One-shot digests of the contents are faster than hash objects fed piece by piece. What comes before the
 * content's digest is encoded early, and contents are digested in input order, in which they lie in memory: past some thousand fragments
 * the waiting for memory is what hashing costs.
 */
import { createHash, hash } from "node:crypto";
import type { Fragment } from "./model/fragment.js";

/** Node length, depth and role. */
const FIXED_BYTES = 4 + 1 + 1;
/** The most UTF-8 bytes that one UTF-16 unit becomes. */
const BYTES_OF_UNIT = 3;

/**
 * What fragments add to the hash before their contents' digests, in their order. Bytes stand as texts of one character a byte, here and
 * below: to join such texts is the cheapest way to bring many small pieces of bytes together.
 */
export function encodeHeads(fragments: readonly Fragment[]): string[] {
  let bytes = Buffer.allocUnsafe(1_024);
  const heads = new Array<string>(fragments.length);
  for (let i = 0; i < fragments.length; i++) {
    const { ukoNode, detailDepth, role } = fragments[i]!;
    const most = FIXED_BYTES + ukoNode.length * BYTES_OF_UNIT;
    if (most > bytes.length) bytes = Buffer.allocUnsafe(most);
    const nodeBytes = bytes.write(ukoNode, 4, "utf8");
    bytes.writeUInt32BE(nodeBytes, 0);
    bytes[4 + nodeBytes] = detailDepth;
    bytes[5 + nodeBytes] = role;
    heads[i] = bytes.toString("latin1", 0, FIXED_BYTES + nodeBytes);
  }
  return heads;
}

/** Pieces that are joined before they are hashed: a call of the hasher costs more than a small piece does. */
const PIECES_AT_ONCE = 128;

/** The hash of the fragments at so many positions, in the order of the positions; none may stand twice. */
export function contextHash(contents: readonly string[], heads: readonly string[], positions: Uint32Array): string {
  const pieces = piecesByRank(contents, heads, positions);
  const whole = createHash("sha256");
  for (let start = 0; start < pieces.length; start += PIECES_AT_ONCE) {
    whole.update(pieces.slice(start, start + PIECES_AT_ONCE).join(""), "latin1");
  }
  return whole.digest("hex");
}

/** What the fragments at so many positions add to the hash, two pieces each, in their order; the digests are made in input order. */
function piecesByRank(contents: readonly string[], heads: readonly string[], positions: Uint32Array): string[] {
  const ranks = new Int32Array(contents.length).fill(-1);
  for (let rank = 0; rank < positions.length; rank++) ranks[positions[rank]!] = rank;
  const pieces = new Array<string>(2 * positions.length);
  for (let i = 0; i < ranks.length; i++) {
    const rank = ranks[i]!;
    if (rank < 0) continue;
    pieces[2 * rank] = heads[i]!;
    pieces[2 * rank + 1] = hash("sha256", contents[i]!, "binary");
  }
  return pieces;
}

/** SHA-256 of a content's UTF-8 bytes, lower-case hexadecimal. */
export function contentHash(content: string): string {
  return hash("sha256", content, "hex");
}
