import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInRegistry } from "../../built-in.js";
import { assembled, budgetOf, idsOf, scored } from "../../drafts.fixture.js";
import { ContextError } from "../../errors.js";
import { answering, packing, ranking, registryWith } from "../../faulty-components.fixture.js";
import { type Payload, Reason } from "../../model/payload.js";
import { Registry } from "../../registry.js";
import type { Packing } from "../packing.js";
import { codes, selected, turn } from "./turn.fixture.js";

const decisionOf = ({ decisions }: Payload, id: string) => [...decisions].find(({ fragmentId }) => fragmentId === id)!;

const four = [scored("a", 0.9, 40), scored("b", 0.8, 20), scored("c", 0.7, 30), scored("d", 0.6, 25)];

test("where nothing is short, everything is in", async () => {
  const payload = await assembled(turn(["b"], four, { budget: budgetOf(115) }));
  assert.equal(selected(payload), "a b c d");
  assert.equal(payload.totalTokens, 115);
});

test("what was there stays beside what is deserved at the low mark, as long as both fit", async () => {
  // At 60 the best two are deserved; d was there and costs 25 more; c would fit without it.
  const payload = await assembled(turn(["d", "b"], four));
  assert.equal(selected(payload), "a b d");
  assert.equal(codes(payload), "");
  const { reason, stage, tokensMissing, tokensMissingExact, detail } = decisionOf(payload, "c");
  assert.deepEqual([reason, stage], [Reason.OVER_BUDGET, 7]);
  assert.deepEqual([tokensMissing, tokensMissingExact], [undefined, false], "it would fit: no number is right");
  assert.match(detail, /water marks/);
});

test("what a plain packing would drop lacks what it lacks there, as an estimate", async () => {
  const payload = await assembled(turn(["b"], [...four, scored("e", 0.5, 90)]));
  assert.equal(selected(payload), "a b");
  const { tokensMissing, tokensMissingExact, reason } = decisionOf(payload, "e");
  assert.deepEqual([reason, tokensMissing, tokensMissingExact], [Reason.OVER_BUDGET, 105, false]);
});

test("an estimate under a high mark is in tokens of the budget", async () => {
  const options = { highWaterMark: 0.5, lowWaterMark: 0.5 };
  const payload = await assembled(turn(["a"], [scored("a", 0.9, 40), scored("b", 0.8, 30)], { options }));
  assert.equal(decisionOf(payload, "b").tokensMissing, 40, "70 at a half are 140");
});

test("where both do not fit, the selection is cut back to the low mark, and says so", async () => {
  const payload = await assembled(turn(["d", "c"], four));
  assert.equal(selected(payload), "a b");
  assert.equal(payload.stablePrefixTokens, 0);
  const [warning] = payload.warnings;
  assert.deepEqual(
    [warning?.code, warning?.stage, warning?.component],
    ["cut_to_low_water_mark", "packer", "in_order"],
  );
  assert.match(warning!.message, /60 tokens/);
});

test("the marks are the request's", async () => {
  const low = await assembled(turn(["d", "c"], four, { options: { lowWaterMark: 0.4 } }));
  assert.equal(selected(low), "a c d", "at 40 a alone is deserved, and 95 tokens fit");
  const high = await assembled(turn(["d", "b"], four, { options: { highWaterMark: 0.8 } }));
  assert.equal(selected(high), "a b");
  assert.equal(codes(high), "cut_to_low_water_mark");
});

test("without a previous payload, or under another orderer, they do not act", async () => {
  for (const draft of [turn([], four), turn(["d", "b"], four, { stages: { orderer: "source" } })]) {
    const payload = await assembled(draft);
    assert.equal(selected(payload), "a b c");
    assert.equal(decisionOf(payload, "d").tokensMissingExact, true);
  }
});

test("a client's orderer that keeps the prefix is served alike", async () => {
  const orderer = { order: <T>(given: T) => given, keepsPrefix: true };
  const payload = await assembled(
    turn(["d", "b"], four, { stages: { orderer: "bad" } }),
    registryWith("orderer", orderer),
  );
  assert.equal(selected(payload), "a b d");
});

test("pins are paid before, and the marks are shares of what they leave", async () => {
  const fragments = [scored("pin", 0, 100, { pinned: true }), ...four];
  const payload = await assembled(turn(["pin", "d", "b"], fragments, { budget: budgetOf(200) }));
  assert.equal(selected(payload), "a b d pin");
  assert.equal(payload.stablePrefixTokens, 145);
});

test("a unit that is larger than the low mark is not lost to it", async () => {
  const fragments = [scored("u1", 0.5, 20), scored("u2", 0.5, 20), scored("long question", 0.5, 90)];
  const strategies = [{ name: "sliding_window" }];
  const payload = await assembled(turn(["u1", "u2"], fragments, { strategies }));
  assert.equal(selected(payload), "long question");
  assert.match(payload.warnings[0]!.message, /90 tokens/);
});

test("a group that is larger than the low mark is not lost to it either", async () => {
  const group = { groupId: "g" };
  const fragments = [scored("call", 0.9, 40, group), scored("result", 0.9, 45, group), scored("x", 0.5, 20)];
  const payload = await assembled(turn(["x"], fragments));
  assert.equal(selected(payload), "call result");
});

test("a window gets no holes: after a long absence it is cut back", async () => {
  const messages = Array.from({ length: 12 }, (_, i) => scored(`m${i}`, 0.5, 10));
  const strategies = [{ name: "sliding_window" }];
  const after = (...ids: string[]) => assembled(turn(ids, messages, { strategies }));
  const payload = await after("m1", "m2");
  assert.equal(
    selected(payload),
    idsOf(messages.slice(6) as never)
      .sort()
      .join(" "),
  );
  assert.equal(codes(payload), "cut_to_low_water_mark");
  const kept = await after("m4", "m5", "m6");
  assert.equal(selected(kept), "m10 m11 m4 m5 m6 m7 m8 m9");
  assert.equal(codes(kept), "");
});

test("a ranking that skips misses may have holes", async () => {
  const messages = Array.from({ length: 12 }, (_, i) =>
    scored(`m${i}`, 0.5, 10, { createdAt: { seconds: i, nanos: 0 } }),
  );
  const payload = await assembled(turn(["m1", "m2"], messages, { strategies: [{ name: "recency" }] }));
  assert.equal(selected(payload), "m1 m10 m11 m2 m6 m7 m8 m9");
});

test("several strategies have their shares at each mark", async () => {
  const strategies = [
    { name: "relevance", confidence: 0.5 },
    { name: "recency", confidence: 0.5 },
  ];
  const at = (seconds: number) => ({ createdAt: { seconds, nanos: 0 } });
  const fragments = [
    scored("r1", 0.9, 30, at(1)),
    scored("r2", 0.8, 30, at(2)),
    scored("n1", 0.1, 30, at(9)),
    scored("n2", 0.2, 30, at(8)),
  ];
  const payload = await assembled(turn(["n2"], fragments, { strategies }));
  assert.equal(selected(payload), "n1 n2 r1", "each buys one at 30 of 60, and n2 was there");
  assert.deepEqual(payload.strategiesUsed, ["relevance", "recency"]);
});

test("what no budget lets in any more holds nothing up, and has its reason", async () => {
  const key = { variantKey: "v", ukoNode: "project://v" };
  const fragments = [
    scored("deep", 0.9, 40, { ...key, detailDepth: 9 }),
    scored("shallow", 0.9, 10, { ...key, detailDepth: 1 }),
    scored("x", 0.8, 30),
    scored("y", 0.7, 40),
  ];
  const stages = { packer: "greedy_knapsack" };
  const payload = await assembled(turn(["shallow", "x"], fragments, { stages, options: { lowWaterMark: 0.7 } }));
  assert.equal(selected(payload), "deep x");
  assert.equal(codes(payload), "");
  assert.equal(decisionOf(payload, "shallow").reason, Reason.OTHER_VARIANT);
});

test("a group keeps the variant that was there, though a deeper one would have room", async () => {
  const part = { groupId: "g", variantKey: "answer" };
  const fragments = [
    scored("x", 0.9, 50),
    scored("y", 0.85, 20),
    scored("call", 0.8, 10, { groupId: "g" }),
    scored("long", 0.8, 35, { ...part, detailDepth: 9 }),
    scored("short", 0.8, 20, { ...part, detailDepth: 1 }),
    scored("z", 0.7, 40),
  ];
  const payload = await assembled(turn(["call", "short"], fragments, { stages: { packer: "greedy_knapsack" } }));
  assert.equal(selected(payload), "call short x");
  assert.equal(codes(payload), "");
});

test("what only a requirement would have brought was not nominated, and is not said to be kept out", async () => {
  const needy = scored("b", 0.8, 20, { requires: ["c"] });
  const fragments = [scored("a", 0.9, 60), needy, scored("c", 0.7, 10), scored("d", 0.6, 30)];
  const strategies = [{ name: "without c" }];
  const registry = new Registry(builtInRegistry()).addStrategy(
    ranking("without c", ({ fragments: all }) => ({ fragments: [all[0]!, all[1]!, all[3]!], miss: "skip" })),
  );
  const payload = await assembled(turn(["d"], fragments, { strategies }), registry);
  assert.equal(selected(payload), "a d");
  assert.deepEqual(
    ["b", "c"].map((id) => decisionOf(payload, id).reason),
    [Reason.OVER_BUDGET, Reason.NOT_NOMINATED],
  );
});

test("a report compares with every set that fits at the high mark", async () => {
  const stages = { packer: "optimal" };
  const { packing: report } = await assembled(turn(["d"], four, { stages }));
  const { packing: best } = await assembled(turn([], four, { stages }));
  assert.equal(report!.upperBound, best!.value);
  assert.ok(report!.value < best!.value);
  assert.equal(report!.provenOptimal, false);
});

test("under a high mark the report still compares with every set within the budget", async () => {
  for (const packer of ["optimal", "greedy_knapsack"]) {
    const stages = { packer };
    const options = { highWaterMark: 0.7, minFragmentTokens: 0 };
    const { packing: report } = await assembled(turn(["d"], four, { stages, options }));
    const { packing: best } = await assembled(turn([], four, { stages: { packer: "optimal" } }));
    assert.ok(report!.upperBound >= best!.value, `${report!.upperBound} of ${packer}`);
    assert.equal(report!.packer, packer);
  }
});

test("a packer that breaks its contract in any of its runs is named", async () => {
  const greedy = packing(({ fragments, tokens }) => ({
    chosenBy: Uint8Array.from(fragments, (_, i) => (tokens === 100 ? Number(i < 2) : 1)),
  }));
  const registry = registryWith("packer", answering("packer", greedy));
  const draft = turn(["b"], four, { stages: { packer: "bad" } });
  await assert.rejects(assembled(draft, registry), (error) => {
    assert.ok(error instanceof ContextError);
    assert.equal(error.reason, "COMPONENT_FAILED");
    assert.deepEqual(error.metadata, { role: "packer", component: "bad" });
    assert.match(error.message, /spent 115 of 60 tokens/);
    return true;
  });
});

test("a hosted packer that breaks its contract in any of its runs gives way, where the request says so", async () => {
  const overspends = packing(({ fragments, tokens }) => ({
    chosenBy: Uint8Array.from(fragments, (_, i) => (tokens === 100 ? Number(i < 2) : 1)),
  }));
  const hosted = new Registry(builtInRegistry(), "hosted").addComponent("packer", "bad", () => ({
    pack: (input) => overspends(input) as Packing,
  }));
  const failurePolicies = [{ stage: 7, policy: 3 }];
  const payload = await assembled(turn(["b"], four, { stages: { packer: "bad", failurePolicies } }), hosted);
  assert.equal(codes(payload), "component_failed_invariant");
  assert.equal(selected(payload), selected(await assembled(turn(["b"], four))));
});

test("a stage that packs thrice has one timing", async () => {
  const { timings } = await assembled(turn(["d", "c"], four));
  assert.equal(timings.filter(({ stage }) => stage === "packer").length, 1);
});
