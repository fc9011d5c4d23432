import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Client, credentials, Server, ServerCredentials, status as Status, type StatusObject } from "@grpc/grpc-js";
import { pino } from "pino";
import {
  ComponentServiceClient,
  ComponentServiceService,
  type HostRequest,
  HostResponse,
} from "../../gen/acms/v1/component_service.js";
import { ContextError } from "../core/index.js";
import { createCallLog } from "./call-log.js";
import type { DuplexHandler, Peer, StreamListener } from "./duplex.js";
import { decodeDetails, eventually, pause } from "./server.fixture.js";
import { addService, type CallSurroundings } from "./unary.js";

type Handler = DuplexHandler<HostRequest, HostResponse>;

const DEAF: StreamListener<HostRequest> = {
  message: () => undefined,
  drained: () => undefined,
  halfClosed: () => undefined,
  gone: () => undefined,
  stopping: () => undefined,
};

const beat = (number: number) => ({ message: { $case: "heartbeat" as const, value: { number } } });

/** A server whose stream a test handles, and a client's end of one stream. */
async function open(t: TestContext, handler: Handler) {
  const logger = pino({ level: "silent" });
  const around: CallSurroundings = {
    records: new WeakMap(),
    newId: () => "01TEST00000000000000000000",
    maxConcurrentCalls: 10,
    maxReceiveBytes: 1_000_000,
    logger,
    running: { count: 0, cutOffs: new Set() },
    streams: new Set(),
  };
  const server = new Server({ interceptors: [createCallLog(logger, around.records, around.maxReceiveBytes)] });
  const listComponents = () => Promise.reject(new Error("no test has asked for it"));
  addService(server, ComponentServiceService, { host: handler, listComponents }, around);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const client = new ComponentServiceClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
    "grpc.use_local_subchannel_pool": 1,
  });
  t.after(() => {
    client.close();
    server.forceShutdown();
  });
  const stream = client.host();
  const heard: HostResponse[] = [];
  stream.on("data", (message: HostResponse) => heard.push(message));
  stream.on("error", () => {
    // The status says the same.
  });
  const ended = new Promise<StatusObject>((resolve) => stream.on("status", resolve));
  return { address: `127.0.0.1:${port}`, around, stream, heard, ended };
}

const reasonOf = ({ metadata }: StatusObject) =>
  decodeDetails(metadata.get("grpc-status-details-bin")[0] as Buffer).reason;

test("a handler that throws at once ends the stream with what it threw", async (t) => {
  const { ended } = await open(t, () => {
    throw new ContextError("TOO_MANY_HOSTED", "no room", { retryAfterMs: 5 });
  });
  const status = await ended;
  assert.deepEqual(
    [status.code, status.details, reasonOf(status)],
    [Status.RESOURCE_EXHAUSTED, "no room", "TOO_MANY_HOSTED"],
  );
});

for (const [name, thrown] of Object.entries({ "an error": new Error("inside"), "no error at all": "text" })) {
  test(`a listener that throws ${name} ends the stream as a fault of the server, without its text`, async (t) => {
    let gone = 0;
    const { stream, ended, around } = await open(t, () => ({
      ...DEAF,
      message: () => {
        throw thrown;
      },
      gone: () => gone++,
    }));
    stream.write(beat(1));
    const status = await ended;
    assert.equal(status.code, Status.INTERNAL);
    assert.ok(!status.details.includes("inside"));
    assert.deepEqual([gone, around.streams.size], [1, 0]);
  });
}

test("a lone surrogate in a message of failure hurts nobody", async (t) => {
  const { ended } = await open(t, (peer) => {
    setImmediate(() => peer.fail(new ContextError("CONVERSATION_BROKEN", "half \ud83d")));
    return DEAF;
  });
  assert.equal((await ended).details, "half \ufffd");
});

test("the stream ends once, and what is sent afterwards goes nowhere", async (t) => {
  let gone = 0;
  const { ended, heard } = await open(t, (peer) => {
    setImmediate(() => {
      peer.send(beat(1));
      peer.end();
      peer.fail(new Error("late"));
      peer.end();
      assert.equal(peer.send(beat(2)), true);
    });
    return { ...DEAF, gone: () => gone++ };
  });
  assert.equal((await ended).code, Status.OK);
  await pause(20);
  assert.deepEqual([heard.length, gone], [1, 1]);
});

test("bytes that are no message end the stream as malformed", async (t) => {
  const { address } = await open(t, () => DEAF);
  const client = new Client(address, credentials.createInsecure());
  t.after(() => client.close());
  const asItIs = (bytes: Buffer): Buffer => bytes;
  const stream = client.makeBidiStreamRequest("/acms.v1.ComponentService/Host", asItIs, asItIs);
  stream.on("error", () => {
    // The status says the same.
  });
  stream.on("data", () => undefined);
  const ended = new Promise<StatusObject>((resolve) => stream.on("status", resolve));
  // A field of five bytes of which none comes.
  stream.write(Buffer.from([0x0a, 5]));
  const status = await ended;
  assert.deepEqual([status.code, reasonOf(status)], [Status.INVALID_ARGUMENT, "MALFORMED_MESSAGE"]);
});

test("a message that cannot be encoded is thrown to who sends it, and one that is encoded goes as it is", async (t) => {
  let peer: Peer<HostResponse> | undefined;
  const { heard } = await open(t, (given) => {
    peer = given;
    return DEAF;
  });
  await eventually(() => peer);
  const wrong = { message: { $case: "heartbeat", value: { number: "one" } } } as unknown as HostResponse;
  assert.throws(() => peer!.send(wrong));
  peer!.send(beat(3));
  peer!.sendBytes(Buffer.from(HostResponse.encode(beat(4)).finish()));
  await eventually(() => heard[1]);
  assert.deepEqual(heard, [beat(3), beat(4)]);
});

test("a client that goes away is told to the listener once", async (t) => {
  let gone = 0;
  const { stream, around } = await open(t, () => ({ ...DEAF, gone: () => gone++ }));
  await eventually(() => (around.streams.size === 1 ? true : undefined));
  stream.cancel();
  assert.ok(await eventually(() => (gone === 1 ? true : undefined)));
  assert.equal(around.streams.size, 0);
});

test("a client that does not read is told of by send, and by drained once it does", async (t) => {
  let peer: Peer<HostResponse> | undefined;
  let drained = 0;
  const { stream } = await open(t, (given) => {
    peer = given;
    return { ...DEAF, drained: () => drained++ };
  });
  stream.pause();
  await eventually(() => peer);
  let sent = 0;
  while (
    peer!.send({
      message: {
        $case: "welcome",
        value: {
          sessionId: "x".repeat(10_000),
          taken: [],
          refused: [],
          heartbeatInterval: undefined,
          maxComponents: 0,
          maxAnswerBytes: 0,
          maxTimeout: undefined,
        },
      },
    })
  ) {
    sent++;
    await new Promise(setImmediate);
    assert.ok(sent < 10_000, "send has said nothing");
  }
  stream.resume();
  assert.ok(await eventually(() => (drained > 0 ? true : undefined)));
});
