import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  openRegistrations,
  type Registrations,
  type RegistrationsOptions,
  TooManyRegistrationsError,
} from "./index.js";
import { JOURNAL_NAME } from "./journal.js";
import { bytes, temporaryFolder } from "./temporary-folder.fixture.js";

const options: RegistrationsOptions = { warn: (message) => assert.fail(message) };

async function opened(t: TestContext, dataDir: string, more?: RegistrationsOptions): Promise<Registrations> {
  const registrations = await openRegistrations(dataDir, { ...options, ...more });
  t.after(() => registrations.close());
  return registrations;
}

test("registrations are there again, under any name", async (t) => {
  const folder = temporaryFolder(t);
  const names = [
    "",
    "a",
    "__proto__",
    "constructor",
    "a/b\n",
    "\0",
    "ä",
    "\ud800",
    "\udbff",
    "\ufffd",
    "😀".repeat(128),
  ];
  const before = await openRegistrations(folder, options);
  await Promise.all(
    names.flatMap((a) => names.map((b) => before.put(a, b, bytes(`${JSON.stringify(a)} ${JSON.stringify(b)}`)))),
  );
  await before.delete("a", "a");
  await before.close();
  const after = await opened(t, folder);
  for (const namespace of names) {
    const expected = names.filter((name) => namespace !== "a" || name !== "a");
    assert.deepEqual(
      after.list(namespace),
      new Map(expected.map((name) => [name, bytes(`${JSON.stringify(namespace)} ${JSON.stringify(name)}`)])),
    );
  }
});

test("many changes at once take few writes", async (t) => {
  const folder = temporaryFolder(t);
  const registrations = await opened(t, folder);
  const handle = await open(join(folder, JOURNAL_NAME));
  await handle.close();
  const datasync = t.mock.method(Object.getPrototypeOf(handle), "datasync");
  await Promise.all(Array.from({ length: 500 }, (_, i) => registrations.put("n", String(i), bytes(""))));
  assert.equal(datasync.mock.callCount(), 2);
});

test("a file of what is of no use any more stays small", async (t) => {
  const folder = temporaryFolder(t);
  const registrations = await opened(t, folder, { rewriteAboveBytes: 10_000 });
  for (let i = 0; i < 200; i++) await registrations.put("n", "same", new Uint8Array(1_000).fill(i));
  await registrations.close();
  assert.ok(statSync(join(folder, JOURNAL_NAME)).size < 12_000);
  assert.deepEqual((await opened(t, folder)).list("n"), new Map([["same", new Uint8Array(1_000).fill(199)]]));
});

test("more than the limit that are there already are kept", async (t) => {
  const folder = temporaryFolder(t);
  const before = await openRegistrations(folder, options);
  for (const name of ["a", "b", "c"]) await before.put("n", name, bytes(name));
  await before.close();
  const after = await opened(t, folder, { maxPerNamespace: 1 });
  await after.put("n", "b", bytes("again"));
  await assert.rejects(after.put("n", "d", bytes("")), new TooManyRegistrationsError("registrations", 4, 1));
  assert.equal(after.list("n").size, 3);
});

test("what the disk refused is not in memory either", async (t) => {
  const folder = temporaryFolder(t);
  const registrations = await opened(t, folder);
  await registrations.put("n", "a", bytes("1"));
  const handle = await open(join(folder, JOURNAL_NAME));
  await handle.close();
  const full = t.mock.method(Object.getPrototypeOf(handle), "write", () => Promise.reject(new Error("ENOSPC")));
  const changes = [
    registrations.put("n", "a", bytes("2")),
    registrations.put("n", "b", bytes("2")),
    registrations.delete("n", "a"),
  ];
  for (const change of changes) await assert.rejects(change, { kind: "UNUSABLE", message: /ENOSPC/ });
  assert.deepEqual(registrations.list("n"), new Map([["a", bytes("1")]]));
  full.mock.restore();
  await registrations.put("n", "c", bytes("3"));
  const expected = registrations.list("n");
  await registrations.close();
  assert.deepEqual((await opened(t, folder)).list("n"), expected);
});

test("a folder that cannot be one is refused with its path", async (t) => {
  const file = join(temporaryFolder(t), "file");
  writeFileSync(file, "");
  for (const folder of [file, join(file, "below")]) {
    await assert.rejects(openRegistrations(folder), {
      kind: "UNUSABLE",
      message: new RegExp(`cannot keep .* in ${folder}: (ENOTDIR|${file} is a file)`),
    });
  }
});

test("where no folder can be made the refusal comes at once", { skip: !existsSync("/proc/self") }, async () => {
  await assert.rejects(openRegistrations("/proc/acms/below"), { kind: "UNUSABLE", message: /\/proc\/acms/ });
});

test("a folder that another one has is refused, and a damaged one is let go", async (t) => {
  const folder = temporaryFolder(t);
  const registrations = await openRegistrations(folder, options);
  await registrations.put("n", "a", bytes("1"));
  await assert.rejects(openRegistrations(folder, options), { kind: "IN_USE" });
  await registrations.close();
  const path = join(folder, JOURNAL_NAME);
  const file = readFileSync(path);
  writeFileSync(path, Buffer.concat([Buffer.from("x"), file]));
  await assert.rejects(openRegistrations(folder, options), { kind: "DAMAGED" });
  writeFileSync(path, file);
  assert.equal((await opened(t, folder)).list("n").size, 1);
});
