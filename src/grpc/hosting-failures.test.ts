import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Client, credentials, status as Status, type StatusObject } from "@grpc/grpc-js";
import { ComponentState, HostRequest } from "../../gen/acms/v1/component_service.js";
import { ComponentDeclaration, ComponentRole } from "../../gen/acms/v1/hosted_component.js";
import { createApp } from "../app.js";
import type { Answering, TestHost } from "./host.fixture.js";
import {
  assembled,
  calling,
  failPolicy,
  hostAt,
  idsOf,
  lastBest,
  listed,
  never,
  scorer,
  scoring,
  serverWith,
  skipPolicy,
  warningsOf,
} from "./hosting.fixture.js";
import { decodeDetails, eventually, failing, pause, startTestServer, type TestServer } from "./server.fixture.js";

test("a host that is lost stays known for a while", async (t) => {
  const server = await serverWith(t);
  const host = await hostAt(t, server, { components: [scorer], answer: lastBest });
  host.cut();
  await host.ended;
  const state = async () => {
    const components = await listed(server, ComponentRole.COMPONENT_ROLE_SCORER);
    return components.find(({ name }) => name === "mine")?.state === ComponentState.COMPONENT_STATE_DETACHED;
  };
  while (!(await state())) await pause(5);
  const failure = await failing(calling(server, { pipeline: failPolicy }));
  assert.equal(failure.code, Status.UNAVAILABLE);
  assert.equal(failure.reason, "COMPONENT_UNAVAILABLE");
  assert.deepEqual(failure.metadata, { role: "scorer", component: "mine", failure: "detached" });
  assert.ok((failure.retryAfterMs ?? 0) > 0);
});

test("a host that is lost is forgotten once its time is over", async (t) => {
  const server = await serverWith(t, { detachedMs: 1 });
  const host = await hostAt(t, server, { components: [scorer], answer: lastBest });
  host.cut();
  await host.ended;
  const isListed = async () => {
    const components = await listed(server, ComponentRole.COMPONENT_ROLE_SCORER);
    return components.some(({ name }) => name === "mine");
  };
  while (await isListed()) await pause(5);
  assert.equal((await failing(calling(server, { pipeline: failPolicy }))).reason, "UNKNOWN_COMPONENT");
});

test("a stream that ends without a drain is a loss", async (t) => {
  const server = await serverWith(t);
  const host = await hostAt(t, server, { components: [scorer], answer: never });
  const running = assembled(server, { pipeline: { ...failPolicy, failurePolicies: [] } });
  await eventually(() => host.heard.find(({ $case }) => $case === "invoke"));
  host.stream.end();
  assert.deepEqual(warningsOf(await running), ["component_failed_lost"]);
  const status = await host.ended;
  assert.equal(status.code, Status.INVALID_ARGUMENT);
  assert.match(status.details, /drain/);
});

test("an answer that is late is waited for no longer than the component's time, and thrown away", async (t) => {
  const server = await serverWith(t);
  const answer: Answering = async (question, host) => {
    await pause(120);
    return lastBest(question, host);
  };
  const host = await hostAt(t, server, { components: [{ ...scorer, timeout: { nanos: 50_000_000 } }], answer });
  assert.deepEqual(warningsOf(await assembled(server)), ["component_failed_timeout"]);
  const failure = await failing(calling(server, { pipeline: failPolicy }));
  assert.equal(failure.code, Status.DEADLINE_EXCEEDED);
  assert.equal(failure.reason, "COMPONENT_TIMED_OUT");
  await pause(150);
  assert.equal(host.heard.filter(({ $case }) => $case === "cancel").length, 2);
  host.say({ $case: "heartbeat", value: { number: 7 } });
  assert.ok(await eventually(() => host.heard.find((one) => one.$case === "heartbeat" && one.value.number === 7)));
});

test("a request may wait for a stage for less time than the component may take", async (t) => {
  const server = await serverWith(t);
  await hostAt(t, server, { components: [{ ...scorer, timeout: { seconds: 5 } }], answer: never });
  const failurePolicies = [{ stage: 6, policy: 2, timeout: { nanos: 30_000_000 } }];
  const payload = await assembled(server, { pipeline: { ...skipPolicy, failurePolicies } });
  assert.deepEqual(warningsOf(payload), ["component_failed_timeout"]);
  assert.match(payload.warnings[0]!.message, /30 ms.*skipped/);
});

test("a host gets more time once where it asks for it", async (t) => {
  const server = await serverWith(t, { maxTimeoutMs: 20_000 });
  const answer: Answering = async (question, host) => {
    const { invocation } = question;
    host.say({ $case: "extend", value: { invocation, time: { seconds: 10, nanos: 0 } } });
    host.say({ $case: "extend", value: { invocation, time: { seconds: 10, nanos: 0 } } });
    await pause(1_500);
    return lastBest(question, host);
  };
  const host = await hostAt(t, server, { components: [{ ...scorer, timeout: { seconds: 1 } }], answer });
  assert.deepEqual(idsOf(await assembled(server)), ["b"]);
  const left = host.heard.flatMap((one) => (one.$case === "extend" ? [one.value.time!] : []));
  assert.equal(left.length, 2);
  for (const { seconds } of left) assert.ok(seconds >= 2 && seconds <= 11, `${seconds} s are left`);
});

test("a host that says nothing for nearly two intervals is lost", async (t) => {
  const server = await serverWith(t, { heartbeatIntervalMs: 500 });
  const host = await hostAt(t, server, { components: [scorer], answer: never, beats: false });
  const status = await host.ended;
  assert.equal(status.code, Status.UNAVAILABLE);
  assert.equal(decodeDetails(status.metadata.get("grpc-status-details-bin")[0] as Buffer).reason, "HEARTBEAT_MISSED");
  const beating = await hostAt(t, server, { components: [scorer], answer: lastBest });
  // Each heartbeat is answered, so that four of them are more than two intervals.
  assert.ok(await eventually(() => beating.heard.filter(({ $case }) => $case === "heartbeat").length > 3 || undefined));
  assert.deepEqual(idsOf(await assembled(server)), ["b"]);
});

const nonsense: Record<string, { readonly answer: Answering; readonly kind: string }> = {
  "too few scores": { answer: () => scoring([1]), kind: "invariant" },
  "scores out of range": { answer: () => scoring([2, 0]), kind: "invariant" },
  "scores that are no numbers": { answer: () => scoring([Number.NaN, 0]), kind: "invariant" },
  "another role's answer": {
    answer: () => ({ $case: "orderer", value: { order: [0, 1] } }),
    kind: "malformed",
  },
  "an answer that is too large": { answer: () => scoring(Array.from({ length: 2_000 }, () => 0.5)), kind: "oversized" },
};

for (const [name, { answer, kind }] of Object.entries(nonsense)) {
  test(`${name} is a failure of the component, and never reaches the payload`, async (t) => {
    const server = await serverWith(t, { maxAnswerBytes: 10_000 });
    await hostAt(t, server, { components: [scorer], answer });
    const payload = await assembled(server);
    assert.deepEqual(warningsOf(payload), [`component_failed_${kind}`]);
    assert.equal(payload.warnings[0]!.component, "mine");
    assert.deepEqual(idsOf(payload), ["a"]);
    const failure = await failing(calling(server, { pipeline: failPolicy }));
    assert.deepEqual([failure.reason, failure.metadata.failure], ["COMPONENT_UNAVAILABLE", kind]);
    const [component] = (await listed(server, ComponentRole.COMPONENT_ROLE_SCORER)).filter(
      (one) => one.name === "mine",
    );
    assert.equal(component?.failures, 2);
  });
}

test("what a host says of its failure is told", async (t) => {
  const server = await serverWith(t);
  const answer: Answering = ({ invocation }, host) => {
    host.say({ $case: "failure", value: { invocation, code: 0, message: "no model \u{1F600}" } });
    return undefined;
  };
  await hostAt(t, server, { components: [scorer], answer });
  const failure = await failing(calling(server, { pipeline: failPolicy }));
  assert.equal(failure.code, Status.UNAVAILABLE);
  assert.equal(failure.message, "the hosted scorer mine failed: no model \u{1F600}");
  assert.equal(failure.retryAfterMs, undefined);
});

test("a component that fails again and again is paused, and tried again after a while", async (t) => {
  const server = await serverWith(t, { pauseAfterFailures: 3, pauseMs: 1_000 });
  let isWell = false;
  let asked = 0;
  const answer: Answering = (question, host) => {
    asked++;
    return isWell ? lastBest(question, host) : scoring([]);
  };
  await hostAt(t, server, { components: [scorer], answer });
  for (let i = 0; i < 3; i++) assert.deepEqual(warningsOf(await assembled(server)), ["component_failed_invariant"]);
  assert.deepEqual(warningsOf(await assembled(server)), ["component_failed_paused"]);
  assert.equal(asked, 3);
  const [component] = (await listed(server, ComponentRole.COMPONENT_ROLE_SCORER)).filter(({ name }) => name === "mine");
  assert.equal(component?.state, ComponentState.COMPONENT_STATE_PAUSED);
  await pause(1_050);
  assert.deepEqual(warningsOf(await assembled(server)), ["component_failed_invariant"]);
  assert.deepEqual(warningsOf(await assembled(server)), ["component_failed_paused"]);
  await pause(1_050);
  isWell = true;
  assert.deepEqual(idsOf(await assembled(server)), ["b"]);
  assert.deepEqual(idsOf(await assembled(server)), ["b"]);
});

test("a second answer, and one to a question long closed, do no harm", async (t) => {
  const server = await serverWith(t);
  const answer: Answering = async (question, host) => {
    const output = await lastBest(question, host);
    host.say({ $case: "result", value: { invocation: question.invocation, output } });
    return output;
  };
  await hostAt(t, server, { components: [scorer], answer });
  for (let i = 0; i < 3; i++) assert.deepEqual(idsOf(await assembled(server)), ["b"]);
});

const against: Record<string, (host: TestHost) => void> = {
  "a result to a question that was not asked": (host) =>
    host.say({ $case: "result", value: { invocation: 9, output: undefined } }),
  "a second attach": (host) => host.say({ $case: "attach", value: { components: [], host: "", maxQuestionBytes: 0 } }),
  "a message without content": (host) => host.stream.write({ message: undefined }),
  "a flood": (host) => {
    for (let i = 0; i < 3_000; i++) host.say({ $case: "heartbeat", value: { number: i } });
  },
};

for (const [name, breakIt] of Object.entries(against)) {
  test(`${name} ends the call`, async (t) => {
    const server = await serverWith(t);
    const host = await hostAt(t, server, { components: [scorer], answer: lastBest });
    breakIt(host);
    const status = await host.ended;
    assert.equal(status.code, Status.INVALID_ARGUMENT);
    const { reason } = decodeDetails(status.metadata.get("grpc-status-details-bin")[0] as Buffer);
    assert.equal(reason, "CONVERSATION_BROKEN");
  });
}

/** A stream on which a test writes bytes as it likes, attached with a scorer that is asked once. */
async function rawHost(t: TestContext, server: TestServer) {
  const client = new Client(server.address, credentials.createInsecure());
  t.after(() => client.close());
  const asItIs = (bytes: Buffer): Buffer => bytes;
  const stream = client.makeBidiStreamRequest("/acms.v1.ComponentService/Host", asItIs, asItIs);
  stream.on("error", () => {
    // The status says the same.
  });
  let heard = 0;
  stream.on("data", () => heard++);
  const status = new Promise<StatusObject>((resolve) => stream.on("status", resolve));
  const components = [ComponentDeclaration.fromPartial({ ...scorer, timeout: { seconds: 5 } })];
  const attach = HostRequest.fromPartial({ message: { $case: "attach", value: { components } } });
  stream.write(Buffer.from(HostRequest.encode(attach).finish()));
  await eventually(() => (heard === 1 ? true : undefined));
  const asked = (times: number) => eventually(() => (heard === 1 + times ? true : undefined));
  return { stream, asked, status };
}

test("bytes that are no message and name no question end the call, and what is open is lost", async (t) => {
  const server = await serverWith(t);
  const { stream, asked, status } = await rawHost(t, server);
  const running = assembled(server);
  await asked(1);
  // A field of five bytes of which none comes.
  stream.write(Buffer.from([0x0a, 5]));
  assert.deepEqual(warningsOf(await running), ["component_failed_lost"]);
  assert.equal((await status).code, Status.INVALID_ARGUMENT);
});

test("an answer that is no message fails the question that it names, and nothing else", async (t) => {
  const server = await serverWith(t);
  const { stream, asked } = await rawHost(t, server);
  const first = assembled(server);
  await asked(1);
  const second = assembled(server);
  await asked(2);
  const result = HostRequest.fromPartial({
    message: { $case: "result", value: { invocation: 1, output: scoring([1, 1]) } },
  });
  const bytes = Buffer.from(HostRequest.encode(result).finish());
  stream.write(bytes.subarray(0, bytes.length - 3));
  assert.deepEqual(warningsOf(await first), ["component_failed_malformed"]);
  const answer = HostRequest.fromPartial({
    message: { $case: "result", value: { invocation: 2, output: scoring([0, 1]) } },
  });
  stream.write(Buffer.from(HostRequest.encode(answer).finish()));
  assert.deepEqual(idsOf(await second), ["b"]);
});

test("an answer above what the server receives is oversized, and costs no other stream its life", async (t) => {
  const server = await startTestServer(t, {
    app: createApp({ hosting: { stageTimeoutMs: 5_000 } }),
    maxReceiveBytes: 100_000,
  });
  const tooMuch: Answering = () => scoring(new Array<number>(20_000).fill(0.5));
  const host = await hostAt(t, server, { components: [scorer], answer: tooMuch });
  assert.equal(host.welcome.maxAnswerBytes, 87_500);
  await hostAt(t, server, { components: [{ ...scorer, name: "other" }], answer: lastBest });
  const payload = await assembled(server);
  assert.deepEqual(warningsOf(payload), ["component_failed_oversized"]);
  assert.match(payload.warnings[0]!.message, /more bytes than the server receives/);
  const status = await host.ended;
  assert.equal(status.code, Status.RESOURCE_EXHAUSTED);
  const { reason } = decodeDetails(status.metadata.get("grpc-status-details-bin")[0] as Buffer);
  assert.equal(reason, "MESSAGE_TOO_LARGE");
  assert.deepEqual(idsOf(await assembled(server, { pipeline: { profile: "fusion", scorer: "other" } })), ["b"]);
});

test("an answer above the limit of the welcome leaves the stream and its other components as they are", async (t) => {
  const server = await startTestServer(t, { maxReceiveBytes: 100_000 });
  const answer: Answering = (question, host) =>
    question.name === "mine" ? scoring(new Array<number>(12_000).fill(0.5)) : lastBest(question, host);
  await hostAt(t, server, { components: [scorer, { ...scorer, name: "other" }], answer });
  assert.deepEqual(warningsOf(await assembled(server)), ["component_failed_oversized"]);
  assert.deepEqual(idsOf(await assembled(server, { pipeline: { profile: "fusion", scorer: "other" } })), ["b"]);
});
