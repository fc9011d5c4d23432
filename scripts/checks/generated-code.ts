import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Check, runProgram } from "./check.js";

/** Generates once more beside the tree, which stays as it is, and compares. */
export const generatedCode: Check = {
  name: "generated code is up to date",
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), "acms-generated-"));
    try {
      const generated = await runProgram("tsx", "scripts/generate.ts", folder);
      const { succeeded, output } = generated.succeeded
        ? await runProgram("git", "diff", "--no-index", "--no-color", "gen", join(folder, "gen"))
        : generated;
      return succeeded
        ? { passed: 1, failed: 0, report: "" }
        : { passed: 0, failed: 1, report: `${output}\nmake generate brings gen up to date.\n` };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
