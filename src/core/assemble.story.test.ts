/** One request, walked through the ten stages with real parts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openAssembly } from "./assembly.js";
import { builtInRegistry } from "./built-in.js";
import { allocateBudget } from "./choose/allocate-budget.js";
import { executeStrategies } from "./choose/execute-strategies.js";
import { selectStrategies } from "./choose/select-strategies.js";
import { independentHash } from "./context-hash.fixture.js";
import { assembled, budgetOf, idsOf, NOON, requestDraft, requestOf, scored, testRun } from "./drafts.fixture.js";
import { commitPins } from "./fuse/commit-pins.js";
import { deduplicate } from "./fuse/deduplicate.js";
import { packFragments } from "./fuse/pack-fragments.js";
import { reserveTokens } from "./fuse/reserve-tokens.js";
import { resolveDepths } from "./fuse/resolve-depths.js";
import { scoreFragments } from "./fuse/score-fragments.js";
import { Reason } from "./model/payload.js";
import { compressSkeleton } from "./present/compress-skeleton.js";
import { generatePreamble } from "./present/generate-preamble.js";
import { orderFragments } from "./present/order-fragments.js";
import { seal } from "./seal.js";

const at = (minute: number) => ({ createdAt: { seconds: NOON.seconds - 3_600 + minute * 60, nanos: 0 } });

/** An agent is asked to fix a login: its rules, its conversation, and the code that a search found. */
const draft = requestDraft({
  requestId: "fix the login",
  query: "why does the login fail",
  budget: budgetOf(1_100, 100),
  strategies: [{ name: "relevance" }, { name: "recency" }],
  parentFragments: [scored("parent", 0.5, 90, { ukoNode: "project://app" })],
  fragments: [
    scored("rules", 0.1, 100, { ukoNode: "project://rules", role: 1, pinned: true, ...at(0) }),
    scored("login", 0.95, 300, { ukoNode: "project://app/login.ts", requires: ["session"], detailDepth: 9, ...at(1) }),
    scored("session", 0.2, 150, { ukoNode: "project://app/session.ts", detailDepth: 9, ...at(2) }),
    scored("call", 0.4, 20, { ukoNode: "chat://1", role: 3, groupId: "search", ...at(10) }),
    scored("answer", 0.6, 180, { ukoNode: "chat://1", role: 4, groupId: "search", ...at(11) }),
    scored("question", 0.3, 50, { ukoNode: "chat://1", role: 2, ...at(12) }),
    scored("readme", 0.9, 700, { ukoNode: "project://README.md", ...at(3) }),
    scored("style", 0.05, 220, { ukoNode: "project://style.css", ...at(4) }),
  ],
});

test("ten stages lead from the fragments to a payload", async () => {
  const run = testRun();
  const request = await requestOf(draft, run);
  const assembly = openAssembly(request, builtInRegistry(), run);

  const committed = commitPins(assembly);
  assert.deepEqual(idsOf([...committed.fragments]), ["rules"]);
  const reserves = reserveTokens(assembly, committed);
  assert.equal(reserves.spendableTokens, 900, "1000 are available, the pin has 100, no preamble is written");
  assert.equal(reserves.skeletonTokens, 150, "and in this profile the outline is paid apart");

  const candidates = await selectStrategies(assembly);
  assert.deepEqual(candidates, [
    { strategy: "relevance", confidence: 0.8 },
    { strategy: "recency", confidence: 0.6 },
  ]);
  const allocations = await allocateBudget(assembly, candidates, reserves.spendableTokens);
  assert.deepEqual(
    allocations.map(({ tokens }) => tokens),
    [514, 386],
  );
  const nominated = await executeStrategies(assembly, allocations, committed);
  assert.deepEqual(
    nominated.nominations.map(({ positions }) => {
      return [...positions].map((i) => request.fragments[i]!.fragmentId).join(" ");
    }),
    ["login readme call answer question session rules style", "question call answer style readme session login rules"],
    "in each the call stands beside its answer, where the better ranked of them stands",
  );

  const distinct = await deduplicate(assembly, nominated, committed);
  const resolved = await resolveDepths(assembly, distinct);
  const scoredNominations = await scoreFragments(assembly, resolved);
  const selection = await packFragments(assembly, scoredNominations, committed, reserves.spendableTokens);
  assert.deepEqual(
    idsOf(selection.fragments),
    ["login", "question", "session", "rules", "call", "answer"],
    "relevance buys the login with its session (450 of 514) and the question; recency the call with its answer",
  );

  const ordered = await orderFragments(assembly, selection);
  const preamble = await generatePreamble(assembly, ordered, reserves);
  const skeleton = await compressSkeleton(assembly, reserves);
  const payload = seal(assembly, { ordered, preamble, skeleton });

  assert.equal(payload.totalTokens, 800);
  assert.equal(payload.remainingTokens, 200);
  assert.equal(payload.budgetUsed, 0.8);
  assert.deepEqual(payload.strategiesUsed, ["relevance", "recency"]);
  assert.equal(payload.contextHash, independentHash(payload.fragments));
  assert.equal(payload.preamble, "");
  assert.deepEqual(idsOf(payload.skeletonFragments), ["parent"]);
  assert.equal(payload.skeletonTokens, 90);
  assert.deepEqual(payload.warnings, []);
});

test("and every fragment knows why it is in the payload, or is not", async () => {
  const payload = await assembled(draft);
  const told = [...payload.decisions].map(({ fragmentId, reason, relatedFragmentId, rank }) => {
    return `${fragmentId} ${reason} ${relatedFragmentId} ${rank}`;
  });
  assert.deepEqual(told, [
    `rules ${Reason.PINNED}  6`,
    `login ${Reason.CHOSEN}  0`,
    `session ${Reason.REQUIRED} login 5`,
    `call ${Reason.CHOSEN}  2`,
    `answer ${Reason.CHOSEN}  3`,
    `question ${Reason.CHOSEN}  4`,
    `readme ${Reason.OVER_BUDGET}  1`,
    `style ${Reason.OVER_BUDGET}  7`,
  ]);
});

test("and every stage tells how long it took", async () => {
  const { timings } = await assembled(draft);
  assert.deepEqual(
    timings.map(({ stage, component }) => `${stage}: ${component}`),
    [
      "strategy_selector: by_confidence",
      "budget_allocator: proportional",
      "strategy_executor: sequential",
      "deduplicator: pass_through",
      "depth_resolver: pass_through",
      "scorer: pass_through",
      "packer: in_order",
      "orderer: strategy",
      "preamble_generator: empty",
      "skeleton_compressor: unchanged",
    ],
  );
});
