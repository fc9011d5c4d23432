/**
 * How the journal tells a write that was cut short from damage. Every write is one frame:
 *
 *     length of the body (4) | checksum of place and length (8) | body | checksum of place and body (8) | end mark (1)
 *
 * A frame is only written once the one before is on the disk, so only the last one can be incomplete, and nobody was told that it is
 * there: it may be cut off. A write that is cut short leaves a beginning, or a beginning and zeros where the system had made room but
 * not yet written; the end mark is not zero, so both show as a frame that ends too early. Whatever is complete and yet not what its
 * checksums say was changed later, the last frame too, and holds what somebody was promised: that is damage. The place in the checksums
 * finds frames that were moved, lost or doubled.
 */
import { hash } from "node:crypto";

/** How a journal begins. */
export const MAGIC = Buffer.from("acms registrations 1\n");

const CHECKSUM_BYTES = 8;
const HEADER_BYTES = 4 + CHECKSUM_BYTES;
const END_MARK = Buffer.from("\n");

/** The frame of a body that stands at a place in the file. */
export function encodeFrame(at: number, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, checksum(at, length), body, checksum(at, body), END_MARK]);
}

/** What a journal holds. */
export interface Frames {
  readonly bodies: Buffer[];
  /** Where its last complete frame ends. What follows is a write that was cut short. */
  readonly end: number;
  /** Where it is damaged, and how; what follows could not be read. Absent: it is not. */
  readonly damage?: { readonly at: number; readonly what: string };
}

/** Reads the frames of a journal, up to where it ends, is cut short or damaged. */
export function readFrames(file: Buffer): Frames {
  const bodies: Buffer[] = [];
  let end = MAGIC.length;
  const damaged = (at: number, what: string): Frames => ({ bodies, end, damage: { at, what } });
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) return damaged(0, "it does not begin as such a file does");
  const written = writtenLength(file);
  while (written - end >= HEADER_BYTES) {
    const length = file.subarray(end, end + 4);
    const bodyAt = end + HEADER_BYTES;
    if (!file.subarray(end + 4, bodyAt).equals(checksum(end, length))) {
      return damaged(end, "the checksum of a length is wrong");
    }
    const bodyEnd = bodyAt + length.readUInt32LE();
    const next = bodyEnd + CHECKSUM_BYTES + END_MARK.length;
    if (next > written) break;
    const body = file.subarray(bodyAt, bodyEnd);
    if (!file.subarray(bodyEnd, next).equals(Buffer.concat([checksum(end, body), END_MARK]))) {
      return damaged(end, `the checksum of ${body.length} bytes is wrong`);
    }
    bodies.push(body);
    end = next;
  }
  return { bodies, end };
}

/** The length without zeros at the end. */
function writtenLength(file: Buffer): number {
  let length = file.length;
  while (length > 0 && file[length - 1] === 0) length--;
  return length;
}

function checksum(at: number, bytes: Buffer): Buffer {
  const place = Buffer.alloc(8);
  place.writeBigUInt64LE(BigInt(at));
  return hash("sha256", Buffer.concat([place, bytes]), "buffer").subarray(0, CHECKSUM_BYTES);
}
