/** The server as it is seen from the outside, by a client that knows nothing of it. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createApp } from "../app.js";
import { startTestServer } from "./server.fixture.js";
import { SERVICE_NAMES } from "./services.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Runs `buf curl` from the outside, by reflection alone. */
async function bufCurl(...args: string[]): Promise<string> {
  const buf = fileURLToPath(new URL("../../node_modules/.bin/buf", import.meta.url));
  const { stdout } = await promisify(execFile)(
    buf,
    ["curl", "--protocol", "grpc", "--http2-prior-knowledge", ...args],
    {
      cwd: root,
    },
  );
  return stdout;
}

for (const version of ["grpc-v1", "grpc-v1alpha"]) {
  test(`reflection of ${version} lists the services`, async (t) => {
    const { address } = await startTestServer(t);
    const listed = await bufCurl("--reflect-protocol", version, "--list-services", `http://${address}`);
    for (const name of SERVICE_NAMES) assert.ok(listed.split("\n").includes(name), listed);
  });
}

test("reflection is enough to call every service", async (t) => {
  const { address } = await startTestServer(t);
  const assembled = await bufCurl(
    "-d",
    JSON.stringify({
      request_id: "curl",
      plan_id: "01JQTESTPN00000000000000AA",
      as_of: "2026-01-01T00:00:00Z",
      budget: { max_tokens: 10 },
      fragments: [{ uko_node: "n", token_count: 3, created_at: "2025-12-31T23:59:59.5+01:00" }],
    }),
    `http://${address}/acms.v1.AssemblyService/Assemble`,
  );
  assert.equal(JSON.parse(assembled).payload.totalTokens, 3);
  assert.equal(JSON.parse(assembled).payload.fragments[0].createdAt, "2025-12-31T22:59:59.500Z");
  const listed = await bufCurl("-d", "{}", `http://${address}/acms.v1.StrategyService/ListStrategies`);
  assert.equal(JSON.parse(listed).strategies.length, createApp().registryOf("").strategies().size);
  const split = await bufCurl(
    "-d",
    '{"budget_tokens": 7, "candidates": [{"strategy": "a", "confidence": 1}]}',
    `http://${address}/acms.v1.StageService/AllocateBudget`,
  );
  assert.deepEqual(JSON.parse(split), { allocations: [{ strategy: "a", tokens: 7 }] });
});

test("an error from the outside shows its details", async (t) => {
  const { address } = await startTestServer(t);
  await assert.rejects(
    bufCurl("-d", "{}", `http://${address}/acms.v1.AssemblyService/Assemble`),
    ({ stderr }: { stderr: string }) => {
      const { code, details } = JSON.parse(stderr) as { code: string; details: { type: string }[] };
      assert.equal(code, "invalid_argument");
      assert.deepEqual(
        details.map(({ type }) => type),
        ["google.rpc.ErrorInfo", "google.rpc.BadRequest"],
      );
      return true;
    },
  );
});
