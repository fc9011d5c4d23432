/** What dropped fragments lack, compared with what every larger budget lets in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assembled, budgetOf, fragmentDraft, NOON, pipelineDraft, requestDraft } from "./drafts.fixture.js";
import { ContextError } from "./errors.js";
import { type Decision, Outcome, type Payload, Reason } from "./model/payload.js";
import type { RequestDraft } from "./model/request.js";

/** How many requests are tried of each kind. */
const RUNS = Number(process.env.MISSING_POOLS ?? 50);

const piece = fc.record({
  price: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(0, 3, 3, 6)),
  score: fc.constantFrom(0.2, 0.5, 0.5, 0.9),
  content: fc.constantFrom("x", "y", "z"),
  group: fc.constantFrom("", "", "", "g", "h"),
  key: fc.constantFrom("", "", "k", "l"),
  depth: fc.integer({ min: 0, max: 3 }),
  role: fc.constantFrom(0, 0, 0, 1),
  pinned: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
  requires: fc.uniqueArray(fc.nat(6), { maxLength: 2 }),
  requiring: fc.integer({ min: 0, max: 2 }).map((roll) => roll === 0),
});

const pools = fc.array(piece, { minLength: 1, maxLength: 7, size: "max" });

interface Kind extends Pick<RequestDraft, "strategies" | "pipeline"> {
  readonly sections?: NonNullable<RequestDraft["budget"]>["sections"];
  /** How often the tokens of all fragments are enough for everything. Default 1. */
  readonly reach?: number;
}

function requestOf(pool: typeof pools extends fc.Arbitrary<infer T> ? T : never, kind: Kind, tokens: number) {
  const fragments = pool.map(({ price, score, content, group, key, depth, role, pinned, requires, requiring }, i) =>
    fragmentDraft({
      fragmentId: `f${i}`,
      ukoNode: `n${i % 3}`,
      content,
      tokenCount: price,
      relevanceScore: score,
      groupId: group,
      variantKey: key,
      detailDepth: depth,
      role,
      pinned,
      createdAt: { seconds: NOON.seconds - 100 + i, nanos: 0 },
      requires: requiring ? requires.filter((id) => id < pool.length).map((id) => `f${id}`) : [],
    }),
  );
  const { strategies, pipeline, sections = [] } = kind;
  const budget = { ...budgetOf(tokens), sections };
  return requestDraft({ strategies, ...(pipeline && { pipeline }), fragments, budget });
}

/** Nothing where the pins do not fit. */
async function payloadOf(request: RequestDraft): Promise<Payload | undefined> {
  return assembled(request).catch((error) => {
    if (error instanceof ContextError && error.reason.startsWith("PINNED_OVER_")) return undefined;
    throw error;
  });
}

function isIn({ decisions }: Payload, inputIndex: number): boolean {
  return decisions.toArray()[inputIndex]!.outcome === Outcome.SELECTED;
}

/** Compares what a drop says with the payloads at every larger budget, the first of which has one more token. */
function check({ inputIndex, reason, tokensMissing, tokensMissingExact }: Decision, larger: readonly Payload[]): void {
  const first = larger.findIndex((payload) => isIn(payload, inputIndex)) + 1;
  assert.equal(reason === Reason.OVER_BUDGET, tokensMissing !== undefined);
  assert.deepEqual(
    [tokensMissing, tokensMissingExact],
    first === 0 ? [undefined, false] : [first, true],
    `${inputIndex} enters with ${first} more`,
  );
}

const inWindow = (windowSize: number, windowMode: number): RequestDraft["strategies"] => [
  { name: "window", config: { $case: "slidingWindow", value: { windowSize, windowMode } } },
];

const options = { minFragmentTokens: 0 };

const system = { $case: "role", value: 1 } as const;
const group = { $case: "groupId", value: "g" } as const;
const floorsAndCaps = [
  { selector: system, floorTokens: 3, capTokens: 0 },
  { selector: group, floorTokens: 0, capTokens: 8 },
];
const shares = [
  { selector: system, floorTokens: 0, capTokens: 0, capShare: 0.2 },
  { selector: group, floorTokens: 0, capTokens: 0, floorShare: 0.3 },
];

const KINDS: Readonly<Record<string, Kind>> = {
  "a ranking": { strategies: [{ name: "relevance" }] },
  "several rankings, each with a share": {
    strategies: [{ name: "relevance" }, { name: "recency", confidence: 0.3 }, { name: "tiered" }],
  },
  "a ranking and a window": { strategies: [{ name: "relevance" }, ...inWindow(2, 1)] },
  "several rankings, the highest score first": {
    strategies: [{ name: "relevance" }, { name: "recency", confidence: 0.3 }],
    pipeline: pipelineDraft({ profile: "fusion", options }),
  },
  "a ranking beside floors and caps": { strategies: [{ name: "relevance" }], sections: floorsAndCaps },
  "variants beside floors and caps": {
    strategies: [],
    pipeline: pipelineDraft({ profile: "fusion", options }),
    sections: floorsAndCaps,
  },
  "a ranking beside shares": { strategies: [{ name: "relevance" }], sections: shares, reach: 6 },
  "variants beside shares": {
    strategies: [],
    pipeline: pipelineDraft({ profile: "fusion", options }),
    sections: shares,
    reach: 6,
  },
  "a window of messages": { strategies: inWindow(3, 1) },
  "a window of tokens": { strategies: inWindow(12, 2) },
  "variants, the highest score first": { strategies: [], pipeline: pipelineDraft({ profile: "fusion", options }) },
  "variants, the best set": {
    strategies: [],
    pipeline: pipelineDraft({ profile: "fusion", packer: "optimal" }),
  },
  "variants, nearly the best set": {
    strategies: [],
    pipeline: pipelineDraft({ profile: "fusion", packer: "relaxation" }),
  },
  "variants, in order": { strategies: [], pipeline: pipelineDraft({ profile: "fusion", packer: "in_order", options }) },
};

for (const [name, kind] of Object.entries(KINDS)) {
  test(`${name}: each drop lacks what every larger budget says`, async () => {
    await fc.assert(
      fc.asyncProperty(pools, fc.integer({ min: 3, max: 40 }), async (pool, tokens) => {
        const payload = await payloadOf(requestOf(pool, kind, tokens));
        if (payload === undefined) return;
        const most = (kind.reach ?? 1) * pool.reduce((sum, { price }) => sum + price, 0) + 1;
        const larger: Payload[] = [];
        for (let further = 1; further <= most; further++) {
          larger.push((await payloadOf(requestOf(pool, kind, tokens + further)))!);
        }
        for (const decision of payload.decisions.toArray()) {
          if (decision.outcome === Outcome.DROPPED) check(decision, larger);
        }
      }),
      { numRuns: RUNS, seed: 11 },
    );
  });
}
