import { createHash } from "node:crypto";
import { contextHash, encodeHeads } from "./context-hash.js";
import type { Fragment } from "./model/fragment.js";

/** What a client in any language computes from a payload alone. */
export function independentHash(
  fragments: readonly { ukoNode: string; detailDepth?: number | undefined; role: number; content: string }[],
): string {
  const whole = createHash("sha256");
  for (const { ukoNode, detailDepth, role, content } of fragments) {
    const node = Buffer.from(ukoNode, "utf8");
    const length = Buffer.alloc(4);
    length.writeUInt32BE(node.length);
    whole.update(length).update(node);
    whole.update(Buffer.from([detailDepth ?? 0, role]));
    whole.update(createHash("sha256").update(content, "utf8").digest());
  }
  return whole.digest("hex");
}

/** The context hash of all fragments of a list, or of those at so many positions, in that order. */
export function hashOf(fragments: readonly Fragment[], positions = Uint32Array.from(fragments.keys())): string {
  const contents = fragments.map(({ content }) => content);
  return contextHash(contents, encodeHeads(fragments), positions);
}
