import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentsOf, idsOf, NOON, scored, testRun } from "../drafts.fixture.js";
import { readColumns } from "../model/columns.js";
import type { FragmentDraft } from "../model/fragment.js";
import { recency } from "./recency.js";
import { relevance } from "./relevance.js";
import type { Ranking, Strategy } from "./strategy.js";
import { tiered } from "./tiered.js";

const at = (seconds: number, nanos = 0) => ({ createdAt: { seconds, nanos } });

function rank(strategy: Strategy, ...drafts: FragmentDraft[]): Ranking {
  const fragments = fragmentsOf(...drafts);
  return strategy.rank({ fragments, columns: readColumns(fragments), query: "", asOf: NOON }, testRun()) as Ranking;
}

const ranked = (strategy: Strategy, ...drafts: FragmentDraft[]) => idsOf(rank(strategy, ...drafts).fragments);

test("relevance ranks the most relevant first", () => {
  assert.deepEqual(ranked(relevance, scored("a", 0.2, 1), scored("b", 0.9, 1), scored("c", 0.5, 1)), ["b", "c", "a"]);
});

test("relevances that are equal to twelve decimals tie", () => {
  assert.deepEqual(ranked(relevance, scored("b", 0.7000000000000001, 1), scored("a", 0.7, 1)), ["a", "b"]);
});

test("the scores of relevance are the relevances", () => {
  const { scores } = rank(relevance, scored("a", 0.2, 1), scored("b", 0.9, 1));
  assert.deepEqual([...scores!], [0.9, 0.2]);
});

test("recency ranks the newest first, to the nanosecond", () => {
  const drafts = [scored("a", 1, 1, at(5, 1)), scored("b", 0, 1, at(5, 2)), scored("c", 1, 1, at(-9))];
  assert.deepEqual(ranked(recency, ...drafts), ["b", "a", "c"]);
});

test("of equally new fragments recency ranks the more relevant first", () => {
  assert.deepEqual(ranked(recency, scored("a", 0.1, 1, at(5)), scored("b", 0.9, 1, at(5))), ["b", "a"]);
});

test("tiered ranks hot, warm, cold, then relevance, then the newest", () => {
  const drafts = [
    scored("cold", 1, 1, { tier: 3 }),
    scored("absent", 0.5, 1),
    scored("warm", 0.6, 1, { tier: 2 }),
    scored("hot", 0, 1, { tier: 1 }),
    scored("hot old", 0.5, 1, { tier: 1, ...at(1) }),
    scored("hot new", 0.5, 1, { tier: 1, ...at(2) }),
  ];
  assert.deepEqual(ranked(tiered, ...drafts), ["hot new", "hot old", "hot", "warm", "absent", "cold"]);
});

test("tiers are never outweighed by relevance", () => {
  assert.deepEqual(ranked(tiered, scored("a", 1, 1, { tier: 2 }), scored("b", 0, 1, { tier: 1 })), ["b", "a"]);
});

const strategies = [
  { strategy: relevance, confidence: 0.8, mentions: /relevance score/, capability: "supportsSemanticSearch" },
  { strategy: tiered, confidence: 0.7, mentions: /tier priority/, capability: undefined },
  { strategy: recency, confidence: 0.6, mentions: /creation time/, capability: "supportsTemporalArchaeology" },
] as const;

for (const { strategy, confidence, mentions, capability } of strategies) {
  test(`${strategy.name} has its confidence, says how it ranks, and what it can do`, () => {
    assert.equal(strategy.confidence(""), confidence);
    assert.equal(strategy.confidence("a query"), confidence);
    assert.match(strategy.explanation, mentions);
    const able = Object.entries(strategy.capabilities).filter(([, can]) => can === true);
    assert.deepEqual(
      able.map(([name]) => name),
      capability === undefined ? [] : [capability],
    );
  });

  test(`${strategy.name} nominates every fragment once and skips a miss`, () => {
    const drafts = Array.from({ length: 300 }, (_, i) => scored(`f${i}`, (i % 7) / 10, 1, at(i % 5)));
    const { fragments, miss } = rank(strategy, ...drafts);
    assert.equal(miss, "skip");
    assert.equal(new Set(fragments).size, 300);
  });

  test(`${strategy.name} ranks nothing where there is nothing`, () => {
    assert.deepEqual(ranked(strategy), []);
  });

  test(`${strategy.name} ranks many as it ranks few`, () => {
    const drafts = Array.from({ length: 250 }, (_, i) =>
      scored(`f${i}`, (i % 3) / 10, 1, { ...at(i % 4), tier: (i % 3) + 1 }),
    );
    const many = ranked(strategy, ...drafts);
    const few = ranked(strategy, ...drafts.slice(0, 150));
    const kept = new Set(few);
    assert.deepEqual(
      many.filter((id) => kept.has(id)),
      few,
    );
  });
}
