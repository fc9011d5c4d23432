/** The stages that fuse, but for the packer, spoken over a stream. */
import type { ScoreColumns } from "../../../gen/acms/v1/hosted_stage.js";
import type { Answering, Deduplicator, DepthResolver, Fragment, ScoreParts, Scorer } from "../../core/index.js";
import { fragmentAt, fragmentsAtPositions, positionsOf } from "../wire.js";
import { patienceOf, type RemoteFactory } from "./questions.js";

export const remoteDeduplicator: RemoteFactory<Deduplicator & Answering> = (component, stage) => ({
  deduplicate: (all, { committed, uninvited, isGrouped }, run) => {
    // What is in a group takes no part, so that the host need not know of groups.
    const takesPart = (fragment: Fragment): boolean => !isGrouped(fragment) || committed.has(fragment);
    const given = all.every(takesPart) ? all : all.filter(takesPart);
    const known = committed.size === 0 ? undefined : new Set(given);
    const beside = [...committed].filter((fragment) => known?.has(fragment) === false);
    const fragments = beside.length === 0 ? given : [...given, ...beside];
    const positions = committed.size + uninvited.size === 0 ? undefined : positionsOf(fragments);
    const placesOf = (some: ReadonlySet<Fragment>): number[] =>
      [...some].flatMap((fragment) => positions!.get(fragment) ?? []);
    return component.ask(
      {
        $case: "deduplicator",
        fragments,
        value: { committed: placesOf(committed), uninvited: placesOf(uninvited) },
      },
      patienceOf(run, stage),
      ({ kept, duplicates, mergesSources }) => ({
        // What is committed beside those given stays in any case; to keep it says nothing.
        kept: withOthers(
          all,
          given,
          fragmentsAtPositions(fragments, kept).filter((_, i) => kept[i]! < given.length),
        ),
        duplicates: duplicates.map(({ copy, survivor }) => ({
          fragment: fragmentAt(fragments, copy),
          survivor: fragmentAt(fragments, survivor),
        })),
        mergesSources,
      }),
    );
  },
  rejected: (fault, answer) => component.rejected(fault, answer),
});

/** What was kept, with what nobody was asked about, in the order of all; what was kept twice stays so, for the core to find. */
function withOthers(
  all: readonly Fragment[],
  asked: readonly Fragment[],
  kept: readonly Fragment[],
): readonly Fragment[] {
  if (all === asked) return kept;
  const isAsked = new Set(asked);
  const stays = new Set(kept);
  const repeated = stays.size === kept.length ? [] : kept;
  return [...all.filter((fragment) => !isAsked.has(fragment) || stays.has(fragment)), ...repeated];
}

export const remoteResolver: RemoteFactory<DepthResolver & Answering> = (component, stage) => ({
  resolve: (fragments, run) =>
    component.ask({ $case: "depthResolver", fragments, value: {} }, patienceOf(run, stage), ({ resolutions }) =>
      resolutions.map(({ fragment, alternatives }) => ({
        fragment: fragmentAt(fragments, fragment),
        alternatives: fragmentsAtPositions(fragments, alternatives),
      })),
    ),
  rejected: (fault, answer) => component.rejected(fault, answer),
});

export const remoteScorer: RemoteFactory<Scorer & Answering> = (component, stage) => ({
  score: (fragments, nominated, _context, run) =>
    component.ask(
      { $case: "scorer", fragments, nominationScores: nominated, value: {} },
      patienceOf(run, stage),
      ({ scores, parts, baseline }) => ({
        scores: new Float64Array(scores),
        baseline,
        ...(parts !== undefined && { parts: partsOf(parts, fragments) }),
      }),
    ),
  rejected: (fault, answer) => component.rejected(fault, answer),
});

function partsOf({ relevance, hierarchy, quality, recency }: ScoreColumns, fragments: readonly Fragment[]): ScoreParts {
  return {
    relevance: new Float64Array(relevance),
    hierarchy: new Float64Array(hierarchy),
    quality: new Float64Array(quality),
    recency: new Float64Array(recency),
    original: Float64Array.from(fragments, ({ relevanceScore }) => relevanceScore),
  };
}
