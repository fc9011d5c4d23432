import type { Assembly } from "../assembly.js";
import { preambleShare, skeletonShare } from "../model/budget.js";
import { FRAGMENT_LIMITS } from "../model/fragment.js";
import type { Slices } from "../run-in-slices.js";
import { Slice } from "../slice.js";
import type { Committed } from "./commit-pins.js";

/** How the available tokens are set aside before the packer spends the rest. */
export interface Reserves {
  readonly preambleTokens: number;
  /** What the skeleton compressor is given, where it is called. */
  readonly skeletonTokens: number;
  /** What the packer may spend, beyond what is committed. */
  readonly spendableTokens: number;
}

/** Sets tokens aside: pins first, then the preamble, then, where the profile lets it share the budget, the skeleton. */
export function reserveTokens(assembly: Assembly, committed: Committed): Reserves {
  return reservesAt(assembly, committed.tokens, assembly.request.budget.availableTokens);
}

/**
 * The least numbers of further tokens in the budget that give the packer so many more to spend: the same where nothing is set aside, more
 * where a part of them is. Negative numbers stand for none; so does what no budget can hold.
 */
export function* furtherBudgets(
  assembly: Assembly,
  committed: Committed,
  furtherTokens: Float64Array,
): Slices<Float64Array> {
  const { availableTokens, maxTokens } = assembly.request.budget;
  const most = FRAGMENT_LIMITS.maxTokens - maxTokens;
  if (!setsAside(assembly)) {
    for (let i = 0; i < furtherTokens.length; i++) if (furtherTokens[i]! > most) furtherTokens[i] = -1;
    return furtherTokens;
  }
  const spendable = (further: number): number => spendableAt(assembly, committed.tokens, availableTokens + further);
  const now = spendable(0);
  const largest = spendable(most);
  const further = new Float64Array(furtherTokens.length);
  const slice = new Slice();
  for (let i = 0; i < further.length; i++) {
    if (slice.isOver(STEPS_PER_BUDGET)) yield;
    const tokens = furtherTokens[i]!;
    const isNone = tokens < 0 || largest < now + tokens;
    further[i] = isNone ? -1 : leastFurther(spendable, now + tokens, tokens, most);
  }
  return further;
}

/** The least budget for a number of tokens takes some trials, each as dear as a look at a fragment. */
const STEPS_PER_BUDGET = 8;

/** Rounds after which a share that takes nearly all is met by bisection. */
const MAX_ROUNDS = 64;

/**
 * The least further budget at which so much can be spent. What can be spent never grows faster than the budget, so adding what is still
 * short jumps over no smaller answer. (It may dip by one where a tenth and the skeleton's share grow at once, so it cannot be bisected.)
 */
function leastFurther(spendable: (further: number) => number, wanted: number, from: number, most: number): number {
  let further = from;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const short = wanted - spendable(further);
    if (short <= 0) return further;
    further = Math.min(most, further + short);
  }
  let enough = most;
  while (further < enough) {
    const middle = Math.floor((further + enough) / 2);
    if (spendable(middle) < wanted) further = middle + 1;
    else enough = middle;
  }
  return further;
}

/** False where the packer has all that the pins leave, whatever the budget. */
export function setsAside({ parts, request }: Assembly): boolean {
  const sharesSkeleton = parts.profile.skeletonSharesBudget && request.parentFragments.length > 0;
  return sharesSkeleton || parts.stages.preamble_generator.component.reservesTokens !== false;
}

function reservesAt(assembly: Assembly, committedTokens: number, availableTokens: number): Reserves {
  const open = availableTokens - committedTokens;
  const preambleTokens = preambleAt(assembly, open, availableTokens);
  const wanted = skeletonAt(assembly, availableTokens);
  const skeletonTokens = assembly.parts.profile.skeletonSharesBudget ? Math.min(wanted, open - preambleTokens) : wanted;
  return { preambleTokens, skeletonTokens, spendableTokens: spendableAt(assembly, committedTokens, availableTokens) };
}

function spendableAt(assembly: Assembly, committedTokens: number, availableTokens: number): number {
  const open = availableTokens - committedTokens;
  const left = open - preambleAt(assembly, open, availableTokens);
  if (!assembly.parts.profile.skeletonSharesBudget) return left;
  return left - Math.min(skeletonAt(assembly, availableTokens), left);
}

function preambleAt({ parts }: Assembly, open: number, availableTokens: number): number {
  if (parts.stages.preamble_generator.component.reservesTokens === false) return 0;
  return Math.min(preambleShare(availableTokens), open);
}

function skeletonAt({ request }: Assembly, availableTokens: number): number {
  return request.parentFragments.length > 0 ? skeletonShare(availableTokens, request.skeletonRatio) : 0;
}
