/** Whose failure it is where what came cannot be read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HostRequest } from "../../gen/acms/v1/component_service.js";
import { idsOf } from "../core/drafts.fixture.js";
import type { Payload } from "../core/index.js";
import { FakeClient, type Message } from "./fake-client.fixture.js";
import { asked, assembleWith, hostingWith, reasonOf, scorer, scores } from "./hosting.fixture.js";
import { namedInvocation } from "./named-invocation.js";

const bytesOf = (message: Message): Uint8Array => HostRequest.encode({ message }).finish();

/** A client with so many open questions, and what becomes of them. */
async function opened(count: number) {
  const hosting = hostingWith({ stageTimeoutMs: 5_000 });
  const client = new FakeClient(hosting, "", 1_000);
  client.attach(scorer);
  const running: Promise<Payload>[] = [];
  for (let i = 1; i <= count; i++) {
    running.push(assembleWith(hosting));
    await asked(client, i);
  }
  return { client, running, hosting };
}

const kindsOf = async (running: readonly Promise<Payload>[]): Promise<string[]> =>
  (await Promise.all(running)).map(({ warnings }) => warnings[0]?.code.replace("component_failed_", "") ?? "none");

test("the question that a torn message names is found, and none where there is none", () => {
  const messages: Message[] = [
    { $case: "result", value: { invocation: 300, output: scores(0.5, 0.5) } },
    { $case: "failure", value: { invocation: 300, code: 1, message: "no" } },
    { $case: "extend", value: { invocation: 300, time: { seconds: 1, nanos: 0 } } },
    { $case: "accept", value: { invocation: 300 } },
  ];
  for (const message of messages) {
    const whole = bytesOf(message);
    assert.equal(namedInvocation(whole), 300);
    if (whole.length > 6) assert.equal(namedInvocation(whole.subarray(0, whole.length - 2)), 300);
    assert.equal(namedInvocation(whole.subarray(0, 3)), undefined);
  }
  assert.equal(namedInvocation(bytesOf({ $case: "heartbeat", value: { number: 300 } })), undefined);
  assert.equal(namedInvocation(new Uint8Array()), undefined);
  assert.equal(
    namedInvocation(Uint8Array.of(0x22, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)),
    undefined,
  );
});

test("a torn answer fails its question alone, and the stream goes on", async () => {
  const { client, running } = await opened(3);
  const whole = bytesOf({ $case: "result", value: { invocation: 2, output: scores(0.5, 0.5) } });
  client.sayBytes(whole.subarray(0, whole.length - 1));
  assert.deepEqual(await kindsOf([running[1]!]), ["malformed"]);
  assert.equal(client.ended, undefined);
  for (const invocation of [1, 3]) client.result(invocation, scores(0, 1));
  for (const one of [running[0]!, running[2]!]) assert.deepEqual(idsOf((await one).fragments), ["b"]);
});

test("a torn answer to a question that is closed does no harm, and one to none ends the stream", async () => {
  const { client, running } = await opened(1);
  client.result(1, scores(0, 1));
  await running[0];
  const torn = (invocation: number): Uint8Array =>
    bytesOf({ $case: "result", value: { invocation, output: scores(0.5, 0.5) } }).subarray(0, 10);
  client.sayBytes(torn(1));
  assert.equal(client.ended, undefined);
  client.sayBytes(torn(9));
  assert.equal(reasonOf(client.ended), "MALFORMED_MESSAGE");
});

test("what names no question ends the stream, and all that is open is lost, not malformed", async () => {
  const { client, running } = await opened(3);
  client.sayBytes(Uint8Array.of(0x0a, 5));
  assert.equal(reasonOf(client.ended), "MALFORMED_MESSAGE");
  assert.deepEqual(await kindsOf(running), ["lost", "lost", "lost"]);
});

test("more than the server receives is the answer to the only question, and of several nobody can tell", async () => {
  const one = await opened(1);
  one.client.sayTooMuch();
  assert.deepEqual(await kindsOf(one.running), ["oversized"]);
  const several = await opened(2);
  several.client.sayTooMuch();
  assert.deepEqual(await kindsOf(several.running), ["lost", "lost"]);
});

test("the welcome allows no answer that the server may not receive", () => {
  for (const [maxReceiveBytes, maxAnswerBytes, expected] of [
    [1_024, 4_000_000, 896],
    [1_000_000, 4_000_000, 875_000],
    [16_777_216, 4_194_304, 4_194_304],
    [Number.POSITIVE_INFINITY, 100, 100],
  ] as const) {
    const client = new FakeClient(hostingWith({ maxAnswerBytes }), "", maxReceiveBytes);
    assert.equal(client.attach(scorer).maxAnswerBytes, expected);
  }
});
