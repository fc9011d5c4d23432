import { type Fragment, SCORE_METADATA } from "../../model/fragment.js";
import type { PipelineOptions } from "../../model/pipeline-spec.js";
import type { ScoreParts, Scorer } from "../../stages.js";

/** Weights of the parts, normalised by their sum. */
export const DEFAULT_WEIGHTS = { relevance: 0.4, hierarchy: 0.3, quality: 0.2, recency: 0.1 } as const;

/** What a part counts that is not given, or is not a number. */
const NEUTRAL = 0.5;

/**
 * The weighted mean of relevance, hierarchy, quality and recency. The relevance is what the nomination says; hierarchy, quality and recency
 * come from the metadata `hierarchy_weight`, `strategy_quality` and `recency_bonus`, out of range clamped. A fragment that was scored
 * before starts from the relevance that it had then.
 */
export function createWeightedComposite({ scorerWeights }: PipelineOptions): Scorer {
  const weights = scaled(scorerWeights ?? DEFAULT_WEIGHTS);
  const sum = weights.relevance + weights.hierarchy + weights.quality + weights.recency;
  return {
    score: (fragments, nominated, context) => {
      const n = fragments.length;
      const fromOriginal = (i: number, original: number): number => {
        const share = context.relevanceShares[i]!;
        if (share === 1) return original;
        return roundScore(nominated[i]! + share * (original - fragments[i]!.relevanceScore));
      };
      const parts: ScoreParts = {
        relevance: new Float64Array(n),
        hierarchy: new Float64Array(n),
        quality: new Float64Array(n),
        recency: new Float64Array(n),
        original: new Float64Array(n),
      };
      const scores = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        const fragment = fragments[i]!;
        const original = originalRelevance(fragment);
        const relevance = original === fragment.relevanceScore ? nominated[i]! : fromOriginal(i, original);
        const hierarchy = partOf(fragment, SCORE_METADATA.hierarchy);
        const quality = partOf(fragment, SCORE_METADATA.quality);
        const recency = partOf(fragment, SCORE_METADATA.recency);
        const total =
          weights.relevance * relevance +
          weights.hierarchy * hierarchy +
          weights.quality * quality +
          weights.recency * recency;
        scores[i] = roundScore(total / sum);
        parts.relevance[i] = relevance;
        parts.hierarchy[i] = hierarchy;
        parts.quality[i] = quality;
        parts.recency[i] = recency;
        parts.original[i] = original;
      }
      const baseline = (NEUTRAL * (weights.hierarchy + weights.quality + weights.recency)) / sum;
      return { scores, parts, baseline: roundScore(baseline) };
    },
  };
}

type Weights = Readonly<Record<"relevance" | "hierarchy" | "quality" | "recency", number>>;

/** The same proportions with 1 for the largest, so that no sum of finite weights overflows. */
function scaled({ relevance, hierarchy, quality, recency }: Weights): Weights {
  const largest = Math.max(relevance, hierarchy, quality, recency);
  return {
    relevance: relevance / largest,
    hierarchy: hierarchy / largest,
    quality: quality / largest,
    recency: recency / largest,
  };
}

/** The relevance before a scorer replaced it: kept in the metadata of a fragment that was scored, else its relevance. */
function originalRelevance({ metadata, relevanceScore, isRated }: Fragment): number {
  if (!isRated) return relevanceScore;
  const kept = metadata.get(SCORE_METADATA.originalRelevance);
  const value = kept === undefined || kept === "" ? Number.NaN : Number(kept);
  return value >= 0 && value <= 1 ? value : relevanceScore;
}

function partOf({ metadata, isRated }: Fragment, key: string): number {
  if (!isRated) return NEUTRAL;
  const text = metadata.get(key);
  if (text === undefined || text.trim() === "") return NEUTRAL;
  const value = Number(text);
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : NEUTRAL;
}

/** Twelve decimals, 0 to 1: the error of binary fractions decides no order, and does not show. */
function roundScore(score: number): number {
  return Math.min(1, Math.max(0, Math.round(score * 1e12) / 1e12));
}
