/** A stop takes as long as calls that end by themselves, and leaves nothing open. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { credentials, makeGenericClientConstructor, type ServiceError, status as Status } from "@grpc/grpc-js";
import { service as healthService } from "grpc-health-check";
import { eventually, failureOf, startTestServer, type TestServer } from "./server.fixture.js";
import { rawCall } from "./wire.fixture.js";

/** Longer than any of these tests may take. */
const LONG_GRACE = { shutdownGraceMs: 600_000 };
const IN_TIME = { timeout: 60_000 };

/** A connection whose other side says so much and no more, and does not hang up either. */
async function bareConnection(t: TestContext, { address }: TestServer, says: string): Promise<Socket> {
  const port = Number(address.split(":")[1]);
  const socket = createConnection({ port, host: "127.0.0.1", allowHalfOpen: true });
  t.after(() => socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  if (says !== "") await new Promise((resolve) => socket.write(says, resolve));
  // By the time it has answered another one, the server has accepted this one.
  await rawCall(address);
  return socket;
}

const silences = {
  "sends nothing": "",
  "sends half of the preface": "PRI * HTTP/2.0\r\n\r\n",
  "sends the preface and no more": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "has an HTTP/2 connection without calls": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
};

for (const [what, says] of Object.entries(silences)) {
  test(`a peer that ${what} does not hold a stop, and is cut off`, IN_TIME, async (t) => {
    const server = await startTestServer(t, LONG_GRACE);
    const socket = await bareConnection(t, server, says);
    socket.resume();
    await server.stop();
    // Of our own side nothing is left that would keep a process: what the peer still sends is refused.
    const refused = await eventually(() => {
      if (socket.destroyed) return true;
      socket.write("x");
      return undefined;
    });
    assert.equal(refused, true);
  });
}

test("nothing listens and nothing is open after a stop", IN_TIME, async (t) => {
  const server = await startTestServer(t, LONG_GRACE);
  await bareConnection(t, server, "");
  await server.stop();
  await assert.rejects(rawCall(server.address), /ECONNREFUSED/);
  const port = Number(server.address.split(":")[1]);
  // The port is free again.
  await (await startTestServer(t, { port })).stop();
});

test("a host's name is listened on at all its addresses", async (t) => {
  const server = await startTestServer(t, { host: "localhost" });
  const port = server.address.split(":")[1];
  assert.equal((await rawCall(`localhost:${port}`)).httpStatus, 200);
});

test("a name that no host has is an error", async (t) => {
  await assert.rejects(startTestServer(t, { host: "no-such-host.invalid" }), /no-such-host\.invalid/);
});

/** A call that ends only when its caller or the server ends it. */
interface Endless {
  /** Messages that came. */
  readonly seen: unknown[];
  readonly failed: Promise<ServiceError>;
}

function watch(t: TestContext, { address }: TestServer): Endless {
  const Client = makeGenericClientConstructor(healthService, "Health");
  const client = new Client(address, credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
  t.after(() => client.close());
  return listenTo((client as never as { watch(request: object): NodeJS.EventEmitter }).watch({ service: "" }));
}

/** Asks for the names of all services, and stays. */
function reflect(t: TestContext, { address }: TestServer, version: string): Endless {
  const asBytes = (bytes: Buffer): Buffer => bytes;
  const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
  const method = {
    path,
    requestStream: true,
    responseStream: true,
    requestSerialize: asBytes,
    requestDeserialize: asBytes,
    responseSerialize: asBytes,
    responseDeserialize: asBytes,
  };
  const Client = makeGenericClientConstructor({ info: method }, "ServerReflection");
  const client = new Client(address, credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
  t.after(() => client.close());
  const call = (client as never as { info(): NodeJS.EventEmitter & { write(bytes: Buffer): void } }).info();
  call.write(Buffer.from([0x3a, 0x00]));
  return listenTo(call);
}

function listenTo(call: NodeJS.EventEmitter): Endless {
  const seen: unknown[] = [];
  call.on("data", (message) => seen.push(message));
  return { seen, failed: once(call, "error").then(([error]) => error as ServiceError) };
}

const endless: Record<string, (t: TestContext, server: TestServer) => Endless> = {
  "a watcher of health": watch,
  "a reader of descriptors": (t, server) => reflect(t, server, "v1"),
  "a reader of descriptors of the old kind": (t, server) => reflect(t, server, "v1alpha"),
};

for (const [who, open] of Object.entries(endless)) {
  test(`${who} does not hold a stop, and is told why its stream ends`, IN_TIME, async (t) => {
    const server = await startTestServer(t, LONG_GRACE);
    const { seen, failed } = open(t, server);
    assert.ok(await eventually(() => seen[0]));
    await server.stop();
    const failure = failureOf(await failed);
    assert.deepEqual(
      [failure.code, failure.message, failure.reason],
      [Status.UNAVAILABLE, "the server stops", "SERVER_STOPPING"],
    );
    const line = await server.line(({ status }) => status === "UNAVAILABLE");
    assert.equal(line.reason, "SERVER_STOPPING");
  });
}

test("a watcher hears NOT_SERVING before its stream ends", IN_TIME, async (t) => {
  const server = await startTestServer(t, LONG_GRACE);
  const { seen, failed } = watch(t, server);
  assert.ok(await eventually(() => seen[0]));
  await server.stop();
  await failed;
  assert.deepEqual(seen, [{ status: "SERVING" }, { status: "NOT_SERVING" }]);
});
