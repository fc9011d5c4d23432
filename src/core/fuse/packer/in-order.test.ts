import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentsOf, scored } from "../../drafts.fixture.js";
import { nominationOf, packingInputOf } from "../packing.fixture.js";
import type { Packing } from "../packing.js";
import { inOrder } from "./in-order.js";

const choices = (packing: Packing | Promise<Packing>): number[] => [...(packing as Packing).chosenBy];
const run = undefined as never;

test("each strategy spends its share, and what those before it left", () => {
  const fragments = fragmentsOf(scored("a", 1, 30), scored("b", 1, 30), scored("c", 1, 70));
  const nominations = [
    nominationOf(fragments.slice(0, 1), { tokens: 50 }),
    nominationOf(fragments.slice(1), { tokens: 50 }),
  ];
  assert.deepEqual(choices(inOrder.pack(packingInputOf(fragments, 100, { nominations }), run)), [1, 2, 0]);
  const other = [nominationOf(fragments.slice(0, 1), { tokens: 50 }), nominationOf(fragments.slice(2), { tokens: 50 })];
  assert.deepEqual(choices(inOrder.pack(packingInputOf(fragments, 100, { nominations: other }), run)), [1, 0, 2]);
});

test("what is left after the last is offered once more to all in turn", () => {
  const fragments = fragmentsOf(scored("one", 1, 800));
  const nominations = [nominationOf(fragments, { tokens: 571 }), nominationOf(fragments, { tokens: 429 })];
  assert.deepEqual(choices(inOrder.pack(packingInputOf(fragments, 1_000, { nominations }), run)), [2]);
  const apart = [nominationOf(fragments, { tokens: 500 }), nominationOf([], { tokens: 500 })];
  assert.deepEqual(choices(inOrder.pack(packingInputOf(fragments, 1_000, { nominations: apart }), run)), [1]);
});

test("what an earlier strategy chose costs a later one nothing", () => {
  const fragments = fragmentsOf(scored("a", 1, 50), scored("b", 1, 50));
  const nominations = [nominationOf(fragments.slice(0, 1), { tokens: 50 }), nominationOf(fragments, { tokens: 50 })];
  assert.deepEqual(choices(inOrder.pack(packingInputOf(fragments, 100, { nominations }), run)), [1, 2]);
});

test("no strategies choose nothing", () => {
  const fragments = fragmentsOf(scored("a", 1, 1));
  assert.deepEqual(choices(inOrder.pack(packingInputOf(fragments, 10, { nominations: [] }), run)), [0]);
});
