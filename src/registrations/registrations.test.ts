import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  openRegistrations,
  type Registrations,
  type RegistrationsOptions,
  TooManyRegistrationsError,
} from "./index.js";
import { bytes, temporaryFolder } from "./temporary-folder.fixture.js";

const options: RegistrationsOptions = { warn: (message) => assert.fail(message) };

async function opened(
  t: TestContext,
  dataDir: string | undefined,
  more?: RegistrationsOptions,
): Promise<Registrations> {
  const registrations = await openRegistrations(dataDir, { ...options, ...more });
  t.after(() => registrations.close());
  return registrations;
}

for (const [kind, folderOf] of [
  ["in memory", () => undefined],
  ["in memory, by an empty name", () => ""],
  ["in a folder", (t: TestContext) => join(temporaryFolder(t), "made", "on the way")],
] as const) {
  test(`${kind}: the last value of a name stands until it is deleted, in its namespace only`, async (t) => {
    const registrations = await opened(t, folderOf(t));
    await registrations.put("one", "a", bytes("1"));
    await registrations.put("two", "a", bytes("2"));
    await registrations.put("one", "a", bytes("3"));
    assert.deepEqual(registrations.list("one"), new Map([["a", bytes("3")]]));
    assert.equal(await registrations.delete("one", "a"), true);
    assert.equal(await registrations.delete("one", "a"), false);
    assert.deepEqual(registrations.list("one"), new Map());
    assert.deepEqual(registrations.list("two"), new Map([["a", bytes("2")]]));
  });

  test(`${kind}: changes happen in the order of their calls`, async (t) => {
    const registrations = await opened(t, folderOf(t));
    const done = await Promise.all([
      registrations.put("n", "a", bytes("1")),
      registrations.delete("n", "a"),
      registrations.delete("n", "a"),
      registrations.put("n", "a", bytes("2")),
      ...Array.from({ length: 50 }, (_, i) => registrations.put("n", "b", bytes(String(i)))),
    ]);
    assert.deepEqual(done.slice(0, 4), [undefined, true, false, undefined]);
    assert.deepEqual(
      [...registrations.list("n")],
      [
        ["a", bytes("2")],
        ["b", bytes("49")],
      ],
    );
  });

  test(`${kind}: a namespace holds so many and no more, whatever comes at once`, async (t) => {
    const registrations = await opened(t, folderOf(t), { maxPerNamespace: 3 });
    const puts = await Promise.allSettled(
      ["a", "b", "c", "d", "e"].map((name) => registrations.put("n", name, bytes(""))),
    );
    const refusal = new TooManyRegistrationsError("registrations", 4, 3);
    assert.deepEqual(
      puts.map((put) => (put.status === "rejected" ? put.reason : "done")),
      ["done", "done", "done", refusal, refusal],
    );
    await registrations.put("n", "a", bytes("again"));
    await registrations.put("m", "a", bytes("elsewhere"));
    await registrations.delete("n", "b");
    await registrations.put("n", "d", bytes("in its place"));
    assert.deepEqual([...registrations.list("n").keys()], ["a", "c", "d"]);
  });

  test(`${kind}: closed, it refuses changes and still lists`, async (t) => {
    const registrations = await openRegistrations(folderOf(t), options);
    const last = registrations.put("n", "a", bytes("1"));
    await registrations.close();
    await registrations.close();
    await last;
    await assert.rejects(registrations.put("n", "b", bytes("")), { kind: "CLOSED" });
    assert.equal(registrations.list("n").size, 1);
  });
}

test("a longer name is refused", async (t) => {
  const registrations = await opened(t, undefined);
  const message = "a name of 129 characters came, and at most 128 are allowed";
  await assert.rejects(registrations.put("n", "x".repeat(129), bytes("")), { name: "RangeError", message });
  await assert.rejects(registrations.delete("x".repeat(129), "n"), { name: "RangeError", message });
});

test("a list does not change, and neither does a value whose bytes its owner uses again", async (t) => {
  const registrations = await opened(t, undefined);
  const value = Buffer.from("mine");
  const put = registrations.put("n", "a", value);
  value.fill(0);
  await put;
  const list = registrations.list("n");
  await registrations.put("n", "b", bytes(""));
  assert.deepEqual(list, new Map([["a", bytes("mine")]]));
});
