import assert from "node:assert/strict";
import { test } from "node:test";
import { sizeOf } from "./change.js";
import { TooManyRegistrationsError } from "./errors.js";
import { Table } from "./table.js";
import { bytes } from "./temporary-folder.fixture.js";

const value = bytes("value");

test("nothing of an edit is seen before it is applied", () => {
  const table = new Table();
  const edit = table.edit();
  edit.make({ namespace: "n", name: "a", value });
  assert.deepEqual([table.namespace("n").size, table.bytes], [0, 0]);
  edit.apply();
  assert.deepEqual([table.namespace("n").size, table.bytes], [1, sizeOf("n", "a", value)]);
});

test("its changes make it again, and what was deleted takes no bytes", () => {
  const table = new Table();
  const edit = table.edit();
  for (const name of ["a", "b", "c"]) edit.make({ namespace: "n", name, value });
  assert.equal(edit.make({ namespace: "n", name: "b", value: undefined }), true);
  assert.equal(edit.make({ namespace: "n", name: "b", value: undefined }), false);
  edit.apply();
  assert.deepEqual(
    [...table.changes()].map(({ name }) => name),
    ["a", "c"],
  );
  const all = table.edit();
  for (const name of ["a", "c"]) all.make({ namespace: "n", name, value: undefined });
  all.apply();
  assert.deepEqual([table.bytes, [...table.changes()]], [0, []]);
});

test("beyond the bytes of all nothing is added, and what is there may be replaced by what is no larger", () => {
  const maxBytes = 2 * sizeOf("n", "a", value);
  const table = new Table();
  const edit = table.edit({ maxPerNamespace: 10, maxBytes });
  edit.make({ namespace: "n", name: "a", value });
  edit.make({ namespace: "m", name: "a", value });
  edit.make({ namespace: "m", name: "a", value: bytes("other") });
  assert.throws(
    () => edit.make({ namespace: "m", name: "a", value: bytes("longer") }),
    new TooManyRegistrationsError("bytes", maxBytes + 1, maxBytes),
  );
  edit.apply();
  assert.deepEqual(table.namespace("m"), new Map([["a", bytes("other")]]));
});
