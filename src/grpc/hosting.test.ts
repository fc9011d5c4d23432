import assert from "node:assert/strict";
import { test } from "node:test";
import { status as Status } from "@grpc/grpc-js";
import { AssembleRequest } from "../../gen/acms/v1/assembly_service.js";
import { ComponentState } from "../../gen/acms/v1/component_service.js";
import { ErrorReason } from "../../gen/acms/v1/error_reason.js";
import { ContextFragment } from "../../gen/acms/v1/fragment.js";
import { ComponentDeclaration, ComponentRole, FragmentField } from "../../gen/acms/v1/hosted_component.js";
import { Source } from "../../gen/acms/v1/strategy.js";
import { createApp } from "../app.js";
import type { Answering } from "./host.fixture.js";
import {
  assembled,
  calling,
  failPolicy,
  heardBy,
  hostAt,
  idsOf,
  lastBest,
  listed,
  never,
  request,
  scorer,
  serverWith,
  skipPolicy,
  warningsOf,
} from "./hosting.fixture.js";
import { decodeDetails, eventually, failing, pause, startTestServer } from "./server.fixture.js";

test("a hosted scorer decides what is packed", async (t) => {
  const server = await serverWith(t, { stageTimeoutMs: 15_000 });
  const host = await hostAt(t, server, { components: [scorer], answer: lastBest });
  assert.deepEqual(host.welcome.refused, []);
  assert.deepEqual(
    host.welcome.taken.map(({ name, concurrency, timeout }) => [name, concurrency, timeout]),
    [["mine", 8, { seconds: 15, nanos: 0 }]],
  );
  assert.deepEqual(idsOf(await assembled(server)), ["b"]);
  const [component] = (await listed(server, ComponentRole.COMPONENT_ROLE_SCORER)).filter(({ name }) => name === "mine");
  assert.equal(component?.source, Source.SOURCE_HOSTED);
  assert.equal(component?.state, ComponentState.COMPONENT_STATE_READY);
  assert.deepEqual([component?.instances, component?.calls, component?.failures], [1, 1, 0]);
  assert.ok(component?.latencyP50 !== undefined);
  assert.deepEqual(component?.hosts, ["test"]);
});

test("only the fields that a component asks for travel", async (t) => {
  const server = await serverWith(t);
  const asked: unknown[] = [];
  const answer: Answering = (question, host) => {
    if (question.input?.$case === "scorer") asked.push(...question.input.value.fragments);
    return lastBest(question, host);
  };
  const needs = [FragmentField.FRAGMENT_FIELD_RELEVANCE_SCORE, FragmentField.FRAGMENT_FIELD_UKO_NODE];
  await hostAt(t, server, { components: [{ ...scorer, needs }], answer });
  await assembled(server);
  const expected = [
    { ukoNode: "a", relevanceScore: 0.9 },
    { ukoNode: "b", relevanceScore: 0.1 },
  ];
  assert.deepEqual(
    asked,
    expected.map((fields) => ContextFragment.fromPartial(fields)),
  );
});

test("a host that leaves in order is forgotten at once, and its call ends well", async (t) => {
  const server = await serverWith(t);
  const host = await hostAt(t, server, { components: [scorer], answer: lastBest });
  assert.equal((await host.leave()).code, Status.OK);
  assert.equal((await failing(calling(server))).reason, "UNKNOWN_COMPONENT");
});

test("a host that drains answers what it has before its call ends", async (t) => {
  const server = await serverWith(t);
  let answerNow = (): void => undefined;
  const held: Answering = async (question, host) => {
    await new Promise<void>((resolve) => {
      answerNow = resolve;
      host.say({ $case: "drain", value: { grace: undefined } });
    });
    return lastBest(question, host);
  };
  const host = await hostAt(t, server, { components: [{ ...scorer, timeout: { seconds: 5 } }], answer: held });
  const running = assembled(server);
  await eventually(() => host.heard.find(({ $case }) => $case === "invoke"));
  await heardBy(host);
  answerNow();
  assert.deepEqual(idsOf(await running), ["b"]);
  assert.equal((await host.ended).code, Status.OK);
});

test("two clients that declare a name alike share the work; one that declares it otherwise is refused", async (t) => {
  const server = await serverWith(t);
  const asked = [0, 0];
  const counting =
    (k: number): Answering =>
    (question, host) => {
      asked[k]!++;
      return lastBest(question, host);
    };
  await hostAt(t, server, { components: [scorer], answer: counting(0) });
  await hostAt(t, server, { components: [scorer], answer: counting(1) });
  for (let i = 0; i < 6; i++) await assembled(server);
  assert.deepEqual(asked, [3, 3]);
  const other = await hostAt(t, server, {
    components: [
      { ...scorer, pure: true },
      { ...scorer, name: "other" },
    ],
  });
  assert.deepEqual(
    other.welcome.refused.map(({ name, reason }) => [name, reason]),
    [["mine", ErrorReason.ERROR_REASON_COMPONENT_TAKEN]],
  );
  const refused = await hostAt(t, server, { components: [{ ...scorer, pure: true }] });
  assert.equal((await refused.ended).code, Status.ALREADY_EXISTS);
});

test("a pure component is asked once more at another host", async (t) => {
  const server = await serverWith(t);
  const pure = { ...scorer, pure: true };
  const broken: Answering = ({ invocation }, host) => {
    host.say({ $case: "failure", value: { invocation, code: 0, message: "" } });
    return undefined;
  };
  await hostAt(t, server, { components: [pure], answer: broken });
  await hostAt(t, server, { components: [pure], answer: lastBest });
  for (let i = 0; i < 4; i++) assert.deepEqual(warningsOf(await assembled(server)), []);
});

test("hosted names hold in their namespace alone, where they take the place of built-in ones", async (t) => {
  const server = await serverWith(t);
  const shadow = { ...scorer, name: "weighted_composite" };
  await hostAt(t, server, { components: [shadow], answer: lastBest, namespace: "one" });
  const pipeline = { profile: "fusion" };
  assert.deepEqual(idsOf(await assembled(server, { pipeline }, "one")), ["b"]);
  assert.deepEqual(idsOf(await assembled(server, { pipeline }, "two")), ["a"]);
  assert.deepEqual(idsOf(await assembled(server, { pipeline })), ["a"]);
  const builtIn = { profile: "fusion", scorer: "builtin:weighted_composite" };
  assert.deepEqual(idsOf(await assembled(server, { pipeline: builtIn }, "one")), ["a"]);
  const host = await hostAt(t, server, { components: [shadow], answer: lastBest });
  assert.equal((await host.ended).code, Status.FAILED_PRECONDITION);
  assert.equal(host.welcome.refused[0]?.reason, ErrorReason.ERROR_REASON_NAMESPACE_REQUIRED);
});

test("components come and go within a session", async (t) => {
  const server = await serverWith(t);
  const host = await hostAt(t, server, { components: [{ ...scorer, name: "first" }], answer: lastBest });
  const add = [ComponentDeclaration.fromPartial(scorer), ComponentDeclaration.fromPartial({ ...scorer, name: "" })];
  const remove = [ComponentDeclaration.fromPartial({ ...scorer, name: "first" })];
  host.say({ $case: "update", value: { add, remove } });
  const updated = await eventually(() => host.heard.find(({ $case }) => $case === "updated"));
  assert.equal(updated?.$case, "updated");
  if (updated?.$case !== "updated") return;
  assert.deepEqual(
    [updated.value.taken.map(({ name }) => name), updated.value.refused.map(({ reason }) => reason)],
    [["mine"], [ErrorReason.ERROR_REASON_INVALID_REQUEST]],
  );
  assert.deepEqual(idsOf(await assembled(server)), ["b"]);
  const first = await failing(calling(server, { pipeline: { scorer: "first" } }));
  assert.equal(first.reason, "UNKNOWN_COMPONENT");
});

test("no more questions are open at once than the host takes", async (t) => {
  const server = await serverWith(t);
  let open = 0;
  let most = 0;
  const answer: Answering = async (question, host) => {
    most = Math.max(most, ++open);
    await pause(10);
    open--;
    return lastBest(question, host);
  };
  const components = [{ ...scorer, concurrency: 2, timeout: { seconds: 5 } }];
  const host = await hostAt(t, server, { components, answer });
  await Promise.all(Array.from({ length: 8 }, () => assembled(server)));
  assert.equal(most, 2);
  host.say({ $case: "credit", value: { invocations: 1 } });
  await heardBy(host);
  most = 0;
  await Promise.all(Array.from({ length: 4 }, () => assembled(server)));
  assert.equal(most, 1);
  host.say({ $case: "credit", value: { invocations: 0 } });
  await heardBy(host);
  const failurePolicies = [{ stage: 6, policy: 0, timeout: { nanos: 30_000_000 } }];
  const payload = await assembled(server, { pipeline: { ...failPolicy, failurePolicies } });
  assert.deepEqual(warningsOf(payload), ["component_failed_no_credit"]);
});

test("a caller that goes away closes its question", async (t) => {
  const server = await serverWith(t);
  const host = await hostAt(t, server, { components: [{ ...scorer, timeout: { seconds: 5 } }], answer: never });
  const client = server.client();
  const call = client.assemble(AssembleRequest.fromPartial(request), () => undefined);
  await eventually(() => host.heard.find(({ $case }) => $case === "invoke"));
  call.cancel();
  assert.ok(await eventually(() => host.heard.find(({ $case }) => $case === "cancel")));
});

/** A stop that waited for its whole grace would outlast the test. */
const LONG_GRACE = { graceMs: 600_000, timeout: 60_000 };

test("a server that stops tells its hosts, and lets running calls have their answers", LONG_GRACE, async (t) => {
  const server = await startTestServer(t, { app: createApp(), shutdownGraceMs: LONG_GRACE.graceMs });
  const answer: Answering = async (question, host) => {
    await pause(100);
    return lastBest(question, host);
  };
  const host = await hostAt(t, server, { components: [{ ...scorer, timeout: { seconds: 5 } }], answer });
  const running = assembled(server);
  await eventually(() => host.heard.find(({ $case }) => $case === "invoke"));
  const stopped = server.stop();
  assert.deepEqual(idsOf(await running), ["b"]);
  assert.ok(host.heard.some(({ $case }) => $case === "drain"));
  const status = await host.ended;
  assert.equal(status.code, Status.UNAVAILABLE);
  assert.equal(decodeDetails(status.metadata.get("grpc-status-details-bin")[0] as Buffer).reason, "SERVER_STOPPING");
  await stopped;
});

test("a stop that outlasts its grace tells callers and hosts that the server stops", async (t) => {
  const server = await startTestServer(t, { app: createApp(), shutdownGraceMs: 100 });
  const never: Answering = () => new Promise(() => undefined);
  const host = await hostAt(t, server, { components: [{ ...scorer, timeout: { seconds: 20 } }], answer: never });
  const running = failing(calling(server));
  await eventually(() => host.heard.find(({ $case }) => $case === "invoke"));
  const stopped = server.stop();
  const failure = await running;
  assert.deepEqual([failure.code, failure.reason], [Status.UNAVAILABLE, "SERVER_STOPPING"]);
  const status = await host.ended;
  assert.equal(status.code, Status.UNAVAILABLE);
  assert.equal(decodeDetails(status.metadata.get("grpc-status-details-bin")[0] as Buffer).reason, "SERVER_STOPPING");
  await stopped;
});

test("a name that nobody knows fails, unless the request says what to do then", async (t) => {
  const server = await serverWith(t);
  assert.equal((await failing(calling(server))).reason, "UNKNOWN_COMPONENT");
  const payload = await assembled(server, { pipeline: skipPolicy });
  assert.deepEqual(warningsOf(payload), ["component_failed_unknown"]);
  const failurePolicies = [{ stage: 3, policy: 3 }];
  const strategies = [{ name: "nobody" }];
  const fallback = await assembled(server, { strategies, pipeline: { failurePolicies } });
  assert.deepEqual(warningsOf(fallback), ["component_failed_unknown"]);
  assert.deepEqual(idsOf(fallback), ["a"]);
});

test("the log has a line where a host attaches and one where it leaves", async (t) => {
  const server = await serverWith(t);
  const host = await hostAt(t, server, { components: [scorer], namespace: "own", answer: lastBest });
  const who = { sessionId: host.welcome.sessionId, namespace: "own", host: "test" };
  const attached = await server.line(({ msg }) => msg === "a host attached");
  assert.deepEqual(pick(attached, who), who);
  assert.deepEqual(attached.taken, ["scorer/mine"]);
  await host.leave();
  const left = await server.line(({ msg }) => msg === "a host left");
  assert.deepEqual(pick(left, who), who);
  assert.deepEqual([left.cause, left.components, left.requestId], ["drained", ["scorer/mine"], attached.requestId]);
});

const pick = (line: Readonly<Record<string, unknown>>, like: object) =>
  Object.fromEntries(Object.keys(like).map((key) => [key, line[key]]));
