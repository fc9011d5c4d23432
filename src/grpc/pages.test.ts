import assert from "node:assert/strict";
import { test } from "node:test";
import { ContextError } from "../core/index.js";
import { pageOf } from "./pages.js";

const page = (items: readonly string[], size: number, token = "") => pageOf(items, (item) => item, size, token);
const names = (count: number) => Array.from({ length: count }, (_, i) => `n${String(i).padStart(5, "0")}`);

const refused =
  (...fields: string[]) =>
  (error: unknown) => {
    assert.ok(error instanceof ContextError);
    assert.deepEqual(
      error.violations.map(({ field }) => field),
      fields,
    );
    return true;
  };

test("a list that fits is one page in order of its keys", () => {
  assert.deepEqual(page(["b", "c", "a"], 0), { items: ["a", "b", "c"], nextPageToken: "" });
});

test("pages follow one another until there is no token", () => {
  const seen: string[] = [];
  let token = "";
  do {
    const { items, nextPageToken } = page(names(25), 10, token);
    seen.push(...items);
    token = nextPageToken;
  } while (token !== "");
  assert.deepEqual(seen, names(25));
});

test("a page that ends the list has no token", () => {
  assert.equal(page(names(10), 10).nextPageToken, "");
});

test("a page holds 100 by default and 1000 at most", () => {
  assert.equal(page(names(2_000), 0).items.length, 100);
  assert.equal(page(names(2_000), 5_000).items.length, 1_000);
});

test("what is added before a page moves nothing", () => {
  const { nextPageToken } = page(["b", "c", "d"], 2);
  assert.deepEqual(page(["a", "b", "c", "d"], 2, nextPageToken).items, ["d"]);
});

test("a token outlives the item that it names", () => {
  const { nextPageToken } = page(["a", "b", "c"], 2);
  assert.deepEqual(page(["a", "c"], 2, nextPageToken).items, ["c"]);
});

test("keys of any characters page as others do", () => {
  const keys = ["é", "\u{ffff}", "\u{10000}", "a b", "%"];
  const seen: string[] = [];
  let token = "";
  do {
    const { items, nextPageToken } = page(keys, 1, token);
    seen.push(...items);
    token = nextPageToken;
  } while (token !== "");
  assert.deepEqual([...seen].sort(), [...keys].sort());
  assert.equal(seen.length, keys.length);
});

test("a negative size is refused", () => {
  assert.throws(() => page([], -1), refused("page_size"));
});

test("a token that is none of ours is refused, together with the size", () => {
  for (const token of ["%%%", "=", "YQ==", "a", "_w"])
    assert.throws(() => page(["a"], -1, token), refused("page_size", "page_token"), token);
});
