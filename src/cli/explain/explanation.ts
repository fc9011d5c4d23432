import { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import type { ContextPayload } from "../../../gen/acms/v1/payload.js";
import type { Decision } from "../../../gen/acms/v1/trace.js";
import {
  createFaults,
  type Fragment,
  gatherVariants,
  instantOfMs,
  Outcome,
  Reason,
  readFragments,
  TraceLevel,
} from "../../core/index.js";
import { type Door, RefusedError } from "../door/door.js";
import { ExitError, exitCodes } from "../io.js";
import { findFragment } from "./find-fragment.js";
import { remediesFor, withFragment } from "./remedies.js";

/** Where a strategy puts the fragment. */
export interface StrategyRank {
  readonly strategy: string;
  /** From 0; absent: it is not nominated. */
  readonly rank: number | undefined;
}

/** The whole story of one fragment. */
export interface Explanation {
  readonly position: number;
  readonly decision: Decision;
  readonly payload: ContextPayload;
  /** All fragments, absent fields filled in with what was in effect, but for token counts. */
  readonly fragments: readonly Fragment[];
  /** Its price, as declared or counted. */
  readonly tokens: number;
  /** True: the caller declared it. */
  readonly isDeclared: boolean;
  /** Other variants of its key, deepest first. */
  readonly variants: readonly Fragment[];
  readonly ranks: readonly StrategyRank[];
  /** Changes of the request that let it in, in words; each was tried. */
  readonly remedies: readonly string[];
  /** What would become of a pinned fragment without its pin. Absent: it is not pinned, or nothing can be said. */
  readonly unpinned: Decision | undefined;
}

/**
 * Asks for everything that is to be known of one fragment: an assembly with the whole trace, and a further one for each statement that
 * begins with "if". All of them happen at one time.
 *
 * @throws ExitError where there is no such fragment, RefusedError where the request is refused
 */
export async function explain(door: Door, given: AssembleRequest, wanted: string): Promise<Explanation> {
  const position = findFragment(wanted, given.fragments);
  const request = { ...given, trace: TraceLevel.FULL, asOf: given.asOf ?? instantOfMs(Date.now()) };
  const { payload } = await door.assemble(request);
  const decision = decisionOn(position, payload);
  if (payload === undefined || decision === undefined) {
    throw new ExitError(exitCodes.refused, "error: the answer has no decision on this fragment");
  }
  const fragments = inEffect(request);
  const tokens = await priceOf(door, request, position, payload);
  const relevance = fragments[position]?.relevanceScore ?? 0;
  const isPinned = decision.reason === Reason.PINNED;
  return {
    position,
    decision,
    payload,
    fragments,
    tokens,
    isDeclared: request.fragments[position]?.tokenCount !== undefined,
    variants: variantsOf(position, fragments),
    ranks: await ranksOf(door, request, decision),
    remedies: await whatHelps(door, request, { position, decision, tokens, relevance }),
    unpinned: isPinned ? await tried(door, withFragment(request, position, { pinned: false }), position) : undefined,
  };
}

function decisionOn(position: number, payload: ContextPayload | undefined): Decision | undefined {
  return payload?.decisions.find(({ inputIndex }) => inputIndex === position);
}

/** The request was accepted, so that what would be refused by usual limits is none of this command's business. */
function inEffect({ fragments, asOf }: AssembleRequest): Fragment[] {
  const limits = { maxFragments: fragments.length, maxContentCharacters: Number.POSITIVE_INFINITY };
  const around = { limits, now: asOf ?? instantOfMs(0), newId: () => "", faults: createFaults() };
  return readFragments(fragments, { name: "fragments" }, around);
}

function variantsOf(position: number, fragments: readonly Fragment[]): Fragment[] {
  const isThis = ({ inputIndex }: Fragment): boolean => inputIndex === position;
  const variants = gatherVariants(fragments).find((group) => group.some(isThis)) ?? [];
  return variants.filter((fragment) => !isThis(fragment));
}

/** Nobody is told the price of what was neither declared nor selected; alone, and with room for it, it is selected. */
async function priceOf(
  door: Door,
  { fragments, tokenizer }: AssembleRequest,
  position: number,
  payload: ContextPayload,
): Promise<number> {
  const { ukoNode = "", content = "", tokenCount } = fragments[position] ?? {};
  if (tokenCount !== undefined) return tokenCount;
  const { fragmentId } = decisionOn(position, payload) ?? {};
  const selected = payload.fragments.find((fragment) => fragment.fragmentId === fragmentId)?.tokenCount;
  if (selected !== undefined) return selected;
  const budget = { maxTokens: 2_147_483_647, reservedTokens: 0, sections: [] };
  const alone = AssembleRequest.fromPartial({ fragments: [{ ukoNode, content }], budget, tokenizer });
  return (await door.assemble(alone)).payload?.totalTokens ?? 0;
}

/** A decision has the rank of the first strategy that nominated it; with several, each is asked by itself. */
async function ranksOf(door: Door, request: AssembleRequest, decision: Decision): Promise<StrategyRank[]> {
  const { strategies } = request;
  if (strategies.length <= 1) return [{ strategy: strategies[0]?.name ?? "relevance", rank: decision.rank }];
  const ranks: StrategyRank[] = [];
  for (const strategy of strategies) {
    const own = await tried(door, { ...request, strategies: [strategy] }, decision.inputIndex);
    if (own !== undefined) ranks.push({ strategy: strategy.name, rank: own.rank });
  }
  return ranks;
}

async function whatHelps(
  door: Door,
  request: AssembleRequest,
  dropped: Parameters<typeof remediesFor>[1],
): Promise<string[]> {
  const helping: string[] = [];
  for (const remedy of remediesFor(request, dropped)) {
    const decision = await tried(door, remedy.request, dropped.position);
    if (decision?.outcome === Outcome.SELECTED) helping.push(remedy.words);
  }
  return helping;
}

/** What becomes of the fragment under another request; nothing where that one is refused. */
async function tried(door: Door, request: AssembleRequest, position: number): Promise<Decision | undefined> {
  try {
    return decisionOn(position, (await door.assemble(request)).payload);
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}
