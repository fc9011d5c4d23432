import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type ClientReadableStream, credentials, makeGenericClientConstructor, status as Status } from "@grpc/grpc-js";
import { service as healthService } from "grpc-health-check";
import { pino } from "pino";
import { createApp } from "../app.js";
import { independentHash } from "../core/context-hash.fixture.js";
import {
  answered,
  assembleOver,
  ended,
  eventually,
  failing,
  pause,
  startTestServer,
  TEST_SERVER_OPTIONS,
  type TestServer,
} from "./server.fixture.js";
import { startServer } from "./server.js";
import { SERVICE_NAMES } from "./services.js";

const fragments = [
  {
    fragmentId: "A",
    ukoNode: "project://a",
    content: "swordfish",
    tokenCount: 50,
    relevanceScore: 0.9,
    detailDepth: 9,
  },
  { fragmentId: "B", ukoNode: "project://b", content: "swordfish", tokenCount: 25, relevanceScore: 0.8 },
  { fragmentId: "C", ukoNode: "project://c", content: "swordfish", tokenCount: 30, relevanceScore: 0.7 },
];
const request = { requestId: "mine", fragments, budget: { maxTokens: 60 }, query: "swordfish" };

test("a request is answered with its payload", async (t) => {
  const server = await startTestServer(t);
  const { payload, requestId } = await answered(assembleOver(server.client(), request));
  assert.equal(requestId, "mine");
  assert.deepEqual(
    payload!.fragments.map(({ fragmentId }) => fragmentId),
    ["A"],
  );
  assert.equal(payload!.totalTokens, 50);
  assert.equal(payload!.availableTokens, 60);
  assert.equal(payload!.remainingTokens, 10);
  assert.equal(payload!.withinBudget, true);
  assert.equal(payload!.contextHash, independentHash(payload!.fragments));
  assert.equal(payload!.provenanceMap.get("A")?.resourceUri, "project://a");
  assert.deepEqual(
    payload!.decisions.map(({ fragmentId, tokensMissing, tokensMissingExact }) => [
      fragmentId,
      tokensMissing,
      tokensMissingExact,
    ]),
    [
      ["B", 15, true],
      ["C", 45, true],
    ],
  );
});

test("an empty request has an empty payload", async (t) => {
  const server = await startTestServer(t);
  const { payload, requestId } = await answered(assembleOver(server.client(), { budget: { maxTokens: 1 } }));
  assert.match(requestId, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  assert.deepEqual(payload!.fragments, []);
  assert.equal(payload!.budgetUsed, 0);
  assert.equal(payload!.contextHash, independentHash([]));
});

test("ids alone are sent where the caller asks for them", async (t) => {
  const server = await startTestServer(t);
  const parents = [{ fragmentId: "P", ukoNode: "p", content: "swordfish", tokenCount: 1 }];
  const idsOnly = { ...request, contentMode: 2, parentFragments: parents };
  const { payload } = await answered(assembleOver(server.client(), idsOnly));
  assert.deepEqual(
    payload!.fragments.map(({ fragmentId, tokenCount, content, ukoNode }) => [
      fragmentId,
      tokenCount,
      content,
      ukoNode,
    ]),
    [["A", 50, "", ""]],
  );
  assert.deepEqual(
    payload!.skeletonFragments.map(({ fragmentId, content }) => [fragmentId, content]),
    [["P", ""]],
  );
  const whole = await answered(assembleOver(server.client(), request));
  assert.equal(payload!.contextHash, whole.payload!.contextHash);
});

test("thousands of violations arrive within 4 KB, and the log says how many there were", async (t) => {
  const server = await startTestServer(t);
  const faulty = Array.from({ length: 9_999 }, () => ({ ukoNode: "n", relevanceScore: 2 }));
  const failure = await failing(assembleOver(server.client(), { ...request, fragments: faulty }));
  assert.equal(failure.code, Status.INVALID_ARGUMENT);
  assert.equal(failure.metadata.violations, "9999");
  assert.ok(failure.detailBytes <= 4_096);
  const shown = failure.violations.length - 1;
  assert.match(failure.violations.at(-1)!.description, new RegExp(`\\b${9_999 - shown} more`));
  assert.equal(failure.violations[0]!.field, "fragments[0].relevance_score");
});

test("the limits of the app are the server's", async (t) => {
  const server = await startTestServer(t, { app: createApp({ limits: { maxFragments: 2, maxContentCharacters: 3 } }) });
  const tooMany = await failing(assembleOver(server.client(), request));
  assert.deepEqual([tooMany.reason, tooMany.metadata], ["TOO_MANY_FRAGMENTS", { fragments: "3", limit: "2" }]);
  const tooLong = await failing(assembleOver(server.client(), { ...request, fragments: fragments.slice(0, 1) }));
  assert.equal(tooLong.violations[0]?.field, "fragments[0].content");
});

test("a call has one line in the log: id, status, time and numbers, and never content", async (t) => {
  const server = await startTestServer(t);
  await answered(assembleOver(server.client(), request));
  const line = await server.line(({ requestId }) => requestId === "mine");
  assert.equal(line.method, "/acms.v1.AssemblyService/Assemble");
  assert.equal(line.status, "OK");
  assert.ok(typeof line.durationMs === "number" && line.durationMs > 0);
  assert.deepEqual([line.fragmentsIn, line.fragmentsOut, line.tokens], [3, 1, 50]);
  await pause(20);
  assert.equal(server.lines.length, 1);
  assert.ok(!JSON.stringify(server.lines).includes("swordfish"));
});

test("a refused call has one line in the log, without content", async (t) => {
  const server = await startTestServer(t);
  const faulty = [
    { ...fragments[0]!, fragmentId: "swordfish", relevanceScore: 7 },
    { ...fragments[1]!, fragmentId: "swordfish" },
  ];
  await failing(assembleOver(server.client(), { ...request, fragments: faulty, strategies: [{ name: "swordfish" }] }));
  const line = await server.line(({ requestId }) => requestId === "mine");
  assert.deepEqual([line.status, line.reason], ["INVALID_ARGUMENT", "INVALID_REQUEST"]);
  assert.equal(line.fragmentsIn, 2);
  await pause(20);
  assert.equal(server.lines.length, 1);
  assert.ok(!JSON.stringify(server.lines).includes("swordfish"), JSON.stringify(server.lines));
});

test("the line of a refused call has the reason, and that of an answered one has none", async (t) => {
  const server = await startTestServer(t);
  const pinned = fragments.slice(0, 1).map((fragment) => ({ ...fragment, pinned: true }));
  await failing(assembleOver(server.client(), { ...request, fragments: pinned, budget: { maxTokens: 1 } }));
  const refused = await server.line(({ requestId }) => requestId === "mine");
  assert.deepEqual([refused.status, refused.reason], ["FAILED_PRECONDITION", "PINNED_OVER_BUDGET"]);
  await answered(assembleOver(server.client(), { ...request, requestId: "other" }));
  const done = await server.line(({ requestId }) => requestId === "other");
  assert.ok(!("reason" in done), JSON.stringify(done));
});

test("an overlong request id is refused, and not logged at full length", async (t) => {
  const server = await startTestServer(t);
  const requestId = "r".repeat(100_000);
  await failing(assembleOver(server.client(), { ...request, requestId }));
  const line = await server.line(({ status }) => status === "INVALID_ARGUMENT");
  const { length } = JSON.stringify(line);
  assert.ok(length < 2_000, `${length} characters`);
});

test("a message that is refused for its size has a line in the log too", async (t) => {
  const server = await startTestServer(t, { maxReceiveBytes: 100 });
  await failing(assembleOver(server.client(), { ...request, query: "q".repeat(200) }));
  const { status, reason } = await server.line(() => true);
  assert.deepEqual([status, reason], ["RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE"]);
});

interface HealthCheck {
  check(request: { service: string }, callback: (error: null, response: { status: string }) => void): unknown;
  watch(request: { service: string }): ClientReadableStream<{ status: string }>;
  close(): void;
}

function healthOf(t: TestContext, { address }: TestServer): HealthCheck {
  const Client = makeGenericClientConstructor(healthService, "Health");
  const client = new Client(address, credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
  t.after(() => client.close());
  return client as unknown as HealthCheck;
}

test("the server and each of its services are healthy", async (t) => {
  const health = healthOf(t, await startTestServer(t));
  for (const service of ["", ...SERVICE_NAMES]) {
    const ending = await answered(
      ended<{ status: string }>((callback) => health.check({ service }, callback as never)),
    );
    assert.equal(ending.status, "SERVING", service);
  }
});

test("the health of a service that does not exist is NOT_FOUND", async (t) => {
  const health = healthOf(t, await startTestServer(t));
  const failure = await failing(ended((callback) => health.check({ service: "none" }, callback as never)));
  assert.equal(failure.code, Status.NOT_FOUND);
});

test("a stop without open calls does not wait for the grace", { timeout: 60_000 }, async (t) => {
  const server = await startTestServer(t, { shutdownGraceMs: 600_000 });
  await answered(assembleOver(server.client(), request));
  await server.stop();
});

/** An app whose assemblies wait for a word. */
function waitingApp() {
  const app = createApp();
  let atWork = false;
  let letGo = (): void => {};
  const word = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const assemble: typeof app.assemble = async (...args) => {
    atWork = true;
    await word;
    return app.assemble(...args);
  };
  const working = () => eventually(() => (atWork ? true : undefined));
  return { app: { ...app, assemble }, letGo: () => letGo(), working };
}

test("a stop lets a running call finish and takes no new one", async (t) => {
  const { app, letGo, working } = waitingApp();
  const server = await startTestServer(t, { app, shutdownGraceMs: 30_000 });
  const running = assembleOver(server.client(), request);
  await working();
  const stopped = server.stop();
  await pause(30);
  const late = await failing(assembleOver(server.client(), request, { deadline: Date.now() + 20_000 }));
  assert.equal(late.code, Status.UNAVAILABLE);
  letGo();
  assert.equal((await answered(running)).requestId, "mine");
  await stopped;
});

test("a stop ends a call that does not finish within the grace", { timeout: 60_000 }, async (t) => {
  const { app, working } = waitingApp();
  const server = await startTestServer(t, { app, shutdownGraceMs: 100 });
  const running = failing(assembleOver(server.client(), request, { deadline: Date.now() + 600_000 }));
  await working();
  await server.stop();
  const { code } = await running;
  assert.ok([Status.UNAVAILABLE, Status.CANCELLED].includes(code), Status[code]);
});

test("every stop is the one stop", async (t) => {
  const server = await startTestServer(t);
  assert.equal(server.stop(), server.stop());
  await server.stop();
});

test("an address that is taken is an error and not a silence", async (t) => {
  const { address } = await startTestServer(t);
  const port = Number(address.split(":")[1]);
  const options = { ...TEST_SERVER_OPTIONS, port };
  await assert.rejects(
    startServer(createApp(), options, pino({ enabled: false })),
    /EADDRINUSE|address already in use/i,
  );
});

test("a server on a version 6 address says where it is", async (t) => {
  const server = await startTestServer(t, { host: "::1" }).catch((error: Error) => error);
  if (server instanceof Error) return t.skip("there is no version 6 here");
  assert.match(server.address, /^\[::1\]:\d+$/);
  assert.equal((await answered(assembleOver(server.client(), request))).requestId, "mine");
});
