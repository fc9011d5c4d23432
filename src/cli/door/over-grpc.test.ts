// What a server says of itself reaches the shell as it is, but cannot steer the terminal. The server is one of the test's own.
import assert from "node:assert/strict";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { Metadata, Server, ServerCredentials, type ServiceError, status as Status } from "@grpc/grpc-js";
import { AssembleResponse, AssemblyServiceService } from "../../../gen/acms/v1/assembly_service.js";
import { StrategyServiceService } from "../../../gen/acms/v1/strategy_service.js";
import { BadRequest } from "../../../gen/google/rpc/error_details.js";
import { Status as RpcStatus } from "../../../gen/google/rpc/status.js";
import { createApp } from "../../app.js";
import { ContextError } from "../../core/index.js";
import { startHandler, startTestServer } from "../../grpc/server.fixture.js";
import { captureRun } from "../captured-run.js";

const request = { fragments: [{ ukoNode: "a", content: "text" }], budget: { maxTokens: 9 } };
const evil = "\u001b[31mEVIL\u001b]0;title\u0007\r\nINTERNAL: forged\u007f\u009b31m\u202eb";
const spelledOut =
  "\\u{001b}[31mEVIL\\u{001b}]0;title\\u{0007}\\u{000d}\\u{000a}INTERNAL: forged\\u{007f}\\u{009b}31m\\u{202e}b";

/** All that would steer a terminal, but for the ends of lines. */
const steers = /[^\P{C}\n]/u;

async function assembleAt(address: string, ...args: string[]) {
  return captureRun(["assemble", "-", "--server", address, ...args], { stdin: JSON.stringify(request) });
}

type Answer = (callback: (error: Partial<ServiceError> | null, response?: AssembleResponse) => void) => void;

/** A server that answers every `Assemble` in one way. */
async function serverThat(t: TestContext, answer: Answer): Promise<string> {
  const server = new Server();
  server.addService(AssemblyServiceService, {
    assemble: (_call: unknown, callback: Parameters<Answer>[0]) => answer(callback),
  } as unknown as Parameters<Server["addService"]>[1]);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  t.after(() => server.forceShutdown());
  return `127.0.0.1:${port}`;
}

test("a failure that the server tells is told as it is, whatever its status", async (t) => {
  const failed = () => Promise.reject(new ContextError("COMPONENT_UNAVAILABLE", `the hosted packer failed: ${evil}`));
  const ours = await startHandler(t, failed);
  assert.deepEqual(await assembleAt(ours.address), {
    code: 1,
    stdout: "",
    stderr: `UNAVAILABLE: the hosted packer failed: ${spelledOut}\n`,
  });
  const bare = await serverThat(t, (callback) =>
    callback({ code: Status.UNAVAILABLE, details: "no healthy upstream" }),
  );
  assert.equal((await assembleAt(bare)).stderr, "UNAVAILABLE: no healthy upstream\n");
});

test("a server that sent its headers is not one that gave no answer", async (t) => {
  const server = createServer().on("stream", (stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "14", "grpc-message": "draining" }));
    stream.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  assert.equal((await assembleAt(`127.0.0.1:${port}`)).stderr, "UNAVAILABLE: draining\n");
});

test("a server that goes away without a word gave no answer", async (t) => {
  const server = createServer().on("stream", (stream) => stream.session?.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.match((await assembleAt(address)).stderr, new RegExp(`^UNAVAILABLE: no answer from ${address}: `));
});

test("violations of a server cannot steer the terminal", async (t) => {
  const address = await serverThat(t, (callback) => {
    const metadata = new Metadata();
    const value = Buffer.from(BadRequest.encode({ fieldViolations: [violation] }).finish());
    const details = [{ typeUrl: "type.googleapis.com/google.rpc.BadRequest", value }];
    metadata.set("grpc-status-details-bin", Buffer.from(RpcStatus.encode({ code: 3, message: "", details }).finish()));
    callback({ code: Status.INVALID_ARGUMENT, details: "no", metadata });
  });
  const violation = { field: evil, description: evil, reason: "", localizedMessage: undefined };
  const { code, stderr } = await assembleAt(address);
  assert.equal(code, 1);
  assert.equal(stderr, `INVALID_ARGUMENT: the request is refused\n  ${spelledOut}: ${spelledOut}\n`);
});

test("nothing that a server answers can steer the terminal", async (t) => {
  const decision = { outcome: 2, reason: 3, fragmentId: evil, relatedFragmentId: evil, detail: evil };
  const payload = {
    payloadId: evil,
    strategiesUsed: [evil],
    contextHash: `\u001b[31m${evil}`,
    tokenizer: evil,
    countsEstimated: true,
    fragments: [{ fragmentId: evil, ukoNode: evil, content: evil, tokenCount: 1 }],
    decisions: [
      { ...decision, inputIndex: 0 },
      { ...decision, inputIndex: 7, reason: 99 },
    ],
    warnings: [{ code: evil, component: evil, message: evil }],
    timings: [{ component: evil, stage: 1 }],
  };
  const response = AssembleResponse.fromPartial({ payload });
  const address = await serverThat(t, (callback) => callback(null, response));
  for (const args of [
    ["--format", "text"],
    ["--explain", "#0"],
    ["--format", "text", "--all"],
  ]) {
    const { code, stdout, stderr } = await assembleAt(address, ...args);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.ok(stdout.includes("EVIL"), stdout);
    assert.doesNotMatch(stdout, steers);
  }
  const stdin = JSON.stringify(request);
  const coloured = await captureRun(["assemble", "-", "--server", address], { stdin, columns: 80 });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: our own styles are made of one
  assert.doesNotMatch(coloured.stdout.replace(/\u001b\[(?:0|1|2|3[2346])m/g, ""), steers);
});

test("a namespace says whose names hold", async (t) => {
  const app = createApp();
  const { address } = await startTestServer(t, { app });
  const config = { $case: "expression" as const, value: { where: "", score: "1.0" } };
  const spec = { name: "own", confidence: undefined, config };
  await app.register("mine", spec, new AbortController().signal);
  const stdin = JSON.stringify(request);
  const run = (...args: string[]) => captureRun([...args, "--server", address], { stdin });
  const commands = [
    ["strategies", "--format", "text"],
    ["assemble", "-", "--strategy", "own", "--format", "text"],
    ["compare", "-", "--strategies", "own", "--format", "text"],
  ];
  for (const command of commands) {
    const mine = await run(...command, "--namespace", "mine");
    assert.equal(mine.code, 0, mine.stderr);
    assert.match(mine.stdout, /\bown\b/);
    assert.doesNotMatch(mine.stdout, /NOT_FOUND/);
    const others = await run(...command, "--namespace", "others");
    const nobodys = await run(...command);
    assert.deepEqual([nobodys.code, nobodys.stderr], [others.code, others.stderr]);
    const told = `${others.stdout}${others.stderr}`;
    if (command[0] === "strategies") assert.doesNotMatch(told, /\bown\b/);
    else assert.match(told, /NOT_FOUND: no strategy has the name "own"/);
  }
  const long = await run("strategies", "--namespace", "n".repeat(129));
  assert.equal(long.code, 1);
  assert.match(long.stderr, /^INVALID_ARGUMENT: .*\n {2}metadata\.acms-namespace: has 129 characters/);
});

test("too many fragments for a server are told with what its owner may do", async (t) => {
  const { address } = await startTestServer(t, { app: createApp({ limits: { maxFragments: 0 } }) });
  const { code, stderr } = await assembleAt(address);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^RESOURCE_EXHAUSTED: .*\n {2}The limit is the server's: `acms serve --max-fragments` sets it\.\n$/,
  );
  const { address: narrow } = await startTestServer(t, { maxReceiveBytes: 10 });
  assert.match(
    (await assembleAt(narrow)).stderr,
    /^RESOURCE_EXHAUSTED: .*\n {2}The limit is the server's: `acms serve --max-receive-bytes` sets it\.\n$/,
  );
});

test("strategies of a server cannot steer the terminal", async (t) => {
  const server = new Server();
  server.addService(StrategyServiceService, {
    listStrategies: (_call: unknown, callback: (error: null, response: object) => void) =>
      callback(null, { strategies: [{ name: evil, explanation: evil, confidence: 1, source: 1 }], nextPageToken: "" }),
  } as unknown as Parameters<Server["addService"]>[1]);
  const port = await new Promise<number>((resolve) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (_error, bound) => resolve(bound));
  });
  t.after(() => server.forceShutdown());
  const { code, stdout } = await captureRun(["strategies", "--format", "text", "--server", `127.0.0.1:${port}`]);
  assert.equal(code, 0);
  assert.ok(stdout.includes("EVIL"));
  assert.doesNotMatch(stdout, steers);
});
