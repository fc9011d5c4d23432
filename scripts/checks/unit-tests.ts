import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import type { Check } from "./check.js";

/** Where unit tests stand. */
const FOLDERS = ["src", "demo", "scripts"];

/** The unit tests, each file in a process of its own. A test with parts counts as its parts; what is skipped does not count. */
export const unitTests: Check = {
  name: "unit tests",
  run: async () => {
    const tests = run({ files: testFiles(), concurrency: availableParallelism() });
    const { counts, add } = createLeafCount();
    tests.on("test:pass", (test) => add(test, undefined));
    tests.on("test:fail", (test) => add(test, test.details.error));
    let written = "";
    // A file that cannot be read says why here, and nowhere else.
    tests.on("test:stderr", ({ message }) => {
      written += message;
    });
    let told = "";
    for await (const text of tests.compose(new spec())) told += text;
    const failures = told.slice(Math.max(0, told.indexOf("✖ failing tests:")));
    return { ...counts, report: counts.failed === 0 ? "" : failures + written };
  },
};

function testFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => resolve(join(folder, name)))
      .sort(),
  );
}

/** What the runner tells of a test that ended. */
interface EndedTest {
  readonly name: string;
  readonly nesting: number;
  readonly skip?: string | boolean;
  readonly todo?: string | boolean;
}

/** Counts tests without parts. The runner tells of a test after its parts, so one that follows on a deeper one has parts. */
function createLeafCount() {
  const counts = { passed: 0, failed: 0 };
  let nestingBefore = 0;
  const add = ({ name, nesting, skip, todo }: EndedTest, error: Error | undefined): void => {
    const hasParts = nestingBefore > nesting;
    nestingBefore = nesting;
    if (skip !== undefined || todo !== undefined) return;
    // A file without tests is told of as a test that bears its name.
    if (error === undefined && !hasParts && !name.endsWith(".test.ts")) counts.passed++;
    if (error !== undefined && !failedInParts(error)) counts.failed++;
  };
  return { counts, add };
}

function failedInParts(error: Error): boolean {
  return "failureType" in error && error.failureType === "subtestsFailed";
}
