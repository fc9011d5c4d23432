import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetOf, fragmentsOf, pipelineDraft, scored } from "../core/drafts.fixture.js";
import { attachFake, PLAIN } from "./fake-client.fixture.js";
import { assembleWith, draft, hostingWith, STAGE_FIELDS } from "./hosting.fixture.js";

test("a hosted packer that tears, overspends or repeats is refused with what it did", async () => {
  const cases: readonly [readonly number[], RegExp][] = [
    [[0, 1], /spent 80 of 50 tokens/],
    [[0, 0], /twice/],
    [[7], /position 7/],
  ];
  for (const [chosen, message] of cases) {
    const hosting = hostingWith();
    attachFake(hosting, { answers: { packer: () => ({ chosen: [...chosen] }) } });
    const request = { ...draft, pipeline: pipelineDraft({ packer: "fake" }) };
    await assert.rejects(assembleWith(hosting, request), { reason: "COMPONENT_UNAVAILABLE", message });
  }
});

test("what a hosted depth resolver lets stand is packed, whatever its depth", async () => {
  const variants = [
    scored("full", 0.9, 40, { variantKey: "k", detailDepth: 9 }),
    scored("short", 0.8, 20, { variantKey: "k", detailDepth: 1 }),
  ];
  for (const [stands, expected] of [
    [0, "full"],
    [1, "short"],
  ] as const) {
    const hosting = hostingWith();
    const resolutions = [{ fragment: stands, alternatives: [1 - stands] }];
    attachFake(hosting, { answers: { depthResolver: () => ({ resolutions }) } });
    const pipeline = pipelineDraft({ profile: "fusion", depthResolver: "fake" });
    const { fragments, warnings } = await assembleWith(hosting, { ...draft, fragments: variants, pipeline });
    assert.deepEqual([fragments.map(({ fragmentId }) => fragmentId), warnings], [[expected], []]);
  }
});

test("a hosted depth resolver that leaves a fragment out, or names it twice, is refused", async () => {
  for (const resolutions of [
    [{ fragment: 0, alternatives: [] }],
    [
      { fragment: 0, alternatives: [1] },
      { fragment: 1, alternatives: [] },
    ],
  ]) {
    const hosting = hostingWith();
    attachFake(hosting, { answers: { depthResolver: () => ({ resolutions }) } });
    const pipeline = pipelineDraft({ profile: "fusion", depthResolver: "fake" });
    const { warnings } = await assembleWith(hosting, { ...draft, pipeline });
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ["component_failed_invariant"],
    );
  }
});

test("text that a component makes is counted by the server and cut to its share", async () => {
  const hosting = hostingWith();
  attachFake(hosting, { answers: { preambleGenerator: () => ({ text: "x".repeat(100) }) } });
  const request = { ...draft, pipeline: pipelineDraft({ preambleGenerator: "fake" }), budget: budgetOf(100) };
  const { preambleTokens, preamble, warnings } = await assembleWith(hosting, request);
  assert.deepEqual([preambleTokens, preamble], [10, "x".repeat(10)]);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["preamble_cut"],
  );
});

test("an outline keeps to the parents that were given, each once", async () => {
  for (const places of [[1], [0, 0]]) {
    const hosting = hostingWith();
    const outline = places.map((fragment) => ({ fragment, content: "x", detailDepth: 1 }));
    attachFake(hosting, { answers: { skeletonCompressor: () => ({ outline }) } });
    const request = {
      ...draft,
      pipeline: pipelineDraft({ skeletonCompressor: "fake" }),
      parentFragments: [scored("p", 1, 5)],
      skeletonRatio: 0.5,
    };
    const { warnings } = await assembleWith(hosting, request);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ["component_failed_invariant"],
    );
  }
});

test("a hosted token counter that counts wrong fails the call", async () => {
  for (const counts of [[], [-1], [1]]) {
    const hosting = hostingWith();
    attachFake(hosting, { answers: { tokenCounter: () => ({ counts }) } });
    const counter = hosting.counterOf("", "fake", undefined)!;
    await assert.rejects(async () => counter.count([""], new AbortController().signal), { kind: "invariant" });
  }
});

test("a client is asked through all roles of one assembly", async () => {
  const hosting = hostingWith({ stageTimeoutMs: 5_000, strategyTimeoutMs: 5_000 });
  const client = attachFake(hosting, { answers: PLAIN });
  const names = Object.fromEntries(
    Object.keys(pipelineDraft())
      .filter((key) => !["profile", "failurePolicies", "options"].includes(key))
      .map((key) => [key, "fake"]),
  );
  const request = {
    ...draft,
    strategies: [{ name: "fake" }],
    pipeline: pipelineDraft({ profile: "fusion", ...names, strategyExecutor: "" }),
    parentFragments: fragmentsOf(scored("p", 1, 5)).map((one) => scored(one.fragmentId, 1, 5)),
    skeletonRatio: 0.1,
  };
  const { warnings } = await assembleWith(hosting, request);
  assert.deepEqual(
    warnings.filter(({ code }) => code.startsWith("component_failed")),
    [],
  );
  const kinds = client.heard.flatMap((one) => (one.$case === "invoke" ? [one.value.input!.$case] : []));
  // An executor of the client's would run all strategies in one question; the built-in one asks each.
  assert.deepEqual(
    kinds,
    STAGE_FIELDS.map((stage) => (stage === "strategyExecutor" ? "strategy" : stage)),
  );
});
