import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { type Child, type Fate, spawnChild } from "./child.fixture.js";
import { openRegistrations } from "./index.js";
import { JOURNAL_NAME } from "./journal.js";
import { bytes, temporaryFolder } from "./temporary-folder.fixture.js";

const ROUNDS = 25;

/** The names that a process says were acknowledged. */
function acknowledgedBy(child: Child): string[] {
  return child.said.filter((line) => /^\S+-\d+$/.test(line));
}

/** Opens the folder and checks that each name is there with its value, and that nothing there is anything else. */
async function check(folder: string, acknowledged: readonly string[]): Promise<string[]> {
  const warnings: string[] = [];
  const registrations = await openRegistrations(folder, { warn: (message) => warnings.push(message) });
  const kept = registrations.list("kept");
  await registrations.close();
  assert.deepEqual(
    acknowledged.filter((name) => !kept.has(name)),
    [],
    "acknowledged and lost",
  );
  for (const [name, value] of kept) assert.deepEqual(value, bytes(`value of ${name}`));
  const same = registrations.list("other").get("same") ?? new Uint8Array();
  assert.ok(
    same.every((byte) => byte === same[0]),
    "half of a value",
  );
  assert.deepEqual(readdirSync(folder), [JOURNAL_NAME]);
  return warnings;
}

test("killed at any moment, again and again, it has all that was acknowledged", { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder(t);
  let seed = 20_240_607;
  const chance = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const acknowledged: string[] = [];
  let cutShort = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const child = spawnChild(t, folder, String(round));
    assert.equal((await child.lines.next()).value, "ready");
    child.process.stdin.write("go\n");
    await wait(10 + chance() * 110);
    child.process.kill("SIGKILL");
    assert.equal(await child.ended, "SIGKILL", child.said.at(-1));
    acknowledged.push(...acknowledgedBy(child));
    cutShort += (await check(folder, acknowledged)).length;
  }
  assert.ok(acknowledged.length > ROUNDS, `only ${acknowledged.length} were acknowledged`);
  t.diagnostic(`${acknowledged.length} acknowledged in ${ROUNDS} rounds, ${cutShort} writes cut short`);
});

test("killed while its file is written anew, it has all that was acknowledged", { timeout: 120_000 }, async (t) => {
  const fates: Fate[] = ["half-written", "before-sync", "before-rename", "after-rename"];
  for (const fate of fates) {
    const folder = temporaryFolder(t);
    const child = spawnChild(t, folder, fate, fate);
    child.process.stdin.write("go\n");
    assert.equal(await child.ended, "SIGKILL", child.said.at(-1));
    const acknowledged = acknowledgedBy(child);
    assert.ok(acknowledged.length > 0);
    const left = readdirSync(folder).filter((name) => name.startsWith(JOURNAL_NAME));
    assert.deepEqual(left, fate === "after-rename" ? [JOURNAL_NAME] : [JOURNAL_NAME, `${JOURNAL_NAME}.new`], fate);
    assert.deepEqual(await check(folder, acknowledged), []);
  }
});

test("without room for more it says so, and has all that was acknowledged", { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder(t);
  const child = spawnChild(t, folder, "full", "full");
  child.process.stdin.write("go\n");
  assert.equal(await child.ended, 3);
  assert.match(child.said.at(-1)!, /^error: cannot write to .*: EFBIG/);
  assert.ok(statSync(join(folder, JOURNAL_NAME)).size <= 64 * 1_024);
  assert.deepEqual(await check(folder, acknowledgedBy(child)), []);
});
