import assert from "node:assert/strict";
import { type FileHandle, open, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Change } from "./change.js";
import { JOURNAL_NAME, type OpenedJournal, openJournal } from "./journal.js";
import { bytes, temporaryFolder } from "./temporary-folder.fixture.js";

const change = (name: string): Change => ({ namespace: "n", name, value: bytes(`value of ${name}`) });

const noWarning = (message: string): void => assert.fail(message);

async function reopened(folder: string, warn = noWarning): Promise<string[]> {
  const { journal, changes } = await openJournal(folder, warn);
  await journal.close();
  return changes.map(({ name }) => name);
}

async function opened(t: TestContext): Promise<OpenedJournal & { readonly folder: string; readonly path: string }> {
  const folder = temporaryFolder(t);
  return { ...(await openJournal(folder, noWarning)), folder, path: join(folder, JOURNAL_NAME) };
}

type WriteAt = (bytes: Buffer, offset: number, length: number, at: number) => Promise<{ bytesWritten: number }>;

/** What all open files have in common. */
async function filePrototype(path: string): Promise<FileHandle> {
  const handle = await open(path);
  await handle.close();
  return Object.getPrototypeOf(handle);
}

test("changes are there again in their order", async (t) => {
  const { journal, folder, changes } = await opened(t);
  assert.deepEqual(changes, []);
  await journal.append([change("a"), change("b")]);
  await journal.append([change("c")]);
  await journal.close();
  assert.deepEqual(await reopened(folder), ["a", "b", "c"]);
});

test("a last write that was cut at any byte is reported and gone, and writing goes on after it", async (t) => {
  const { journal, folder, path } = await opened(t);
  await journal.append([change("a")]);
  const whole = journal.bytes;
  await journal.append([change("b")]);
  await journal.close();
  const file = await readFile(path);
  for (let length = whole + 1; length < file.length; length++) {
    await writeFile(path, file.subarray(0, length));
    const warnings: string[] = [];
    const again = await openJournal(folder, (message) => warnings.push(message));
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, new RegExp(`the last write was cut short; its ${length - whole} bytes`));
    await again.journal.append([change("c")]);
    await again.journal.close();
    assert.deepEqual(await reopened(folder), ["a", "c"], `cut at ${length}`);
  }
  await truncate(path, whole);
  assert.deepEqual(await reopened(folder), ["a"]);
});

test("a flipped bit is refused with its place, and the file is left as it is", async (t) => {
  const { journal, folder, path } = await opened(t);
  const places: number[] = [];
  for (const name of ["a", "b", "c"]) {
    places.push(journal.bytes);
    await journal.append([change(name)]);
  }
  await journal.close();
  const file = await readFile(path);
  for (const [i, place] of places.entries()) {
    const flipped = Buffer.from(file);
    flipped[place + 20]! ^= 4;
    await writeFile(path, flipped);
    await assert.rejects(openJournal(folder, noWarning), (error: Error & { kind?: string }) => {
      assert.equal(error.kind, "DAMAGED");
      assert.match(error.message, new RegExp(`damaged at byte ${place} of ${file.length}: .* The ${i} changes before`));
      return true;
    });
    assert.deepEqual(await readFile(path), flipped);
  }
});

test("a write that fails midway leaves nothing behind, and the next one succeeds", async (t) => {
  const { journal, folder, path } = await opened(t);
  await journal.append([change("a")]);
  const whole = await readFile(path);
  const prototype = await filePrototype(path);
  const write = prototype.write as WriteAt;
  const noSpace = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  let calls = 0;
  const mocked = t.mock.method(
    prototype,
    "write",
    async function (this: FileHandle, ...[bytes, offset, , at]: Parameters<WriteAt>) {
      if (++calls === 2) throw noSpace;
      return write.call(this, bytes, offset, 9, at);
    },
  );
  await assert.rejects(journal.append([change("b")]), { kind: "UNUSABLE", message: /cannot write to .*: ENOSPC/ });
  assert.deepEqual(await readFile(path), whole);
  mocked.mock.restore();
  await journal.append([change("c")]);
  await journal.close();
  assert.deepEqual(await reopened(folder), ["a", "c"]);
});

test("once the disk did not confirm a write nothing is written any more, and what was written before is there", async (t) => {
  const { journal, folder, path } = await opened(t);
  await journal.append([change("a")]);
  const mocked = t.mock.method(await filePrototype(path), "datasync", () =>
    Promise.reject(new Error("EIO: i/o error")),
  );
  const refusal = {
    kind: "UNUSABLE",
    message: /EIO: i\/o error; nothing can be registered until the server is started/,
  };
  await assert.rejects(journal.append([change("b")]), refusal);
  mocked.mock.restore();
  await assert.rejects(journal.append([change("c")]), refusal);
  await assert.rejects(journal.rewrite([change("a")]), refusal);
  await journal.close();
  assert.deepEqual(await reopened(folder), ["a"]);
});

test("written anew it holds the given changes and goes on from there", async (t) => {
  const { journal, folder } = await opened(t);
  for (let i = 0; i < 20; i++) await journal.append([change("same")]);
  const before = journal.bytes;
  await journal.rewrite([change("same")]);
  assert.ok(journal.bytes < before / 10);
  await journal.append([change("next")]);
  await journal.close();
  assert.deepEqual(await reopened(folder), ["same", "next"]);
  assert.deepEqual(await readdir(folder), [JOURNAL_NAME]);
});

test("where it cannot be written anew the old file goes on", async (t) => {
  const { journal, folder, path } = await opened(t);
  await journal.append([change("a")]);
  const mocked = t.mock.method(await filePrototype(path), "sync", () => Promise.reject(new Error("ENOSPC")));
  await assert.rejects(journal.rewrite([change("other")]), /ENOSPC/);
  mocked.mock.restore();
  assert.deepEqual(await readdir(folder), [JOURNAL_NAME]);
  await journal.append([change("b")]);
  await journal.close();
  assert.deepEqual(await reopened(folder), ["a", "b"]);
});

test("more than one part is written where there is much", async (t) => {
  const { journal, folder } = await opened(t);
  const large = new Uint8Array(700_000).fill(1);
  await journal.rewrite(["a", "b", "c"].map((name) => ({ namespace: "n", name, value: large })));
  await journal.close();
  assert.deepEqual(await reopened(folder), ["a", "b", "c"]);
});
