import type { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import { PipelineOptions, PipelineSpec } from "../../../gen/acms/v1/component.js";
import type { StrategySpec } from "../../../gen/acms/v1/strategy.js";
import type { Decision } from "../../../gen/acms/v1/trace.js";
import { Outcome, Reason, STAGES } from "../../core/index.js";
import { count } from "../output/numbers.js";

/** A change of the request that may let a dropped fragment in; whether it does is for a run to say. */
export interface Remedy {
  /** The change in words, as an instruction. */
  readonly words: string;
  readonly request: AssembleRequest;
}

/** What is known of the dropped fragment. */
export interface DroppedFragment {
  readonly position: number;
  readonly decision: Decision;
  /** Its price. */
  readonly tokens: number;
  readonly relevance: number;
}

const mostTokens = 2_147_483_647;

/** The changes worth a try for a dropped fragment: those for its reason, the smallest first, and at last a pin, which goes before most reasons. */
export function remediesFor(request: AssembleRequest, dropped: DroppedFragment): Remedy[] {
  if (dropped.decision.outcome !== Outcome.DROPPED) return [];
  return [...byReason(request, dropped), pin(request, dropped.position)];
}

function byReason(request: AssembleRequest, dropped: DroppedFragment): Remedy[] {
  const { decision, tokens, relevance } = dropped;
  switch (decision.reason) {
    case Reason.OVER_BUDGET:
      return [...raiseBudget(request, decision), ...liftCaps(request), ...unpinOthers(request, dropped.position)];
    case Reason.NOT_NOMINATED:
      return addRelevance(request);
    case Reason.OUTSIDE_WINDOW:
      return widenWindow(request);
    case Reason.DUPLICATE:
    case Reason.TOO_SIMILAR:
      return [keepCopies(request)];
    case Reason.OTHER_VARIANT:
      return [ownKey(request, dropped.position)];
    case Reason.BELOW_MINIMUM_TOKENS:
      return [withOptions(request, { minFragmentTokens: tokens }, `Set min_fragment_tokens to ${count(tokens)}`)];
    case Reason.BELOW_MINIMUM_VALUE:
      return lowerMinima(request, relevance);
    case Reason.SECTION_CAP:
      return liftCaps(request);
    case Reason.REJECTED_BY_COMPONENT:
      return decision.stage === STAGES.indexOf("deduplicator") + 1 ? [keepCopies(request)] : [];
    default:
      return [];
  }
}

function raiseBudget(request: AssembleRequest, { tokensMissing }: Decision): Remedy[] {
  const { budget } = request;
  if (tokensMissing === undefined || budget === undefined) return [];
  const maxTokens = budget.maxTokens + tokensMissing;
  if (maxTokens > mostTokens) return [];
  const words = `Raise max_tokens by ${count(tokensMissing)}, to ${count(maxTokens)}`;
  return [{ words, request: { ...request, budget: { ...budget, maxTokens } } }];
}

function unpinOthers(request: AssembleRequest, position: number): Remedy[] {
  const others = request.fragments.filter(({ pinned }, i) => pinned && i !== position).length;
  if (others === 0) return [];
  const fragments = request.fragments.map((fragment, i) =>
    i === position ? fragment : { ...fragment, pinned: false },
  );
  return [
    {
      words: others === 1 ? "Unpin the other pin" : `Unpin the ${count(others)} other pins`,
      request: { ...request, fragments },
    },
  ];
}

function pin(request: AssembleRequest, position: number): Remedy {
  return { words: "Pin it", request: withFragment(request, position, { pinned: true }) };
}

function addRelevance(request: AssembleRequest): Remedy[] {
  const name = "builtin:relevance";
  if (request.strategies.some((strategy) => strategy.name === name)) return [];
  const strategies = [...request.strategies, { name, confidence: undefined, config: undefined }];
  return [{ words: `Add the strategy ${name}`, request: { ...request, strategies } }];
}

/** Wide enough for anything: the least size that reaches it depends on the messages between. */
function widenWindow(request: AssembleRequest): Remedy[] {
  const strategies = request.strategies.map(widened);
  const changed = strategies.some((strategy, i) => strategy !== request.strategies[i]);
  return changed ? [{ words: "Widen the window", request: { ...request, strategies } }] : [];
}

function widened(strategy: StrategySpec): StrategySpec {
  const { name, config } = strategy;
  const isWindow =
    config?.$case === "slidingWindow" || (config === undefined && /^(?:builtin:)?sliding_window$/.test(name));
  if (!isWindow) return strategy;
  const windowMode = config?.$case === "slidingWindow" ? config.value.windowMode : 0;
  return { ...strategy, config: { $case: "slidingWindow", value: { windowSize: mostTokens, windowMode } } };
}

function keepCopies(request: AssembleRequest): Remedy {
  const pipeline = { ...PipelineSpec.fromPartial({}), ...request.pipeline, deduplicator: "pass_through" };
  return { words: "Name the deduplicator pass_through, which keeps copies", request: { ...request, pipeline } };
}

function ownKey(request: AssembleRequest, position: number): Remedy {
  const taken = new Set(request.fragments.map(({ variantKey }) => variantKey));
  let variantKey = "own";
  while (taken.has(variantKey)) variantKey += "+";
  return { words: "Give it a variant_key of its own", request: withFragment(request, position, { variantKey }) };
}

/** What a fragment is worth to the packer is not told, so that the least value cannot be named. */
function lowerMinima(request: AssembleRequest, relevance: number): Remedy[] {
  const { minRelevance, minValuePerToken } = request.pipeline?.options ?? {};
  return [
    ...(minRelevance === undefined
      ? []
      : [withOptions(request, { minRelevance: relevance }, `Set min_relevance to ${relevance}`)]),
    ...(minValuePerToken === undefined
      ? []
      : [withOptions(request, { minValuePerToken: undefined }, "Do without min_value_per_token")]),
  ];
}

function withOptions(request: AssembleRequest, options: Partial<PipelineOptions>, words: string): Remedy {
  const pipeline = { ...PipelineSpec.fromPartial({}), ...request.pipeline };
  const own = { ...PipelineOptions.fromPartial({}), ...pipeline.options };
  return { words, request: { ...request, pipeline: { ...pipeline, options: { ...own, ...options } } } };
}

/** A cap that is a share of the budget keeps out what a larger budget would let in. */
function liftCaps(request: AssembleRequest): Remedy[] {
  const { budget } = request;
  const isCapped = budget?.sections.some(({ capTokens, capShare }) => capTokens > 0 || capShare !== undefined);
  if (budget === undefined || !isCapped) return [];
  const sections = budget.sections.map((section) => ({ ...section, capTokens: 0, capShare: undefined }));
  return [{ words: "Lift the caps of the sections", request: { ...request, budget: { ...budget, sections } } }];
}

/** The request with one fragment changed. */
export function withFragment(
  request: AssembleRequest,
  position: number,
  change: Partial<AssembleRequest["fragments"][number]>,
): AssembleRequest {
  const fragments = request.fragments.map((fragment, i) => (i === position ? { ...fragment, ...change } : fragment));
  return { ...request, fragments };
}
