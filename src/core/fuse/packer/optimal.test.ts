import assert from "node:assert/strict";
import { test } from "node:test";
import { scored, testRun } from "../../drafts.fixture.js";
import type { FragmentDraft } from "../../model/fragment.js";
import { Reason } from "../../model/payload.js";
import type { PipelineOptions } from "../../model/pipeline-spec.js";
import type { Packing } from "../packing.js";
import { type InputFields, inputOf, PLAIN } from "./optimal/random-pools.fixture.js";
import { createOptimal } from "./optimal.js";

interface Settings {
  readonly options?: PipelineOptions;
  readonly fields?: Partial<InputFields>;
}

function packed(tokens: number, drafts: FragmentDraft[], { options = {}, fields = {} }: Settings = {}) {
  const input = inputOf(drafts, tokens, { ...PLAIN, ...fields });
  const packing = createOptimal(options).pack(input, testRun()) as Packing;
  const ids = input.fragments.filter((_, i) => packing.chosenBy[i] !== 0).map(({ fragmentId }) => fragmentId);
  const reasons = new Map([...packing.unreachable].map(([{ fragmentId }, reason]) => [fragmentId, reason]));
  return { ids, reasons, packing, report: packing.report! };
}

/** The id and the fields of a shallower variant of a node. */
const variant = (ukoNode: string, detailDepth: number): Partial<FragmentDraft> => ({ ukoNode, detailDepth });

test("two that are worth more together beat the best one", () => {
  const { ids, report } = packed(
    300,
    [scored("big", 0.7, 250), scored("s1", 0.5, 150), scored("s2", 0.45, 150)].map(apart),
  );
  assert.deepEqual(ids, ["s1", "s2"]);
  assert.deepEqual(report, {
    ...report,
    value: 0.95,
    upperBound: 0.95,
    gap: 0,
    provenOptimal: true,
    packer: "optimal",
  });
});

/** Without a node of its own each would be a variant of the others. */
function apart(draft: FragmentDraft): FragmentDraft {
  return { ...draft, ukoNode: draft.fragmentId };
}

test("a shorter variant leaves room for another", () => {
  const drafts = [
    scored("full", 0.9, 500, variant("a", 9)),
    scored("short", 0.5, 50, variant("a", 1)),
    scored("other", 0.6, 100, variant("b", 9)),
  ];
  const { ids, report, reasons } = packed(200, drafts);
  assert.deepEqual([ids, report.value], [["short", "other"], 1.1]);
  assert.equal(reasons.has("full"), false, "it was over budget");
  assert.deepEqual(packed(600, drafts).ids, ["full", "other"]);
  assert.equal(packed(600, drafts).reasons.get("short"), Reason.OTHER_VARIANT);
});

test("worth is what is above the baseline, so that many worthless ones never beat a good one", () => {
  const drafts = [...["n0", "n1", "n2"].map((id) => scored(id, 0.3, 33)), scored("good", 0.7, 100)].map(apart);
  const { ids, report } = packed(100, drafts, { fields: { baseline: 0.3 } });
  assert.deepEqual([ids, report.value], [["good"], 0.4]);
});

test("what is worth nothing and still fits is added in the total order", () => {
  const drafts = [scored("b", 0, 60), scored("a", 0, 50), scored("c", 0, 40), scored("good", 1, 10)].map(apart);
  const { ids, report } = packed(105, drafts);
  assert.deepEqual([ids, report.value, report.provenOptimal], [["a", "c", "good"], 1, true]);
});

test("of equal values the fewer tokens, of equal tokens the earliest fragment in which they differ", () => {
  assert.deepEqual(packed(20, [scored("a", 0.5, 20), scored("b", 0.5, 15)].map(apart)).ids, ["b"]);
  assert.deepEqual(packed(20, [scored("b", 0.5, 20), scored("a", 0.5, 20)].map(apart)).ids, ["a"]);
  // A key stands where its deepest variant does, though that one does not fit: at x, which is before y.
  const keys = [
    scored("deep", 0.5, 90, { ...variant("x", 9), variantKey: "late" }),
    scored("short", 0.5, 20, { ...variant("z", 0), variantKey: "late" }),
    scored("y", 0.5, 20, { ukoNode: "y" }),
  ];
  assert.deepEqual(packed(20, keys).ids, ["short"]);
});

test("a chain of requirements is taken whole or not at all", () => {
  const drafts = [
    scored("A", 0.9, 30, { requires: ["B"] }),
    scored("B", 0.1, 50, { requires: ["C"] }),
    scored("C", 0.1, 40),
    scored("D", 0.5, 100),
  ].map(apart);
  assert.deepEqual(packed(120, drafts).ids, ["A", "B", "C"]);
  assert.deepEqual(packed(110, drafts).ids, ["D"]);
});

test("a cycle is one unit, and a group too", () => {
  const cycle = [
    scored("a", 0.4, 10, { requires: ["b"] }),
    scored("b", 0.4, 10, { requires: ["a"] }),
    scored("c", 0.7, 19),
  ];
  assert.deepEqual(packed(20, cycle.map(apart)).ids, ["a", "b"]);
  assert.deepEqual(packed(19, cycle.map(apart)).ids, ["c"]);
  const group = [
    scored("call", 0.4, 10, { groupId: "g" }),
    scored("answer", 0.4, 10, { groupId: "g" }),
    scored("c", 0.7, 19),
  ];
  assert.deepEqual(packed(20, group.map(apart)).ids, ["call", "answer"]);
});

test("a group is whole with one alternative of each part, the one that is worth most", () => {
  const part = (id: string, score: number, tokens: number, detailDepth: number) =>
    scored(id, score, tokens, { ukoNode: id, groupId: "g", variantKey: "answer", detailDepth });
  const drafts = [
    apart(scored("call", 0.1, 10, { groupId: "g" })),
    part("long", 0.9, 90, 9),
    part("short", 0.5, 20, 1),
  ];
  assert.deepEqual(packed(100, drafts).ids, ["call", "long"]);
  assert.deepEqual(packed(99, drafts).ids, ["call", "short"]);
  assert.deepEqual(packed(29, drafts).ids, []);
});

test("what nobody nominated enters only where something needs it, and says for whom", () => {
  const drafts = [scored("a", 0.9, 10, { requires: ["b"] }), scored("b", 0.8, 10), scored("c", 0.7, 0)].map(apart);
  const { ids, packing } = packed(100, drafts, { fields: { isNominated: ({ fragmentId }) => fragmentId === "a" } });
  assert.deepEqual(ids, ["a", "b"]);
  assert.deepEqual(
    Array.from(packing.required, ([one, by]) => [one.fragmentId, by.fragmentId]),
    [["b", "a"]],
  );
});

test("what was nominated is chosen, though another needs it", () => {
  const drafts = [scored("a", 0.9, 10, { requires: ["b"] }), scored("b", 0.1, 10)].map(apart);
  assert.equal(packed(100, drafts).packing.required.size, 0);
});

test("pins are in, their value counts, and their keys have no alternatives", () => {
  const drafts = [
    scored("pin", 0.2, 10, { ...variant("a", 1), pinned: true }),
    scored("deep", 0.9, 10, variant("a", 9)),
    scored("b", 0.5, 10, variant("b", 1)),
  ];
  const { ids, report, reasons } = packed(100, drafts);
  assert.deepEqual([ids, report.value], [["pin", "b"], 0.7]);
  assert.equal(reasons.get("deep"), Reason.OTHER_VARIANT);
});

test("whoever needs what cannot enter cannot either", () => {
  const drafts = [scored("a", 0.9, 10, { requires: ["b"] }), scored("b", 0.9, 10)].map(apart);
  const { ids, reasons } = packed(100, drafts, { fields: { isOut: ({ fragmentId }) => fragmentId === "b" } });
  assert.deepEqual([ids, reasons.get("a")], [[], Reason.REQUIREMENT_MISSING]);
});

test("a minimum relevance keeps out what nothing needs", () => {
  const drafts = [scored("a", 0.9, 10, { requires: ["b"] }), scored("b", 0.1, 10), scored("c", 0.2, 10)].map(apart);
  const { ids, reasons } = packed(100, drafts, { options: { minRelevance: 0.5 } });
  assert.deepEqual([ids, reasons.get("c")], [["a", "b"], Reason.BELOW_MINIMUM_VALUE]);
});

test("the value may count tokens, or their square root", () => {
  const drafts = [scored("long", 0.6, 100), scored("s1", 0.9, 50), scored("s2", 0.2, 50)].map(apart);
  assert.deepEqual(packed(100, drafts).ids, ["s1", "s2"]);
  const { ids, report } = packed(100, drafts, { options: { valueExponent: 1 } });
  assert.deepEqual([ids, report.value], [["long"], 60]);
  const root = packed(100, drafts, { options: { valueExponent: 0.5 } });
  assert.deepEqual(root.ids, ["s1", "s2"]);
  assert.ok(Math.abs(root.report.value - 1.1 * Math.sqrt(50)) < 1e-6 && root.report.provenOptimal);
});

test("equal scores leave no gap", () => {
  const drafts = Array.from({ length: 500 }, (_, i) => apart(scored(`f${i}`, 0.5, 100 + (i % 7) * 100)));
  const { report } = packed(10_000, drafts);
  // The 72 of 100 tokens, and 14 of 200.
  assert.deepEqual([report.value, report.provenOptimal, report.gap], [43, true, 0]);
});

test("where the steps end, the best found has a bound", () => {
  const drafts = Array.from({ length: 60 }, (_, i) =>
    apart(scored(`f${i}`, (200 + ((i * 37) % 101)) / 400, 100 + ((i * 37) % 101))),
  );
  const { report } = packed(2_000, drafts, { options: { packerStepLimit: 1 } });
  assert.ok(report.upperBound >= report.value && report.gap < 0.05);
});

test("it breathes, and goes on after a pause", async () => {
  let pauses = 0;
  const breathe = () =>
    new Promise<void>((resolve) => {
      pauses++;
      setImmediate(resolve);
    });
  const input = inputOf([apart(scored("a", 1, 10)), apart(scored("b", 0.5, 10))], 10);
  const packing = await createOptimal({}).pack(input, testRun({ breathe }));
  assert.deepEqual([...packing.chosenBy], [1, 0]);
  assert.ok(pauses > 3);
});

test("an empty pool has an empty payload of no value", () => {
  const { report, ids } = packed(10, []);
  assert.deepEqual([ids, report.value, report.gap, report.provenOptimal], [[], 0, 0, true]);
});
