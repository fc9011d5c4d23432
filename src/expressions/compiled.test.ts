import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Compiles what the expressions are made of, as the build does, into a folder that finds the same packages. */
async function compileInto(folder: string): Promise<void> {
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const part of ["core", "expressions"]) {
    for (const name of await readdir(join(ROOT, "src", part), { recursive: true })) {
      if (!name.endsWith(".ts") || name.endsWith(".test.ts") || name.endsWith(".fixture.ts")) continue;
      const source = await readFile(join(ROOT, "src", part, name), "utf8");
      const { outputText } = ts.transpileModule(source, {
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true },
      });
      const file = join(folder, "dist", "src", part, name.replace(/\.ts$/, ".js"));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, outputText);
    }
  }
}

test("compiled, it finds its worker without a loader", async () => {
  const folder = await mkdtemp(join(tmpdir(), "expressions-"));
  try {
    await compileInto(folder);
    const main = join(folder, "main.js");
    await writeFile(
      main,
      `import { createExpressions } from "./dist/src/expressions/expressions.js";
       const expressions = createExpressions({ workers: 1, timeMs: 20000 });
       const fault = await expressions.check("fragment.nope", "number", new AbortController().signal);
       console.log(fault.description.slice(0, 42));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [main], { timeout: 60_000 });
    assert.equal(stdout, "at 1:10: there is no field fragment.nope; \n");
  } finally {
    await rm(folder, { recursive: true });
  }
});
