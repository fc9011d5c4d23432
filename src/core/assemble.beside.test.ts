/** What stands beside the fragments: the preamble before them, and the outline of the parents. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assembled, budgetOf, idsOf, scored } from "./drafts.fixture.js";
import { draft, registryWith, using } from "./faulty-components.fixture.js";
import type { Fragment } from "./model/fragment.js";

test("a preamble is cut to what is set aside for it, and the payload says so", async () => {
  const registry = registryWith("preamble_generator", { generate: () => "😀".repeat(500) });
  const payload = await assembled({ ...draft, budget: budgetOf(130), ...using("preamble_generator") }, registry);
  assert.equal(payload.preamble, "😀".repeat(6));
  assert.equal(payload.preambleTokens, 12);
  assert.deepEqual(
    payload.warnings.map(({ code, component }) => [code, component]),
    [["preamble_cut", "bad"]],
  );
});

test("a preamble with half a pair leaves as valid text", async () => {
  const registry = registryWith("preamble_generator", { generate: () => "a\ud83d" });
  const { preamble } = await assembled({ ...draft, ...using("preamble_generator") }, registry);
  assert.equal(preamble, "a\ufffd");
});

test("an outline over its share is kept, and warned of", async () => {
  const payload = await assembled({ ...draft, parentFragments: [scored("p", 1, 16)] });
  assert.deepEqual(idsOf(payload.skeletonFragments), ["p"]);
  assert.equal(payload.skeletonTokens, 16);
  assert.deepEqual(
    payload.warnings.map(({ code }) => code),
    ["skeleton_over_share"],
  );
});

test("without parents, or at a ratio of 0, no outline is asked for", async () => {
  const registry = registryWith("skeleton_compressor", { compress: () => assert.fail("asked") });
  const request = { ...draft, ...using("skeleton_compressor") };
  await assembled({ ...request, parentFragments: [] }, registry);
  await assembled({ ...request, skeletonRatio: 0 }, registry);
});

test("the outline is asked for with its share of what is available", async () => {
  const given: number[] = [];
  const compress = (parents: readonly Fragment[], maxTokens: number) => {
    given.push(maxTokens);
    return parents;
  };
  const registry = registryWith("skeleton_compressor", { compress });
  const request = { ...draft, ...using("skeleton_compressor") };
  await assembled({ ...request, budget: budgetOf(1_200, 200) }, registry);
  await assembled({ ...request, budget: budgetOf(2_000), skeletonRatio: 0.25 }, registry);
  assert.deepEqual(given, [150, 500]);
});
