import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentDraft, fragmentsOf } from "../drafts.fixture.js";
import { ContextError } from "../errors.js";
import type { TokenCounter } from "../token-counter.js";
import { countFragments } from "./count-fragments.js";

const { signal } = new AbortController();

function counting(count: TokenCounter["count"]): TokenCounter {
  return { name: "mine", estimated: true, count };
}

const lists = [
  fragmentsOf(fragmentDraft({ content: "abc" }), fragmentDraft({ content: "declared", tokenCount: 0 })),
  fragmentsOf(fragmentDraft({ content: "parent" })),
];

test("what is not counted is counted in one call, over all lists", async () => {
  const calls: string[][] = [];
  const counter = counting((texts) => {
    calls.push([...texts]);
    return texts.map(({ length }) => length);
  });
  const [own, parents] = await countFragments(lists, counter, signal);
  assert.deepEqual(calls, [["abc", "parent"]]);
  assert.deepEqual(
    own!.map(({ tokenCount, tokensEstimated }) => ({ tokenCount, tokensEstimated })),
    [
      { tokenCount: 3, tokensEstimated: true },
      { tokenCount: 0, tokensEstimated: false },
    ],
  );
  assert.equal(parents![0]!.tokenCount, 6);
});

test("a counter is not asked where every count is declared", async () => {
  const declared = [fragmentsOf(fragmentDraft({ tokenCount: 7 }))];
  const counter = counting(() => assert.fail("asked"));
  assert.deepEqual(await countFragments(declared, counter, signal), declared);
});

test("a counter may answer later", async () => {
  const counter = counting(async (texts) => texts.map(() => 9));
  const [own] = await countFragments(lists, counter, signal);
  assert.equal(own![0]!.tokenCount, 9);
});

test("a counter that answers with anything but whole numbers fails the call by name", async () => {
  const faulty = [
    [1],
    [1, 2, 3],
    [1, Number.NaN],
    [1, -1],
    [1, 0.5],
    [1, 2_147_483_648],
    [1, Number.POSITIVE_INFINITY],
  ];
  for (const counts of faulty) {
    await assert.rejects(
      async () =>
        countFragments(
          lists,
          counting(() => counts),
          signal,
        ),
      (error) => {
        assert.ok(error instanceof ContextError, String(error));
        assert.equal(error.reason, "COMPONENT_FAILED");
        assert.deepEqual(error.metadata, { role: "token_counter", component: "mine" });
        return true;
      },
      String(counts),
    );
  }
});
