// For tests: the story of one fragment, told by the service in this process.
import { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import { openInProcess } from "../door/in-process.js";
import { explain } from "../explain/explanation.js";
import { explanationText } from "./explanation-text.js";

/** A request of which a test gives what it cares for. */
export type Request = Parameters<typeof AssembleRequest.fromPartial>[0];

const door = openInProcess();

/** The story of a fragment, as data and as lines. */
export async function story(request: Request, wanted: string, { width = 80, colour = false, through = door } = {}) {
  const whole = AssembleRequest.fromPartial({ asOf: { seconds: 1_000, nanos: 0 }, ...request });
  const explanation = await explain(through, whole, wanted);
  return { explanation, lines: explanationText({ request: whole, explanation, terminal: { width, colour } }) };
}

/** A fragment with a node of its own and its id for content. */
export function fragment(fragmentId: string, tokenCount: number, relevanceScore: number, more: object = {}) {
  return {
    fragmentId,
    ukoNode: `project://app/${fragmentId}`,
    content: fragmentId,
    tokenCount,
    relevanceScore,
    ...more,
  };
}

/** Created at so many seconds. */
export const at = (seconds: number) => ({ createdAt: { seconds, nanos: 0 } });
/** A budget without reserve. */
export const budget = (maxTokens: number) => ({ maxTokens, reservedTokens: 0, sections: [] });
/** A strategy that nominates everything but x. */
export const filter = {
  name: "own",
  config: { $case: "expression" as const, value: { where: "fragment.fragment_id != 'x'", score: "" } },
};
/** A strategy with a window of so many messages. */
export const window = (windowSize: number) => {
  return { name: "sliding_window", config: { $case: "slidingWindow" as const, value: { windowSize, windowMode: 0 } } };
};
