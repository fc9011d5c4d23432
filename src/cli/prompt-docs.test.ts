// The examples of docs/prompt-sections.md are run as they stand there.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { FitPromptRequest, FitPromptResponse } from "../../gen/acms/v1/prompt_service.js";
import { parseProtoJson, printProtoJson } from "../proto-json/index.js";
import { openInProcess } from "./door/in-process.js";

const page = readFileSync(new URL("../../docs/prompt-sections.md", import.meta.url), "utf8");

function blocksOf(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
}

test("every command prints what the page shows", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "acms-docs-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const start = `exec "${process.execPath}" --import "${import.meta.resolve("tsx")}" "${main}" "$@"`;
  writeFileSync(join(bin, "acms"), `#!/bin/sh\n${start}\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH}` };
  const blocks = blocksOf("console");
  assert.ok(blocks.length >= 4);
  for (const block of blocks) {
    for (const [, command = "", shown = ""] of block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      const printed = execFileSync("sh", ["-c", command], {
        cwd: folder,
        env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      assert.equal(printed.trimEnd(), shown.trimEnd(), command);
    }
  }
});

test("the request has the answer that the page shows", async () => {
  const [request = "", answer = ""] = blocksOf("json");
  const bytes = parseProtoJson("acms.v1.FitPromptRequest", request);
  const response = await openInProcess().fitPrompt(FitPromptRequest.decode(bytes));
  const printed = printProtoJson("acms.v1.FitPromptResponse", FitPromptResponse.encode(response).finish());
  assert.deepEqual(JSON.parse(answer), printed);
});
