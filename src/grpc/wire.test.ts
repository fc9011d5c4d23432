/** What arrives as bytes that no client library would send, and what does not arrive in time. */
import assert from "node:assert/strict";
import { connect } from "node:http2";
import { createConnection } from "node:net";
import { test } from "node:test";
import { status as Status } from "@grpc/grpc-js";
import { AssembleRequest, AssembleResponse } from "../../gen/acms/v1/assembly_service.js";
import { createApp } from "../app.js";
import { eventually, pause, startHandler, startTestServer, type TestServer } from "./server.fixture.js";
import { ASSEMBLE, frame, rawCall, rawCallOver } from "./wire.fixture.js";

const valid = AssembleRequest.encode(
  AssembleRequest.fromPartial({ requestId: "ok", budget: { maxTokens: 10 } }),
).finish();

async function checkAlive({ address }: TestServer): Promise<void> {
  const { failure } = await rawCall(address, { body: frame(valid) });
  assert.equal(failure.code, Status.OK);
}

test("the raw wire reaches the service", async (t) => {
  const { address } = await startTestServer(t);
  const { httpStatus, headers, body, failure } = await rawCall(address, { body: frame(valid) });
  assert.equal(httpStatus, 200);
  assert.equal(failure.code, Status.OK);
  assert.match(headers["content-type"] ?? "", /^application\/grpc/);
  assert.equal(AssembleResponse.decode(body.subarray(5)).requestId, "ok");
});

/** A field with a length and bytes. */
const bytesField = (field: number, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([(field << 3) | 2, bytes.length]), bytes]);

const malformed: Record<string, Buffer> = {
  "bytes of no meaning": Buffer.from("ffffffffffffffffffffff", "hex"),
  "a field longer than the message": Buffer.from([0x0a, 0x7f, 0x61]),
  "a field whose length never ends": Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
  "a group that never ends": Buffer.from([0x0b]),
  "a group that ends before it begins": Buffer.concat([Buffer.from([0x0c]), valid]),
  "a field without a number": Buffer.concat([Buffer.from([0x00]), valid]),
  "a message cut in the middle": Buffer.from(valid.subarray(0, valid.length - 1)),
  "a fragment cut in the middle": bytesField(3, Buffer.from([0x0a, 0x05, 0x61])),
  "a text that is not UTF-8": bytesField(1, Buffer.from([0x61, 0xff, 0x62])),
  "half of a surrogate pair": bytesField(1, Buffer.from([0xed, 0xa0, 0xbd])),
  "an overlong zero": bytesField(1, Buffer.from([0xc0, 0x80])),
  "a text in a fragment that is not UTF-8": bytesField(3, bytesField(1, Buffer.from([0x80]))),
};

for (const [what, body] of Object.entries(malformed)) {
  test(`${what} is INVALID_ARGUMENT, and not the server's fault`, async (t) => {
    const server = await startTestServer(t);
    const { failure } = await rawCall(server.address, { body: frame(body) });
    assert.equal(failure.code, Status.INVALID_ARGUMENT);
    assert.equal(failure.reason, "MALFORMED_MESSAGE");
    assert.deepEqual(failure.metadata, { message: "acms.v1.AssembleRequest" });
    await checkAlive(server);
  });
}

test("valid UTF-8 of every length arrives as it was sent", async (t) => {
  const { address } = await startTestServer(t);
  const requestId = "aé€😀\u{10ffff}\ufeff\u0000";
  const message = AssembleRequest.encode(AssembleRequest.fromPartial({ requestId, budget: { maxTokens: 1 } })).finish();
  const { body } = await rawCall(address, { body: frame(message) });
  assert.equal(AssembleResponse.decode(body.subarray(5)).requestId, requestId);
});

test("fields that the server does not know are passed over", async (t) => {
  const { address } = await startTestServer(t);
  const unknown = Buffer.from([0xf8, 0x7f, 0x01]);
  const { failure } = await rawCall(address, { body: frame(Buffer.concat([valid, unknown])) });
  assert.equal(failure.code, Status.OK);
});

test("negative counts and depths arrive to be refused, all at once", async (t) => {
  const { address } = await startTestServer(t);
  const request = AssembleRequest.fromPartial({
    budget: { maxTokens: -1, reservedTokens: -2_147_483_648 },
    fragments: [{ ukoNode: "n", tokenCount: -1, detailDepth: -1 }],
  });
  const { failure } = await rawCall(address, { body: frame(AssembleRequest.encode(request).finish()) });
  assert.equal(failure.code, Status.INVALID_ARGUMENT);
  assert.deepEqual(failure.violations.map(({ field }) => field).sort(), [
    "budget.max_tokens",
    "budget.reserved_tokens",
    "fragments[0].detail_depth",
    "fragments[0].token_count",
  ]);
});

test("seconds beyond what a number holds are the caller's fault", async (t) => {
  const { address } = await startTestServer(t);
  const seconds = Buffer.from([0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
  const { failure } = await rawCall(address, { body: frame(Buffer.concat([valid, bytesField(13, seconds)])) });
  assert.equal(failure.code, Status.INVALID_ARGUMENT);
});

test("messages nested too deeply are the caller's fault", async (t) => {
  const server = await startTestServer(t);
  const depth = 60_000;
  const field = (3 << 3) | 3;
  const { failure } = await rawCall(server.address, { body: frame(Buffer.alloc(depth, field)) });
  assert.equal(failure.code, Status.INVALID_ARGUMENT);
  await checkAlive(server);
});

test("a message larger than the server receives is told both sizes", async (t) => {
  const server = await startTestServer(t, { maxReceiveBytes: 1_000 });
  const { failure } = await rawCall(server.address, { body: frame(Buffer.alloc(1_001)) });
  assert.equal(failure.code, Status.RESOURCE_EXHAUSTED);
  assert.equal(failure.reason, "MESSAGE_TOO_LARGE");
  assert.equal(failure.metadata.limit_bytes, "1000");
  assert.match(failure.message, /1001/);
  assert.match(failure.message, /1000/);
  await checkAlive(server);
});

test("a message of just the size that the server receives is taken", async (t) => {
  const { address } = await startTestServer(t, { maxReceiveBytes: valid.length });
  const { failure } = await rawCall(address, { body: frame(valid) });
  assert.equal(failure.code, Status.OK);
});

test("a length that only claims to be large is refused before the bytes come", async (t) => {
  const { address } = await startTestServer(t);
  const { failure } = await rawCall(address, { body: frame(Buffer.alloc(10), { length: 0xffff_ffff }) });
  assert.equal(failure.code, Status.RESOURCE_EXHAUSTED);
  assert.equal(failure.reason, "MESSAGE_TOO_LARGE");
});

const frames: Record<string, Buffer> = {
  "no message": Buffer.alloc(0),
  "half a frame's head": Buffer.from([0, 0]),
  "a frame that is cut": frame(valid).subarray(0, -1),
  "two messages": Buffer.concat([frame(valid), frame(valid)]),
  "a message that says it is compressed and is not": frame(valid, { compressed: 1 }),
  "a frame with an unknown flag": frame(valid, { compressed: 7 }),
};

/** Without a compression named, the library takes a message as it is, whatever its flag says. */
const LENIENT = ["a message that says it is compressed and is not", "a frame with an unknown flag"];

for (const [what, body] of Object.entries(frames)) {
  test(`a call with ${what} has an end, and the server lives on`, async (t) => {
    const server = await startTestServer(t);
    const { failure } = await rawCall(server.address, { body });
    if (!LENIENT.includes(what)) assert.notEqual(failure.code, Status.OK);
    await checkAlive(server);
  });
}

const timeouts = { "no number": "abc", empty: "", "no unit": "100", "too many digits": "123456789S", negative: "-1S" };

for (const [what, timeout] of Object.entries(timeouts)) {
  test(`a timeout that is ${what} has a clean end`, async (t) => {
    const server = await startTestServer(t);
    const { failure } = await rawCall(server.address, { headers: { "grpc-timeout": timeout }, body: frame(valid) });
    assert.ok(Number.isInteger(failure.code));
    await checkAlive(server);
  });
}

test("a deadline of far away is no deadline of now", async (t) => {
  const { address } = await startTestServer(t);
  const { failure } = await rawCall(address, { headers: { "grpc-timeout": "99999999H" }, body: frame(valid) });
  assert.equal(failure.code, Status.OK);
});

test("a deadline that has passed already is DEADLINE_EXCEEDED, and no work is done", async (t) => {
  let worked = false;
  const server = await startHandler(t, () => {
    worked = true;
    return AssembleResponse.fromPartial({});
  });
  for (const timeout of ["0n", "1n", "0S"]) {
    const { failure } = await rawCall(server.address, { headers: { "grpc-timeout": timeout }, body: frame(valid) });
    assert.equal(failure.code, Status.DEADLINE_EXCEEDED, timeout);
    assert.equal(failure.reason, "DEADLINE_EXCEEDED");
  }
  assert.equal(worked, false);
});

test("a deadline that passes on the way is DEADLINE_EXCEEDED with our details", async (t) => {
  const server = await startHandler(t, () => new Promise(() => {}));
  const { failure } = await rawCall(server.address, { headers: { "grpc-timeout": "50m" }, body: frame(valid) });
  assert.equal(failure.code, Status.DEADLINE_EXCEEDED);
  assert.equal(failure.reason, "DEADLINE_EXCEEDED");
});

const odd: Record<string, Record<string, string>> = {
  "a binary key whose value is no base64": { "trace-bin": "%%%not base64%%%" },
  "a binary key without a value": { "trace-bin": "" },
  "a binary key of many kilobytes": { "trace-bin": "A".repeat(8_000) },
  "an unknown compression": { "grpc-encoding": "brotli" },
  "details of its own": { "grpc-status-details-bin": "AAAA", "grpc-status": "0", "grpc-message": "hello" },
  "a percent sign in a value": { "x-note": "%zz %" },
};

for (const [what, headers] of Object.entries(odd)) {
  test(`metadata with ${what} has a clean end`, async (t) => {
    const server = await startTestServer(t);
    const { failure } = await rawCall(server.address, { headers, body: frame(valid) });
    assert.ok(Number.isInteger(failure.code));
    await checkAlive(server);
  });
}

test("metadata larger than any server takes does not end the server", async (t) => {
  const server = await startTestServer(t);
  const headers = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x-${i}`, "v".repeat(8_000)]));
  await rawCall(server.address, { headers, body: frame(valid) }).catch(() => "the connection may go");
  await checkAlive(server);
});

test("an unknown method is UNIMPLEMENTED", async (t) => {
  const server = await startTestServer(t);
  for (const path of ["/acms.v1.AssemblyService/Nothing", "/acms.v1.Nothing/Assemble", "/", "/%ff"]) {
    const { failure } = await rawCall(server.address, { path, body: frame(valid) });
    assert.equal(failure.code, Status.UNIMPLEMENTED, path);
  }
  await checkAlive(server);
});

test("another content type is no gRPC", async (t) => {
  const server = await startTestServer(t);
  const { httpStatus } = await rawCall(server.address, {
    headers: { "content-type": "application/json" },
    body: valid as Buffer,
  });
  assert.equal(httpStatus, 415);
  await checkAlive(server);
});

test("a GET is no call", async (t) => {
  const server = await startTestServer(t);
  await rawCall(server.address, { headers: { ":method": "GET" } }).catch(() => "the connection may go");
  await checkAlive(server);
});

test("bytes that are no HTTP/2 do not end the server", async (t) => {
  const server = await startTestServer(t);
  const [host, port] = server.address.split(":");
  const socket = createConnection({ host: host!, port: Number(port) });
  socket.on("error", () => {});
  socket.end("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await pause(30);
  socket.destroy();
  await checkAlive(server);
});

test("a caller that goes in the middle of a message leaves nothing behind", async (t) => {
  const server = await startTestServer(t, { maxConcurrentCalls: 1 });
  for (let i = 0; i < 3; i++) {
    const session = connect(`http://${server.address}`);
    session.on("error", () => {});
    const stream = session.request({ ":method": "POST", ":path": ASSEMBLE, "content-type": "application/grpc" });
    stream.on("error", () => {});
    stream.write(frame(valid).subarray(0, 8));
    await pause(20);
    session.destroy();
  }
  await pause(20);
  await checkAlive(server);
});

test("a caller whose connection breaks cancels its call", async (t) => {
  let aborted: unknown;
  let begun = false;
  const server = await startHandler(t, (_, { signal }) => {
    begun = true;
    signal.addEventListener("abort", () => {
      aborted = signal.reason;
    });
    return new Promise(() => {});
  });
  const session = connect(`http://${server.address}`);
  session.on("error", () => {});
  const ending = rawCallOver(session, { body: frame(valid) }).catch(() => undefined);
  await eventually(() => begun || undefined);
  session.destroy();
  await ending;
  assert.equal(((await eventually(() => aborted)) as { reason: string }).reason, "CANCELLED");
});

test("the thread is not held so long that a deadline goes by unseen", async (t) => {
  const { address } = await startTestServer(t, { app: createApp({ limits: { maxFragments: 200_000 } }) });
  const fragments = Array.from({ length: 60_000 }, (_, i) => ({
    ukoNode: "n",
    content: `content ${i}`,
    relevanceScore: 0.5,
  }));
  const request = AssembleRequest.fromPartial({ budget: { maxTokens: 1_000 }, fragments });
  const message = frame(AssembleRequest.encode(request).finish());
  const { failure } = await rawCall(address, { headers: { "grpc-timeout": "30m" }, body: message });
  assert.equal(failure.code, Status.DEADLINE_EXCEEDED);
});
