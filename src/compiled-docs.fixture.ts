import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** What the compiler says of the programs in a folder two below the root, under the project's own rules; empty where nothing is wrong. */
export async function compileFolder(folder: string): Promise<string> {
  const options = { rootDir: "../..", noEmit: true };
  const project = { extends: "../../tsconfig.json", compilerOptions: options, include: ["*.ts"] };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(project));
  const tsc = fileURLToPath(import.meta.resolve("typescript/lib/tsc.js"));
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).catch((error) => error);
  return stdout;
}
