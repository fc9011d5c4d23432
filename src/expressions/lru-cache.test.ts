import assert from "node:assert/strict";
import { test } from "node:test";
import { LruCache } from "./lru-cache.js";

test("what was used last stays, as long as the keys fit", () => {
  const cache = new LruCache<number>(6);
  cache.set("aa", 1);
  cache.set("bb", 2);
  cache.set("cc", 3);
  assert.equal(cache.get("aa"), 1);
  cache.set("dd", 4);
  assert.deepEqual(
    ["aa", "bb", "cc", "dd"].map((key) => cache.get(key)),
    [1, undefined, 3, 4],
  );
});

test("a key that is set anew counts once, and one over the limit is not kept", () => {
  const cache = new LruCache<number>(4);
  cache.set("aa", 1);
  cache.set("aa", 2);
  cache.set("bb", 3);
  assert.deepEqual([cache.get("aa"), cache.get("bb")], [2, 3]);
  cache.set("ccccc", 4);
  assert.equal(cache.get("ccccc"), undefined);
});
