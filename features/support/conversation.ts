/** Conversations that grow by a message a turn, each turn with the payload of the turn before. */
import { createHash } from "node:crypto";
import type { PreviousPayload } from "../../gen/acms/v1/assembly_service.js";
import { ContextFragment, Role } from "../../gen/acms/v1/fragment.js";
import type { StrategySpec } from "../../gen/acms/v1/strategy.js";
import type { AcmsWorld } from "./world.js";

/** What a client sends back of a payload: ids and digests of the contents, in its order. */
export function previousOf(fragments: readonly { fragmentId: string; content: string }[]): PreviousPayload {
  return {
    fragments: fragments.map(({ fragmentId, content }) => ({
      fragmentId,
      contentHash: createHash("sha256").update(content, "utf8").digest("hex"),
    })),
  };
}

/** Fills the request with the first messages of a conversation. */
export function beginConversation({ request }: AcmsWorld, count: number, tokenCount: number): void {
  request.fragments = Array.from({ length: count }, (_, i) => messageAt(i, tokenCount));
}

/** Assembles once, and then once for each further turn. */
export async function converse(
  world: AcmsWorld,
  turns: number,
  ...strategies: readonly (string | StrategySpec)[]
): Promise<void> {
  await world.assembleBy(...strategies);
  const { fragments } = world.request;
  for (let turn = 0; turn < turns; turn++) {
    fragments.push(messageAt(fragments.length, fragments[0]?.tokenCount ?? 0));
    world.request.previous = previousOf(world.payload.fragments);
    await world.assembleBy(...strategies);
  }
}

function messageAt(i: number, tokenCount: number): ContextFragment {
  return ContextFragment.fromPartial({
    fragmentId: `message-${i + 1}`,
    ukoNode: "chat://room",
    content: `message ${i + 1}`,
    tokenCount,
    role: Role.ROLE_USER,
    createdAt: { seconds: 1_750_000_000 + 60 * i, nanos: 0 },
  });
}
