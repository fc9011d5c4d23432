/** The stages that fuse, by themselves: an assembly of fragments that are all nominated, in the order given, of which one stage runs. */
import { type Assembly, openAssembly } from "../assembly.js";
import { gatherAll } from "../choose/gather-groups.js";
import { commitPins } from "../fuse/commit-pins.js";
import { deduplicate } from "../fuse/deduplicate.js";
import { packFragments } from "../fuse/pack-fragments.js";
import { reserveTokens } from "../fuse/reserve-tokens.js";
import { resolveDepths } from "../fuse/resolve-depths.js";
import { scoreFragments } from "../fuse/score-fragments.js";
import { type Budget, type BudgetDraft, readBudget } from "../model/budget.js";
import { readColumns } from "../model/columns.js";
import { createFaults, type Faults } from "../model/faults.js";
import { FRAGMENT_LIMITS, type Fragment, type FragmentDraft } from "../model/fragment.js";
import type { Nominated } from "../model/nomination.js";
import { type Decision, type PackingReport, Reason, type ScoreComponents, TraceLevel } from "../model/payload.js";
import { type PipelineOptions, type PipelineOptionsDraft, readOptions } from "../model/pipeline-spec.js";
import { highestFirst } from "../order/keys.js";
import { compareTotal } from "../order/total-order.js";
import { withScore } from "../present/show-fragments.js";
import { runInSlices } from "../run-in-slices.js";
import type { StageRole } from "../stages.js";
import { readCounted, type StageSurroundings } from "./surroundings.js";

/** Fragments to work on, and the component that does. */
interface StageDraft {
  readonly fragments: readonly FragmentDraft[];
  readonly component: string;
}

/** What stays, and why the rest goes. */
export interface Kept {
  readonly fragments: readonly Fragment[];
  readonly decisions: readonly Decision[];
}

/** A fragment with its score. */
export interface Scored {
  readonly fragment: Fragment;
  readonly compositeScore: number;
  readonly components: ScoreComponents | undefined;
  readonly originalRelevance: number | undefined;
}

const PLENTY: Budget = {
  maxTokens: FRAGMENT_LIMITS.maxTokens,
  reservedTokens: 0,
  availableTokens: Number.MAX_SAFE_INTEGER,
  sections: [],
};

/** The deduplicator by itself. */
export async function deduplicateAlone(
  draft: StageDraft & { readonly options?: PipelineOptionsDraft | undefined },
  around: StageSurroundings,
): Promise<Kept> {
  const faults = createFaults();
  const options = readOptions(draft.options, "options", faults);
  const fragments = await readCounted(draft.fragments, around, faults);
  const assembly = openAlone(fragments, "deduplicator", draft.component || "content_hash", around, options);
  const distinct = await deduplicate(assembly, nominateAll(assembly), commitPins(assembly));
  return { fragments: distinct.fragments, decisions: dropsOf(assembly) };
}

/** The depth resolver by itself; what a fragment requires stays beside the deepest. */
export async function resolveDepthAlone(draft: StageDraft, around: StageSurroundings): Promise<Kept> {
  const fragments = await readCounted(draft.fragments, around, createFaults());
  const assembly = openAlone(fragments, "depth_resolver", draft.component || "max_depth", around);
  const nominated = nominateAll(assembly);
  const { resolutions = [] } = await resolveDepths(assembly, { ...nominated, deduplicated: true });
  const needed = new Set(fragments.flatMap((fragment) => assembly.links.requiredBy(fragment)));
  const gone = new Set<Fragment>();
  for (const { fragment: deepest, alternatives } of resolutions) {
    for (const fragment of alternatives) {
      if (needed.has(fragment) || fragment.pinned) continue;
      gone.add(fragment);
      assembly.trace.decide(fragment, "depth_resolver", Reason.OTHER_VARIANT, deepest);
    }
  }
  return { fragments: fragments.filter((fragment) => !gone.has(fragment)), decisions: dropsOf(assembly) };
}

/** The scorer by itself: the fragments as they came with their scores, and with the scores in place of their relevance. */
export async function scoreAlone(
  draft: StageDraft & { readonly weights?: PipelineOptionsDraft["scorerWeights"] },
  around: StageSurroundings,
): Promise<{ scored: readonly Scored[]; fragments: readonly Fragment[] }> {
  const faults = createFaults();
  const renamed: Faults = {
    ...faults,
    add: (path, text) => faults.add(path.replace("scorer_weights", "weights"), text),
  };
  const options = readOptions({ scorerWeights: draft.weights }, "", renamed);
  const fragments = await readCounted(draft.fragments, around, faults);
  const assembly = openAlone(fragments, "scorer", draft.component || "weighted_composite", around, options);
  const { scores } = await scoreFragments(assembly, {
    ...nominateAll(assembly),
    deduplicated: true,
    alternatives: undefined,
  });
  const scored = fragments.map((fragment): Scored => {
    const parts = assembly.trace.scorePartsOf(fragment);
    return {
      fragment,
      compositeScore: scores[fragment.inputIndex]!,
      components: parts?.components,
      originalRelevance: parts?.originalRelevance,
    };
  });
  const replaced = scored.map(({ fragment, compositeScore, components, originalRelevance }) =>
    components === undefined || originalRelevance === undefined
      ? { ...fragment, relevanceScore: compositeScore }
      : withScore(fragment, compositeScore, { components, originalRelevance }),
  );
  return { scored, fragments: replaced };
}

/** A scored fragment as a caller gives it: the shape of the wire message. */
export interface ScoredDraft {
  readonly fragment?: FragmentDraft | undefined;
  readonly compositeScore: number;
  readonly components?: ScoreComponents | undefined;
  readonly originalRelevance?: number | undefined;
}

/** Stands for an absent fragment, which is a fault of its own, so that the places of the others stay. */
const ABSENT: FragmentDraft = {
  fragmentId: "",
  ukoNode: "absent",
  content: "",
  tokenCount: 0,
  tier: 0,
  role: 0,
  metadata: new Map(),
  pinned: false,
  groupId: "",
  requires: [],
  variantKey: "",
  vector: [],
};

/** The paths of fragments that stand inside scored ones. */
const SCORED_LIST = { name: "scored", member: "fragment" };

/** The packer by itself; scores given from outside are not computed anew, and without them the relevance is the score. */
export async function packAlone(
  draft: {
    readonly scored: readonly ScoredDraft[];
    readonly fragments: readonly FragmentDraft[];
    readonly budget?: BudgetDraft | undefined;
    readonly component: string;
    readonly options?: PipelineOptionsDraft | undefined;
  },
  around: StageSurroundings,
): Promise<{
  packed: readonly Scored[];
  totalTokens: number;
  decisions: readonly Decision[];
  packing: PackingReport;
}> {
  const faults = createFaults();
  const budget = readBudget(draft.budget, faults);
  const options = readOptions(draft.options, "options", faults);
  checkScored(draft, faults);
  const isScored = draft.scored.length > 0;
  const drafts = isScored ? draft.scored.map(({ fragment }) => fragment ?? ABSENT) : draft.fragments;
  const fragments = await readCounted(drafts, around, faults, isScored ? SCORED_LIST : { name: "fragments" });
  const scores = Float64Array.from(
    fragments,
    ({ relevanceScore }, i) => draft.scored[i]?.compositeScore ?? relevanceScore,
  );
  const assembly = openAlone(fragments, "packer", draft.component || "greedy_knapsack", around, options, budget);
  const committed = commitPins(assembly);
  const all = nominateAll(assembly, scores);
  const { spendableTokens } = reserveTokens(assembly, committed);
  const given = all.nominations.map((nomination) => ({ ...nomination, tokens: spendableTokens }));
  const nominations = await runInSlices(gatherAll(given, assembly, committed.fragments), assembly.run);
  assembly.trace.scores = scores;
  for (const { positions } of nominations) assembly.trace.setRanks(positions);
  const pool = { ...all, nominations, deduplicated: true as const, alternatives: undefined, scores, baseline: 0 };
  const selection = await packFragments(assembly, pool, committed, spendableTokens);
  const packed = selection.fragments
    .map(
      (fragment): Scored => ({
        fragment,
        compositeScore: scores[fragment.inputIndex]!,
        components: draft.scored[fragment.inputIndex]?.components,
        originalRelevance: draft.scored[fragment.inputIndex]?.originalRelevance,
      }),
    )
    .sort(
      (a, b) => highestFirst(a.compositeScore) - highestFirst(b.compositeScore) || compareTotal(a.fragment, b.fragment),
    );
  return {
    packed,
    totalTokens: packed.reduce((sum, { fragment }) => sum + fragment.tokenCount, 0),
    decisions: assembly.trace.decisions(TraceLevel.FULL).toArray(),
    packing: selection.report(),
  };
}

function checkScored(
  { scored, fragments }: { scored: readonly ScoredDraft[]; fragments: readonly unknown[] },
  faults: Faults,
): void {
  if (scored.length > 0 && fragments.length > 0)
    faults.add("fragments", "is given beside scored; allowed is one of the two");
  const isScore = (value: number): boolean => value >= 0 && value <= 1;
  scored.forEach(({ fragment, compositeScore, components, originalRelevance }, i) => {
    if (fragment === undefined) faults.add(`scored[${i}].fragment`, "is absent; a fragment is required");
    if (!isScore(compositeScore))
      faults.add(`scored[${i}].composite_score`, `is ${compositeScore}; allowed is 0.0 to 1.0`);
    for (const [part, value] of Object.entries(components ?? {})) {
      if (!isScore(value)) faults.add(`scored[${i}].components.${part}`, `is ${value}; allowed is 0.0 to 1.0`);
    }
    if (originalRelevance !== undefined && !isScore(originalRelevance)) {
      faults.add(`scored[${i}].original_relevance`, `is ${originalRelevance}; allowed is 0.0 to 1.0`);
    }
  });
}

function openAlone(
  fragments: readonly Fragment[],
  role: StageRole,
  component: string,
  { registry, run }: StageSurroundings,
  options: PipelineOptions = {},
  budget: Budget = PLENTY,
): Assembly {
  const request = {
    requestId: "",
    planId: "",
    fragments,
    columns: readColumns(fragments),
    budget,
    strategies: [],
    // By itself a stage has nothing to fall back on, and no payload that could say so.
    pipeline: { profile: "direct", components: { [role]: component }, options, hosted: { [role]: { policy: "fail" } } },
    query: "",
    parentFragments: [],
    skeletonRatio: 0,
    trace: TraceLevel.FULL,
    idsOnly: false,
    asOf: run.now(),
    previous: [],
  };
  return openAssembly(request, registry, run);
}

function nominateAll({ request }: Assembly, scores: Float64Array = request.columns.relevances): Nominated {
  const { fragments } = request;
  const nomination = {
    strategy: "",
    confidence: 1,
    tokens: request.budget.availableTokens,
    miss: "skip" as const,
    scoresAreRelevance: true,
    positions: Uint32Array.from(fragments, (_, i) => i),
    scores,
  };
  return { nominations: [nomination], fragments };
}

function dropsOf({ trace }: Assembly): Decision[] {
  return trace.decisions(TraceLevel.DROPPED).toArray();
}
