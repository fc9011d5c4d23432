import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { spawnChild } from "./child.fixture.js";
import { type FolderLock, lockFolder } from "./folder-lock.js";
import { temporaryFolder } from "./temporary-folder.fixture.js";

test("a folder is locked once at a time, and again once it is let go", async (t) => {
  const folder = temporaryFolder(t);
  const lock = await lockFolder(folder);
  await assert.rejects(lockFolder(folder), {
    kind: "IN_USE",
    message: `${folder} is in use by another server (process ${process.pid}); one at a time may have it`,
  });
  await lock.release();
  assert.deepEqual(readdirSync(folder), []);
  await (await lockFolder(folder)).release();
});

test("of many that start at once one at most gets it, and then it is free again", async (t) => {
  const folder = temporaryFolder(t);
  for (let round = 0; round < 5; round++) {
    const attempts = await Promise.allSettled(Array.from({ length: 3 }, () => lockFolder(folder)));
    const locks = attempts.flatMap((attempt): FolderLock[] => (attempt.status === "fulfilled" ? [attempt.value] : []));
    assert.ok(locks.length <= 1, `${locks.length} have it`);
    for (const lock of locks) await lock.release();
    assert.deepEqual(readdirSync(folder), []);
  }
});

test("a folder with a long path can be locked", { skip: process.platform !== "linux" }, async (t) => {
  const folder = join(temporaryFolder(t), "x".repeat(120), "y".repeat(120));
  mkdirSync(folder, { recursive: true });
  const lock = await lockFolder(folder);
  await assert.rejects(lockFolder(folder), { kind: "IN_USE" });
  await lock.release();
});

test("a folder that cannot be written to is said to be one", { skip: process.platform === "win32" }, async (t) => {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o555);
  // Who may do everything writes to every folder; so the attempt is somebody else's.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid!(65_534);
  try {
    const message = new RegExp(`^${folder} cannot be written to: listen E`);
    await assert.rejects(lockFolder(folder), { kind: "UNUSABLE", message });
  } finally {
    if (isRoot) process.seteuid!(0);
    chmodSync(folder, 0o700);
  }
});

test("another process has it while it lives, at work or stopped, and not once it is killed", async (t) => {
  const folder = temporaryFolder(t);
  const child = spawnChild(t, folder, "a");
  child.process.stdin.write("go\n");
  for (const expected of ["ready", "open"]) assert.equal((await child.lines.next()).value, expected);
  const refusal = {
    kind: "IN_USE",
    message: new RegExp(`in use by another server \\(process ${child.process.pid}\\)`),
  };
  await assert.rejects(lockFolder(folder), refusal);
  child.process.kill("SIGSTOP");
  await assert.rejects(lockFolder(folder), refusal);
  child.process.kill("SIGKILL");
  assert.equal(await child.ended, "SIGKILL");
  await (await lockFolder(folder)).release();
});
