import { AssembleRequest, ContentMode } from "../../../gen/acms/v1/assembly_service.js";
import type { ContextPayload } from "../../../gen/acms/v1/payload.js";
import { Outcome } from "../../core/index.js";
import { type Door, RefusedError } from "../door/door.js";

/** More tokens than fragments have. */
const BOUNDLESS = 2_147_483_647;

/**
 * The tokens of dropped fragments of which the caller declared none, by position. An answer has the counts of what was selected alone, so that
 * one further assembly, with room for all of them, tells the others. What it does not tell either is not in the map.
 */
export async function countDropped(
  door: Pick<Door, "assemble">,
  request: AssembleRequest,
  payload: ContextPayload | undefined,
): Promise<ReadonlyMap<number, number>> {
  const positions = (payload?.decisions ?? [])
    .filter(({ outcome, inputIndex }) => outcome === Outcome.DROPPED && isUncounted(request, inputIndex))
    .map(({ inputIndex }) => inputIndex);
  if (positions.length === 0) return new Map();
  const alone = AssembleRequest.fromPartial({
    fragments: positions.map((position) => {
      const { ukoNode = "", content = "" } = request.fragments[position] ?? {};
      return { fragmentId: String(position), ukoNode, content };
    }),
    budget: { maxTokens: BOUNDLESS },
    strategies: [{ name: "builtin:relevance" }],
    tokenizer: request.tokenizer,
    contentMode: ContentMode.CONTENT_MODE_IDS_ONLY,
  });
  try {
    const { fragments = [] } = (await door.assemble(alone)).payload ?? {};
    return new Map(
      fragments.flatMap(({ fragmentId, tokenCount }) =>
        tokenCount === undefined ? [] : [[Number(fragmentId), tokenCount] as const],
      ),
    );
  } catch (error) {
    // The answer that was asked for is there; without this it lacks some figures.
    if (error instanceof RefusedError) return new Map();
    throw error;
  }
}

function isUncounted({ fragments }: AssembleRequest, position: number): boolean {
  return fragments[position] !== undefined && fragments[position].tokenCount === undefined;
}
