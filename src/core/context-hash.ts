import { hash } from "node:crypto";
import type { Fragment } from "./model/fragment.js";

/** SHA-256 as 32 characters, one for each byte: the form in which it is cheapest to put into a larger text of bytes. */
const byteText = "latin1" as "hex";

const ASCII = /^[\0-\x7f]*$/;

/**
 * The hash of a payload: SHA-256, lower-case hexadecimal, over the fragments in order, each contributing the length of its node in UTF-8
 * bytes (32 bits, big endian), the node, the depth (one byte), the role's number (one byte), and the SHA-256 of its content's UTF-8
 * bytes. One digest for each content and one for all is several times faster than a hash object that is fed piece by piece.
 */
export function contextHash(fragments: readonly Fragment[]): string {
  const pieces: string[] = [];
  for (const { ukoNode, detailDepth, role, content } of fragments) {
    const node = ASCII.test(ukoNode) ? ukoNode : Buffer.from(ukoNode, "utf8").toString("latin1");
    pieces.push(
      lengthBytes(node.length),
      node,
      String.fromCharCode(detailDepth, role),
      hash("sha256", content, byteText),
    );
  }
  return hash("sha256", Buffer.from(pieces.join(""), "latin1"), "hex");
}

/** SHA-256 of a content's UTF-8 bytes, lower-case hexadecimal. */
export function contentHash(content: string): string {
  return hash("sha256", content, "hex");
}

function lengthBytes(length: number): string {
  return String.fromCharCode(length >>> 24, (length >>> 16) & 0xff, (length >>> 8) & 0xff, length & 0xff);
}
