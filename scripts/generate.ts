// Generates the code of the contract, and its descriptors beside it: `tsx scripts/generate.ts [FOLDER]` makes FOLDER/gen. Absent: here.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const [folder = "."] = process.argv.slice(2);

buf("generate", "-o", folder);
// The descriptors come second: what `buf generate` finds in its folder it removes.
buf("build", "--as-file-descriptor-set", "--exclude-source-info", "-o", join(folder, "gen", "descriptors.binpb"));

function buf(...args: readonly string[]): void {
  const { status, error } = spawnSync("buf", args, { stdio: "inherit" });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
