/** Random requests in which everything ties with everything: few nodes, few contents, few scores, few prices. */
import fc from "fast-check";
import { NOON, requestDraft } from "./drafts.fixture.js";
import type { FragmentDraft } from "./model/fragment.js";
import type { RequestDraft } from "./model/request.js";

export interface Shape {
  /** Which fragments have ids of their own. Requirements need ids, so with `none` and `some` there are no requirements. */
  readonly ids: "all" | "some" | "none";
  readonly groups: boolean;
  readonly pins: boolean;
  /** The most strategies. */
  readonly strategies: number;
  readonly minFragments?: number;
  readonly maxFragments?: number;
}

const pieces = fc.record({
  named: fc.boolean(),
  ukoNode: fc.constantFrom("a", "b", "é", "\u{ffff}", "\u{10000}"),
  content: fc.constantFrom("", "x", "yy", "😀", "some longer text"),
  tokenCount: fc.oneof(fc.constantFrom(undefined, 0, 0, 1, 5, 10, 10, 25), fc.integer({ min: 0, max: 40 })),
  relevanceScore: fc.constantFrom(undefined, 0, 0.5, 0.7, 0.7000000000000001, 1),
  detailDepth: fc.constantFrom(undefined, 0, 9),
  tier: fc.constantFrom(0, 1, 2, 3),
  role: fc.constantFrom(0, 0, 1, 4),
  metadata: fc.constantFrom<Record<string, string>>({}, { role: "user" }, { k: "v" }),
  second: fc.constantFrom(undefined, 1, 2),
  group: fc.constantFrom("", "", "", "g", "h"),
  pinned: fc.integer({ min: 0, max: 7 }).map((roll) => roll === 0),
  requires: fc.uniqueArray(fc.nat(11), { maxLength: 2 }),
  requiring: fc.integer({ min: 0, max: 3 }).map((roll) => roll === 0),
});

type Piece = typeof pieces extends fc.Arbitrary<infer T> ? T : never;

/** Times in a group differ, since equal ones are put in order by the input. */
function draftOf(piece: Piece, i: number, count: number, shape: Shape): FragmentDraft {
  const { named, second, group, pinned, requires, requiring, metadata, ...fields } = piece;
  const groupId = shape.groups ? group : "";
  const seconds = groupId === "" ? second : 100 + i;
  const hasId = shape.ids === "all" || (shape.ids === "some" && named);
  return {
    ...fields,
    metadata: new Map(Object.entries(metadata)),
    fragmentId: hasId ? `f${i}` : "",
    createdAt: seconds === undefined ? undefined : { seconds, nanos: 0 },
    groupId,
    pinned: shape.pins && pinned,
    requires: shape.ids === "all" && requiring ? requires.filter((id) => id < count).map((id) => `f${id}`) : [],
    variantKey: "",
    vector: [],
    provenance: undefined,
  };
}

const strategyNames = ["relevance", "recency", "tiered", "builtin:relevance"];

/** Requests of a shape, each with budgets from far too small to plentiful. */
export function randomRequests(shape: Shape): fc.Arbitrary<RequestDraft> {
  const strategies = fc
    .shuffledSubarray(strategyNames, { maxLength: shape.strategies })
    .chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc.record({ name: fc.constant(name), confidence: fc.constantFrom(undefined, 0, 0.1, 3) }),
        ),
      ),
    );
  return fc
    .record({
      pieces: fc.array(pieces, {
        minLength: shape.minFragments ?? 0,
        maxLength: shape.maxFragments ?? 12,
        size: "max",
      }),
      maxTokens: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 400 })),
      reservedShare: fc.constantFrom(0, 0, 0.3),
      strategies,
    })
    .map(({ pieces: list, maxTokens, reservedShare, strategies: specs }) =>
      requestDraft({
        fragments: list.map((piece, i) => draftOf(piece, i, list.length, shape)),
        budget: { maxTokens, reservedTokens: Math.floor((maxTokens - 1) * reservedShare), sections: [] },
        strategies: specs,
        asOf: NOON,
      }),
    );
}

/** A request and the same with its fragments in another order. */
export function withPermutation(requests: fc.Arbitrary<RequestDraft>): fc.Arbitrary<[RequestDraft, RequestDraft]> {
  return requests.chain((request) =>
    fc
      .shuffledSubarray([...request.fragments], { minLength: request.fragments.length })
      .map((fragments): [RequestDraft, RequestDraft] => [request, { ...request, fragments }]),
  );
}

/** Everything at once: the shape of the hardest requests. */
export const EVERYTHING: Shape = { ids: "all", groups: true, pins: true, strategies: 4 };

/** The shapes worth trying, by name. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  "single fragments with ids": { ids: "all", groups: false, pins: false, strategies: 1 },
  "single fragments without ids": { ids: "none", groups: false, pins: false, strategies: 1 },
  "groups, some with ids": { ids: "some", groups: true, pins: true, strategies: 2 },
  "groups, requirements, pins and several strategies": EVERYTHING,
};
