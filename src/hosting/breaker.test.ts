import assert from "node:assert/strict";
import { test } from "node:test";
import { Breaker } from "./breaker.js";

const create = () => new Breaker({ pauseAfterFailures: 3, pauseMs: 100 });

test("so many failures in a row pause it, a success between them does not", () => {
  const breaker = create();
  for (let i = 0; i < 2; i++) breaker.failed(0);
  breaker.succeeded();
  for (let i = 0; i < 2; i++) breaker.failed(0);
  assert.equal(breaker.enter(0), 0);
  breaker.failed(0);
  assert.equal(breaker.enter(40), 60);
  assert.ok(breaker.isPaused());
});

test("after the pause one question tries, and no other beside it", () => {
  const breaker = create();
  for (let i = 0; i < 3; i++) breaker.failed(0);
  assert.equal(breaker.enter(100), 0);
  assert.equal(breaker.enter(100), 100);
  breaker.failed(110);
  assert.equal(breaker.enter(150), 60);
  assert.equal(breaker.enter(210), 0);
  breaker.succeeded();
  assert.equal(breaker.enter(210), 0);
  assert.equal(breaker.isPaused(), false);
});

test("a trial whose caller leaves makes room for another", () => {
  const breaker = create();
  for (let i = 0; i < 3; i++) breaker.failed(0);
  assert.equal(breaker.enter(100), 0);
  breaker.left();
  assert.equal(breaker.enter(100), 0);
});

test("a success that turns out to be none counts as a failure in the row", () => {
  const breaker = create();
  for (let i = 0; i < 2; i++) breaker.failed(0);
  breaker.succeeded();
  breaker.rejected(0);
  assert.ok(breaker.isPaused());
});
