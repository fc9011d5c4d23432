/** Requirements so many that to walk all of them would take minutes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Corner, fragment, payloadOf } from "./corners.fixture.js";
import { pipelineDraft } from "./drafts.fixture.js";

const PACKERS = ["in_order", "greedy_knapsack", "relaxation", "optimal"];

const packedBy = (packer: string) => pipelineDraft({ profile: "fusion", packer, options: { minFragmentTokens: 0 } });

/** What is kept, and the warnings. */
async function outcomeOf(corner: Corner): Promise<{ ids: string[]; warnings: string[] }> {
  const { fragments, warnings } = await payloadOf(corner);
  return { ids: fragments.map(({ fragmentId }) => fragmentId), warnings: warnings.map(({ code }) => code) };
}

test("of a chain as much comes in as there is room for", async () => {
  const length = 5_000;
  const fragments = Array.from({ length }, (_, i) =>
    fragment(`f${i}`, 0.5, 1, { requires: i + 1 < length ? [`f${i + 1}`] : [] }),
  );
  for (const packer of PACKERS) {
    const { ids, warnings } = await outcomeOf({ fragments, tokens: length / 2, pipeline: packedBy(packer) });
    assert.equal(ids.length, length / 2, packer);
    assert.deepEqual(warnings, [], packer);
  }
});

test("where the steps are used up, what needs little beside itself still comes in", async () => {
  // A tree of a thousand parts, which is too dear, though no branch of it is.
  const children = (i: number): string[] =>
    [2 * i + 1, 2 * i + 2].filter((one) => one < 1_000).map((one) => `part${one}`);
  const shared = Array.from({ length: 1_000 }, (_, i) => fragment(`part${i}`, 0.1, 10, { requires: children(i) }));
  const heads = Array.from({ length: 3_200 }, (_, i) => fragment(`head${i}`, 0.9, 1, { requires: ["part0"] }));
  const pair = [fragment("call", 0.2, 3, { requires: ["answer"] }), fragment("answer", 0, 3)];
  const fragments = [...heads, ...shared, ...pair];
  for (const packer of ["in_order", "greedy_knapsack"]) {
    const { ids, warnings } = await outcomeOf({ fragments, tokens: 9_999, pipeline: packedBy(packer) });
    assert.deepEqual(warnings, ["search_cut"], packer);
    assert.ok(ids.includes("call") && ids.includes("answer"), packer);
  }
});
