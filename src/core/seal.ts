import type { Assembly } from "./assembly.js";
import { contextHash } from "./context-hash.js";
import { ContextError } from "./errors.js";
import type { Fragment } from "./model/fragment.js";
import { type Payload, TraceLevel, type Warning } from "./model/payload.js";
import type { PreviousFragment } from "./model/previous.js";
import { isSame } from "./order/match-previous.js";
import type { Skeleton } from "./present/compress-skeleton.js";
import type { Preamble } from "./present/generate-preamble.js";
import type { Ordered } from "./present/order-fragments.js";
import { showFragments, withoutVectors } from "./present/show-fragments.js";

/** What the payload is made of. */
export interface Parcel {
  readonly ordered: Ordered;
  readonly preamble: Preamble;
  readonly skeleton: Skeleton;
}

/** Measures everything once more, hashes it and closes it. A payload over its budget never leaves: that would be a fault of ours. */
export function seal(assembly: Assembly, { ordered, preamble, skeleton }: Parcel): Payload {
  const { request, run, trace, timings, warnings } = assembly;
  const { fragments } = ordered;
  const { columns } = request;
  const fragmentCount = request.fragments.length;
  const totalTokens = sumTokens(columns.tokenCounts, ordered.positions);
  const { availableTokens } = request.budget;
  checkBudget(totalTokens + preamble.tokens, availableTokens);
  const isEstimated = ({ tokensEstimated }: Fragment): boolean => tokensEstimated;
  const estimated = (columns.estimates > 0 && fragments.some(isEstimated)) || skeleton.fragments.some(isEstimated);
  return Object.freeze({
    payloadId: run.newId(),
    planId: request.planId,
    fragments: Object.freeze(showFragments(assembly, fragments)),
    totalTokens,
    budget: request.budget,
    budgetUsed: totalTokens / availableTokens,
    remainingTokens: availableTokens - totalTokens,
    strategiesUsed: ordered.strategiesUsed,
    contextHash: contextHash(columns.contents, columns.heads, ordered.positions),
    preamble: preamble.text,
    preambleTokens: preamble.tokens,
    assembledAt: run.now(),
    skeletonFragments: withoutVectors(assembly, skeleton.fragments),
    skeletonTokens: skeleton.tokens,
    tokenizer: run.counter.name,
    countsEstimated: estimated || (preamble.tokens > 0 && run.counter.estimated),
    decisions: trace.decisions(request.trace),
    warnings: [
      ...warnings,
      ...mixedCounts(
        columns.estimates + request.parentFragments.filter(isEstimated).length,
        fragmentCount + request.parentFragments.length,
        run.counter.name,
      ),
    ],
    get packing() {
      return ordered.report();
    },
    stablePrefixTokens: stablePrefix(fragments, request.previous),
    timings: request.trace === TraceLevel.FULL ? timings : [],
  });
}

function sumTokens(tokenCounts: Float64Array, positions: Uint32Array): number {
  let sum = 0;
  for (let k = 0; k < positions.length; k++) sum += tokenCounts[positions[k]!]!;
  return sum;
}

function checkBudget(tokens: number, availableTokens: number): void {
  if (tokens <= availableTokens) return;
  throw new ContextError("INTERNAL", `a payload of ${tokens} tokens was made for ${availableTokens}`);
}

/** Estimates beside declared counts are measured with two different yardsticks, which the caller should know. */
function mixedCounts(estimates: number, fragmentCount: number, counter: string): Warning[] {
  if (estimates === 0 || estimates === fragmentCount) return [];
  const message = `${estimates} of ${fragmentCount} fragments are counted by the estimate ${counter}, the others as declared`;
  return [{ code: "estimated_counts_mixed", stage: undefined, component: counter, message }];
}

/** Tokens of the leading fragments that are the same, one by one, as in the previous payload. */
function stablePrefix(fragments: readonly Fragment[], previous: readonly PreviousFragment[]): number {
  let tokens = 0;
  for (let i = 0; i < Math.min(fragments.length, previous.length); i++) {
    if (!isSame(previous[i]!, fragments[i]!)) break;
    tokens += fragments[i]!.tokenCount;
  }
  return tokens;
}
