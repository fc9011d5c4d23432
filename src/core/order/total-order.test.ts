import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fragmentDraft, fragmentsOf } from "../drafts.fixture.js";
import type { Fragment, FragmentDraft } from "../model/fragment.js";
import { compareTotal } from "./total-order.js";

const at = (seconds: number) => ({ seconds, nanos: 0 });
const from = (fields: Partial<Fragment["provenance"]>) => ({
  resourceUri: "",
  resourceType: "",
  location: "",
  mergedFrom: [],
  ...fields,
});

/** For each rule of the order, in its order: what stands first and what stands second. */
const rules: readonly [rule: string, first: Partial<FragmentDraft>, second: Partial<FragmentDraft>][] = [
  ["node", { ukoNode: "a" }, { ukoNode: "b" }],
  ["given id", { fragmentId: "a" }, { fragmentId: "b" }],
  ["content, where no id was given", { content: "a" }, { content: "b" }],
  ["deeper", { detailDepth: 9 }, { detailDepth: 2 }],
  ["role number", { role: 1 }, { role: 4 }],
  ["fewer tokens", { tokenCount: 1 }, { tokenCount: 2 }],
  ["newer", { createdAt: at(2) }, { createdAt: at(1) }],
  ["tier number", { tier: 1 }, { tier: 3 }],
  ["higher relevance", { relevanceScore: 0.9 }, { relevanceScore: 0.8 }],
  ["metadata by key", { metadata: new Map([["a", "z"]]) }, { metadata: new Map([["b", "a"]]) }],
  ["metadata by value", { metadata: new Map([["a", "y"]]) }, { metadata: new Map([["a", "z"]]) }],
  ["less metadata", {}, { metadata: new Map([["a", "y"]]) }],
  ["resource", { provenance: from({ resourceUri: "a" }) }, { provenance: from({ resourceUri: "b" }) }],
  ["resource type", { provenance: from({ resourceType: "a" }) }, { provenance: from({ resourceType: "b" }) }],
  ["location", { provenance: from({ location: "a" }) }, { provenance: from({ location: "b" }) }],
  ["group", { groupId: "a" }, { groupId: "b" }],
  ["variant key", { variantKey: "a" }, { variantKey: "b" }],
  ["vector", { vector: [1, 2] }, { vector: [1, 3] }],
];

rules.forEach(([rule, first, second], i) => {
  test(`ties are decided by ${rule}, in any order of the input`, () => {
    const [a, b] = fragmentsOf(fragmentDraft(first), fragmentDraft(second)) as [Fragment, Fragment];
    assert.ok(compareTotal(a, b) < 0);
    assert.ok(compareTotal(b, a) > 0);
    const [y, x] = fragmentsOf(fragmentDraft(second), fragmentDraft(first)) as [Fragment, Fragment];
    assert.ok(compareTotal(x, y) < 0);
  });

  if (rule.startsWith("given id") || rule.startsWith("less")) return;
  test(`${rule} comes before every rule after it`, () => {
    for (const [later, laterFirst, laterSecond] of rules.slice(i + 1)) {
      const [a, b] = fragmentsOf(
        fragmentDraft({ ...laterSecond, ...first }),
        fragmentDraft({ ...laterFirst, ...second }),
      ) as [Fragment, Fragment];
      if (Object.keys(first)[0] === Object.keys(laterFirst)[0]) continue;
      if ("provenance" in first || "metadata" in laterFirst) continue;
      assert.ok(compareTotal(a, b) < 0, later);
    }
  });
});

test("an id that the server made decides nothing", () => {
  const [first, second] = fragmentsOf(fragmentDraft({ content: "b" }), fragmentDraft({ content: "a" })) as [
    Fragment,
    Fragment,
  ];
  assert.ok(first.fragmentId < second.fragmentId);
  assert.ok(compareTotal(first, second) > 0);
});

test("with given ids the content decides late", () => {
  const [a, b] = fragmentsOf(
    fragmentDraft({ fragmentId: "a", content: "z" }),
    fragmentDraft({ fragmentId: "b", content: "a" }),
  ) as [Fragment, Fragment];
  assert.ok(compareTotal(a, b) < 0);
});

test("the order of metadata in its map means nothing", () => {
  const entries: [string, string][] = [
    ["a", "1"],
    ["b", "2"],
  ];
  const [a, b] = fragmentsOf(
    fragmentDraft({ metadata: new Map(entries) }),
    fragmentDraft({ metadata: new Map([...entries].reverse()) }),
  ) as [Fragment, Fragment];
  assert.ok(compareTotal(a, b) < 0, "and so the position in the input decides");
});

const drafts: fc.Arbitrary<FragmentDraft> = fc
  .record({
    fragmentId: fc.constant(""),
    ukoNode: fc.constantFrom("a", "\u{ffff}", "\u{10000}"),
    content: fc.constantFrom("", "x", "😀"),
    detailDepth: fc.constantFrom(0, 9),
    role: fc.constantFrom(0, 1),
    tokenCount: fc.constantFrom(0, 5),
    createdAt: fc.constantFrom(at(1), at(2)),
    tier: fc.constantFrom(0, 1),
    relevanceScore: fc.constantFrom(0.7, 0.7000000000000001),
    metadata: fc.constantFrom(new Map(), new Map([["a", "b"]])),
    groupId: fc.constantFrom("", "g"),
    variantKey: fc.constantFrom("", "v"),
    pinned: fc.boolean(),
  })
  .map(fragmentDraft);

/** Fragments, some of them with ids of their own. */
const pools = fc
  .array(fc.record({ draft: drafts, named: fc.boolean() }), { minLength: 3, maxLength: 12 })
  .map((list) => fragmentsOf(...list.map(({ draft, named }, i) => ({ ...draft, fragmentId: named ? `id${i}` : "" }))));

test("any two different fragments have an order, and the opposite one the other way round", () => {
  fc.assert(
    fc.property(pools, (pool) => {
      for (const a of pool) {
        for (const b of pool) {
          const order = Math.sign(compareTotal(a, b));
          assert.equal(order, 0 - Math.sign(compareTotal(b, a)));
          assert.equal(order === 0, a === b);
        }
      }
    }),
    { seed: 1, numRuns: 200 },
  );
});

test("what stands before another stands before all that come after it", () => {
  fc.assert(
    fc.property(pools, (pool) => {
      for (const a of pool) {
        for (const b of pool) {
          if (compareTotal(a, b) >= 0) continue;
          for (const c of pool) if (compareTotal(b, c) < 0) assert.ok(compareTotal(a, c) < 0);
        }
      }
    }),
    { seed: 1, numRuns: 200 },
  );
});

test("any order of the input sorts to the same, but for the twins", () => {
  const permuted = fc
    .array(drafts, { minLength: 2, maxLength: 10 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
  const sorted = (list: FragmentDraft[]) =>
    fragmentsOf(...list)
      .sort(compareTotal)
      .map(({ fragmentId: _id, inputIndex: _index, metadata, ...rest }) => ({ ...rest, metadata: [...metadata] }));
  fc.assert(
    fc.property(permuted, ([list, shuffled]) => {
      assert.deepEqual(sorted(shuffled), sorted(list));
    }),
    { seed: 1, numRuns: 200 },
  );
});
