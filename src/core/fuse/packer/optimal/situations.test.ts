import assert from "node:assert/strict";
import { test } from "node:test";
import { neighboursOf } from "./network-order.js";
import { Situations } from "./situations.js";
import type { Component, Need, Option } from "./variables.js";

const option = (...needs: Need[]): Option => ({ fragments: [], tokens: 1, value: 1, needs, isWanted: true });

/** A variable with three options, and so many others that need the last of them. */
function hubWith(leaves: number): Component {
  const leaf = [option({ variable: 0, options: [3] })];
  return { variables: [[option(), option(), option()], ...Array.from({ length: leaves }, () => leaf)] };
}

test("options that go with the same of what is still to come are one situation", () => {
  const component = hubWith(3);
  const situations = new Situations(component, neighboursOf(component));
  assert.deepEqual(situations.decide(0), [0, 0, 0, 1]);
  assert.equal(situations.count, 2);
});

test("an option is possible where what it needs was taken, and a variable without ties left is forgotten", () => {
  const component = hubWith(2);
  const situations = new Situations(component, neighboursOf(component));
  situations.decide(0);
  assert.deepEqual(situations.decide(1), [0, -1, 1, 1]);
  assert.deepEqual(situations.decide(2), [0, -1, 0, 0]);
  assert.equal(situations.count, 1);
});

test("an option that needs another one of its own variable is impossible", () => {
  const own = { variable: 0, options: [2] };
  const component = { variables: [[option(own), option()], [option({ variable: 0, options: [1, 2] })]] };
  const situations = new Situations(component, neighboursOf(component));
  assert.deepEqual(situations.decide(0), [0, -1, 1]);
});
