import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { readdirSync } from "node:fs";
import { type ClientHttp2Session, connect } from "node:http2";
import { createConnection, createServer } from "node:net";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { credentials } from "@grpc/grpc-js";
import { AssembleRequest, AssembleResponse } from "../../../gen/acms/v1/assembly_service.js";
import { Source } from "../../../gen/acms/v1/strategy.js";
import {
  GetStrategyRequest,
  type GetStrategyResponse,
  RegisterStrategyRequest,
  type RegisterStrategyResponse,
  StrategyServiceClient,
} from "../../../gen/acms/v1/strategy_service.js";
import { settings } from "../../config/schema.js";
import { temporaryFolder } from "../../registrations/temporary-folder.fixture.js";
import { captureRun } from "../captured-run.js";
import { type SpawnedServer, spawnAcms, spawnServer } from "../spawned-run.js";
import { productVersion } from "../version.js";

async function serverFor(t: TestContext, ...args: string[]): Promise<SpawnedServer> {
  const server = await spawnServer(...args);
  t.after(() => server.process.kill("SIGKILL"));
  return server;
}

/** A call whose message is only half sent, so that the server is at work on it for as long as the test wants. */
interface HalfCall {
  /** Sends the rest, and gives the status and the response. */
  finish(): Promise<{ status: unknown; response: AssembleResponse }>;
}

async function startHalfCall(t: TestContext, address: string): Promise<HalfCall> {
  const session = connect(`http://${address}`);
  t.after(() => session.destroy());
  // Where a test has the call cut off, its end is not the test's fault.
  const ignore = (): void => {};
  session.on("error", ignore);
  await once(session, "connect");
  const stream = session.request({
    ":method": "POST",
    ":path": "/acms.v1.AssemblyService/Assemble",
    "content-type": "application/grpc",
    te: "trailers",
  });
  const request = AssembleRequest.fromPartial({
    fragments: [{ fragmentId: "only", ukoNode: "project://app/only", content: "text" }],
    budget: { maxTokens: 10 },
  });
  const message = AssembleRequest.encode(request).finish();
  const frame = Buffer.concat([Buffer.alloc(5), message]);
  frame.writeUInt32BE(message.length, 1);
  stream.on("error", ignore);
  await new Promise((resolve) => stream.write(frame.subarray(0, 10), resolve));
  await ping(session);
  return {
    finish: async () => {
      const trailers = once(stream, "trailers");
      const chunks = stream.toArray();
      stream.end(frame.subarray(10));
      const [[{ "grpc-status": status }], bytes] = await Promise.all([trailers, chunks]);
      return { status, response: AssembleResponse.decode(Buffer.concat(bytes).subarray(5)) };
    },
  };
}

/** Answered, a ping says that the server has read everything that was sent before it. */
function ping(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    session.ping((error) => (error === null ? resolve() : reject(error)));
  });
}

function strategyClient(t: TestContext, address: string): StrategyServiceClient {
  const client = new StrategyServiceClient(address, credentials.createInsecure());
  t.after(() => client.close());
  return client;
}

async function register(t: TestContext, address: string, name: string, windowSize: number) {
  const client = strategyClient(t, address);
  const call = promisify<RegisterStrategyRequest, RegisterStrategyResponse>(client.registerStrategy.bind(client));
  const config = { $case: "slidingWindow", value: { windowSize } } as const;
  return (await call(RegisterStrategyRequest.fromPartial({ strategy: { name, config } }))).strategy;
}

async function strategyOf(t: TestContext, address: string, name: string) {
  const client = strategyClient(t, address);
  const call = promisify<GetStrategyRequest, GetStrategyResponse>(client.getStrategy.bind(client));
  return (await call(GetStrategyRequest.fromPartial({ name }))).strategy;
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} stops the server once the running call is answered`, async (t) => {
    const server = await serverFor(t);
    const call = await startHalfCall(t, server.address);
    server.process.kill(signal);
    assert.equal(await server.nextLine(), `${signal}: no new calls; running ones have 10000 ms`);
    const { status, response } = await call.finish();
    assert.equal(status, "0");
    assert.deepEqual(
      response.payload?.fragments.map(({ fragmentId }) => fragmentId),
      ["only"],
    );
    assert.equal(await server.ended, 0);
    assert.equal(await server.nextLine(), "acms has stopped");
  });
}

test("a connection that says nothing does not keep a stopped server alive", { timeout: 120_000 }, async (t) => {
  const server = await serverFor(t, "--shutdown-grace-ms", "3600000");
  const socket = createConnection({ port: Number(server.address.split(":")[1]), allowHalfOpen: true });
  t.after(() => socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0);
});

test("it says that it starts, and a signal from then on ends it well and leaves nothing behind", async (t) => {
  const folder = temporaryFolder(t);
  const server = spawnAcms(["serve", "--port", "0", "--data-dir", folder]);
  t.after(() => server.kill("SIGKILL"));
  const ended = once(server, "exit");
  const { value } = await createInterface(server.stderr)[Symbol.asyncIterator]().next();
  const { msg, version } = JSON.parse(value);
  assert.deepEqual([msg, version], ["acms starts", productVersion()]);
  server.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
  assert.deepEqual(leftIn(folder), []);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} before it listens ends it well, and leaves nothing behind`, async (t) => {
    const folder = temporaryFolder(t);
    const signals = new EventEmitter();
    const running = captureRun(["serve", "--port", "0", "--data-dir", folder], { signals });
    signals.emit(signal, signal);
    const { code, stdout } = await running;
    assert.deepEqual([code, stdout], [0, `${signal}: it came before acms listened\nacms has stopped\n`]);
    assert.deepEqual(leftIn(folder), []);
    assert.deepEqual(signals.eventNames(), []);
  });
}

/** What no stopped server leaves in its folder: everything but the registrations. */
function leftIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith("server-") || name.startsWith("starting-"));
}

test("what is registered with --data-dir is there after a stop and a start", async (t) => {
  const folder = temporaryFolder(t);
  const server = await serverFor(t, "--data-dir", folder);
  const registered = await register(t, server.address, "newest", 2);
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0);

  const { address } = await serverFor(t, "--data-dir", folder);
  const found = await strategyOf(t, address, "newest");
  assert.deepEqual(found, registered);
  assert.equal(found?.source, Source.SOURCE_REGISTERED);
  assert.deepEqual(found?.config?.config, { $case: "slidingWindow", value: { windowSize: 2, windowMode: 0 } });
});

test("a second signal ends the server at once", async (t) => {
  const server = await serverFor(t, "--shutdown-grace-ms", "3600000");
  await startHalfCall(t, server.address);
  server.process.kill("SIGTERM");
  await server.nextLine();
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, "SIGTERM");
});

test("a call that outlasts the grace is cut off, and the server still ends well", async (t) => {
  const server = await serverFor(t, "--shutdown-grace-ms", "1");
  await startHalfCall(t, server.address);
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0);
});

test("a reader that leaves takes the server's words with it, not the server", async (t) => {
  const server = await serverFor(t);
  const call = await startHalfCall(t, server.address);
  server.process.stdout.destroy();
  server.process.stderr.destroy();
  server.process.kill("SIGTERM");
  assert.equal((await call.finish()).status, "0");
  assert.equal(await server.ended, 0);
});

test("a port in use is no wrong use, but a clear message", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  t.after(() => other.close());
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  assert.deepEqual(await captureRun(["serve", "--port", String(port), "--log-level", "warn"]), {
    code: 1,
    stdout: "",
    stderr: `error: cannot listen on 127.0.0.1, port ${port}: another program uses this port\n`,
  });
});

test("bad settings are wrong use, all named at once", async () => {
  const { code, stdout, stderr } = await captureRun(["serve", "--port", "x"], { env: { ACMS_MAX_FRAGMENTS: "-1" } });
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /^error: the settings have faults:\n {2}ACMS_MAX_FRAGMENTS: -1 came.*\n {2}--port: "x" came/);
});

test("help shows every setting with its flag, variable and default", async () => {
  const { code, stdout } = await captureRun(["serve", "--help"]);
  assert.equal(code, 0);
  const words = stdout.replace(/\s+/g, " ");
  assert.equal(settings.length, 18);
  for (const { flag, variable, fallback } of settings) {
    const shown = fallback === "" ? "none" : fallback;
    assert.match(words, new RegExp(`${flag} <(?:number|text)> [^\\]]*\\[${variable}, default ${shown}\\]`));
  }
});
