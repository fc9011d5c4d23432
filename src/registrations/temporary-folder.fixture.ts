// For tests: a folder that goes when the test ends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** Makes the folder. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "acms-registrations-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The bytes of a text. */
export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
