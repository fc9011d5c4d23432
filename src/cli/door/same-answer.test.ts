import assert from "node:assert/strict";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { createApp } from "../../app.js";
import { startServer } from "../../grpc/server.js";
import { captureRun } from "../captured-run.js";

async function addressOfServer(t: TestContext): Promise<string> {
  const server = await startServer(
    createApp(),
    { host: "127.0.0.1", port: 0, maxReceiveBytes: 16_777_216, maxConcurrentCalls: 4, shutdownGraceMs: 1_000 },
    pino({ level: "silent" }),
  );
  t.after(() => server.stop());
  return server.address;
}

const request = {
  requestId: "one",
  planId: "01JQTESTPN00000000000000AA",
  asOf: "2026-01-31T12:00:00.000000001Z",
  query: "foxes",
  strategies: [{ name: "relevance" }, { name: "recency", confidence: 0.4 }],
  fragments: [
    { fragmentId: "a", ukoNode: "project://app/a", content: "🦊 first", metadata: { k: "v" }, relevanceScore: 0.1 },
    { fragmentId: "b", ukoNode: "project://app/b", content: "second", tokenCount: 0, tier: "TIER_COLD", groupId: "g" },
    { fragmentId: "c", ukoNode: "project://app/c", content: "third", tokenCount: 9_000, requires: ["a"] },
    { fragmentId: "d", ukoNode: "project://app/d", content: "fourth", role: "ROLE_USER", pinned: true },
    { fragmentId: "e", ukoNode: "project://app/e", content: "fifth", createdAt: "1969-07-20T20:17:40.5Z" },
  ],
  parentFragments: [{ fragmentId: "p", ukoNode: "project://app/p", content: "parent\ntext" }],
  budget: { maxTokens: 100, reservedTokens: 10 },
};

/** The answer without what no two answers have in common. */
function comparable(stdout: string): string {
  return stdout.replace(/^ *"(?:payloadId|assembledAt|duration|elapsed)": .*$/gm, "");
}

test("both doors give the same answer, as JSON and as text", async (t) => {
  const server = await addressOfServer(t);
  const stdin = JSON.stringify(request);
  for (const args of [[], ["--trace", "full"], ["--format", "text"], ["--explain", "c"], ["--explain", "d"]]) {
    const here = await captureRun(["assemble", "-", ...args], { stdin });
    const there = await captureRun(["assemble", "-", ...args, "--server", server], { stdin });
    assert.equal(here.code, 0, here.stderr);
    assert.equal(comparable(there.stdout), comparable(here.stdout));
    assert.equal(there.code, 0, there.stderr);
  }
});

test("both doors compare alike", async (t) => {
  const server = await addressOfServer(t);
  const stdin = JSON.stringify(request);
  const args = ["compare", "-", "--strategies", "recency,nearest", "--profiles", "fusion"];
  const here = await captureRun(args, { stdin });
  const there = await captureRun([...args, "--server", server], { stdin });
  assert.equal(here.code, 0, here.stderr);
  assert.equal(comparable(there.stdout), comparable(here.stdout));
  const refused = JSON.stringify({ ...request, budget: { maxTokens: 5, reservedTokens: 5 } });
  const refusedHere = await captureRun(args, { stdin: refused });
  assert.equal(refusedHere.code, 1);
  assert.deepEqual(await captureRun([...args, "--server", server], { stdin: refused }), refusedHere);
});

test("both doors refuse alike", async (t) => {
  const server = await addressOfServer(t);
  const cases = [
    { ...request, planId: "", budget: { maxTokens: 5, reservedTokens: 5 } },
    { ...request, fragments: [{ ukoNode: "" }, { ukoNode: "" }] },
    { ...request, strategies: [{ name: "nearest" }] },
    { ...request, pipeline: { profile: "fast" } },
    { ...request, budget: { maxTokens: 1 } },
    { ...request, budget: { maxTokens: 9, sections: [{ floorTokens: 5 }] } },
    { ...request, fragments: [{ ukoNode: 5 }] },
  ];
  for (const refused of cases) {
    const stdin = JSON.stringify(refused);
    const here = await captureRun(["assemble", "-"], { stdin });
    const there = await captureRun(["assemble", "-", "--server", server], { stdin });
    assert.equal(here.code, 1, here.stdout);
    assert.deepEqual(there, here);
  }
});

test("both doors list the same strategies", async (t) => {
  const server = await addressOfServer(t);
  const here = await captureRun(["strategies"]);
  assert.equal(here.code, 0);
  assert.deepEqual(await captureRun(["strategies", "--server", server]), here);
});

test("an answer above the usual limit of clients comes through", async (t) => {
  const server = await addressOfServer(t);
  const fragments = Array.from({ length: 6 }, (_, i) => ({
    ukoNode: `n${i}`,
    content: "a".repeat(1_000_000),
    tokenCount: 1,
  }));
  const stdin = JSON.stringify({ fragments, budget: { maxTokens: 6 } });
  const { code, stdout, stderr } = await captureRun(["assemble", "-", "--server", server], { stdin });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.equal(JSON.parse(stdout).payload.fragments.length, 6);
});

test("a server that does not answer is UNAVAILABLE, and named", async (t) => {
  // A port that nobody listens on: it was just given back.
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const address = `127.0.0.1:${port}`;
  for (const args of [["assemble", "-"], ["strategies"]]) {
    await t.test(args.join(" "), async () => {
      const stdin = JSON.stringify(request);
      const { code, stdout, stderr } = await captureRun([...args, "--server", address], { stdin });
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, new RegExp(`^UNAVAILABLE: no answer from ${address}: `));
    });
  }
});
