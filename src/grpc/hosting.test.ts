import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { credentials, Metadata, status as Status } from "@grpc/grpc-js";
import { AssembleRequest, type AssembleResponse } from "../../gen/acms/v1/assembly_service.js";
import {
  type Component,
  ComponentServiceClient,
  ComponentState,
  type ListComponentsResponse,
} from "../../gen/acms/v1/component_service.js";
import { ErrorReason } from "../../gen/acms/v1/error_reason.js";
import { ContextFragment } from "../../gen/acms/v1/fragment.js";
import { ComponentDeclaration, ComponentRole, FragmentField } from "../../gen/acms/v1/hosted_component.js";
import type { ContextPayload } from "../../gen/acms/v1/payload.js";
import { Source } from "../../gen/acms/v1/strategy.js";
import { type AppOptions, createApp } from "../app.js";
import { type Answering, attachHost, type TestHost } from "./host.fixture.js";
import {
  answered,
  assembleOver,
  decodeDetails,
  ended,
  eventually,
  failing,
  pause,
  startTestServer,
  type TestServer,
} from "./server.fixture.js";

type Request = Parameters<typeof AssembleRequest.fromPartial>[0];
type HostOptions = Parameters<typeof attachHost>[1];

const scorer = { role: ComponentRole.COMPONENT_ROLE_SCORER, name: "mine" };

const request: Request = {
  budget: { maxTokens: 100 },
  pipeline: { profile: "fusion", scorer: "mine" },
  trace: 3,
  fragments: [
    { fragmentId: "a", ukoNode: "a", content: "alpha", tokenCount: 60, relevanceScore: 0.9 },
    { fragmentId: "b", ukoNode: "b", content: "beta", tokenCount: 60, relevanceScore: 0.1 },
  ],
};

async function serverWith(t: TestContext, hosting: AppOptions["hosting"] = {}): Promise<TestServer> {
  return startTestServer(t, { app: createApp({ hosting }) });
}

async function hostAt(t: TestContext, server: TestServer, options: HostOptions): Promise<TestHost> {
  const host = await attachHost(server.address, options);
  t.after(() => host.cut());
  return host;
}

function calling(server: TestServer, fields: Request = {}, namespace?: string) {
  const metadata = new Metadata();
  if (namespace !== undefined) metadata.set("acms-namespace", namespace);
  return assembleOver(server.client(), { ...request, ...fields }, {}, metadata);
}

async function assembled(server: TestServer, fields: Request = {}, namespace?: string): Promise<ContextPayload> {
  return (await answered<AssembleResponse>(calling(server, fields, namespace))).payload!;
}

const failPolicy = { profile: "fusion", scorer: "mine", failurePolicies: [{ stage: 6, policy: 1 }] };
const skipPolicy = { profile: "fusion", scorer: "mine", failurePolicies: [{ stage: 6, policy: 2 }] };

const warningsOf = ({ warnings }: ContextPayload): string[] => warnings.map(({ code }) => code);

async function listed(server: TestServer, role: ComponentRole, namespace?: string): Promise<Component[]> {
  const client = new ComponentServiceClient(server.address, credentials.createInsecure());
  const metadata = new Metadata();
  if (namespace !== undefined) metadata.set("acms-namespace", namespace);
  try {
    const request = { pageSize: 0, pageToken: "", role };
    const listing = ended<ListComponentsResponse>((callback) => client.listComponents(request, metadata, callback));
    return (await answered(listing)).components;
  } finally {
    client.close();
  }
}

const idsOf = ({ fragments }: ContextPayload): string[] => fragments.map(({ fragmentId }) => fragmentId);

/** Scores fragments from the last to the first. */
const lastBest: Answering = ({ input }) => {
  if (input?.$case !== "scorer") throw new Error(`asked for a ${input?.$case}`);
  const { length } = input.value.fragments;
  return scoring(input.value.fragments.map((_, i) => (i + 1) / length));
};

const scoring = (scores: number[]) => ({ $case: "scorer" as const, value: { scores, baseline: 0, parts: undefined } });

const never: Answering = () => undefined;

test("a hosted scorer decides what is packed", async (t) => {
  const server = await serverWith(t);
  const host = await hostAt(t, server, { components: [scorer], answer: lastBest });
  assert.deepEqual(host.welcome.refused, []);
  assert.deepEqual(
    host.welcome.taken.map(({ name, concurrency, timeout }) => [name, concurrency, timeout]),
    [["mine", 8, { seconds: 0, nanos: 200_000_000 }]],
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
  await pause(20);
  answerNow();
  assert.deepEqual(idsOf(await running), ["b"]);
  assert.equal((await host.ended).code, Status.OK);
});

test("a host that is lost stays known for a while, and is then forgotten", async (t) => {
  const server = await serverWith(t, { detachedMs: 150 });
  const host = await hostAt(t, server, { components: [scorer], answer: lastBest });
  host.cut();
  await host.ended;
  await pause(30);
  const failure = await failing(calling(server, { pipeline: failPolicy }));
  assert.equal(failure.code, Status.UNAVAILABLE);
  assert.equal(failure.reason, "COMPONENT_UNAVAILABLE");
  assert.deepEqual(failure.metadata, { role: "scorer", component: "mine", failure: "detached" });
  assert.ok((failure.retryAfterMs ?? 0) > 0);
  const components = await listed(server, ComponentRole.COMPONENT_ROLE_SCORER);
  assert.equal(components.find(({ name }) => name === "mine")?.state, ComponentState.COMPONENT_STATE_DETACHED);
  await pause(200);
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
  const server = await serverWith(t, { maxTimeoutMs: 2_000 });
  const answer: Answering = async (question, host) => {
    const { invocation } = question;
    host.say({ $case: "extend", value: { invocation, time: { seconds: 1, nanos: 0 } } });
    host.say({ $case: "extend", value: { invocation, time: { seconds: 1, nanos: 0 } } });
    await pause(150);
    return lastBest(question, host);
  };
  const host = await hostAt(t, server, { components: [{ ...scorer, timeout: { nanos: 50_000_000 } }], answer });
  assert.deepEqual(idsOf(await assembled(server)), ["b"]);
  const left = host.heard.flatMap((one) => (one.$case === "extend" ? [one.value.time!] : []));
  assert.equal(left.length, 2);
  for (const { seconds, nanos } of left) assert.ok(seconds * 1_000 + nanos / 1e6 > 900 && seconds < 2);
});

test("a host that says nothing for two intervals is lost", async (t) => {
  const server = await serverWith(t, { heartbeatIntervalMs: 150 });
  const host = await hostAt(t, server, { components: [scorer], answer: never, beats: false });
  const startMs = Date.now();
  const status = await host.ended;
  assert.equal(status.code, Status.UNAVAILABLE);
  assert.equal(decodeDetails(status.metadata.get("grpc-status-details-bin")[0] as Buffer).reason, "HEARTBEAT_MISSED");
  assert.ok(Date.now() - startMs < 600);
  const beating = await hostAt(t, server, { components: [scorer], answer: lastBest });
  await pause(700);
  assert.deepEqual(idsOf(await assembled(server)), ["b"]);
  assert.ok(beating.heard.filter(({ $case }) => $case === "heartbeat").length > 3);
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
  const server = await serverWith(t, { pauseAfterFailures: 3, pauseMs: 150 });
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
  await pause(200);
  assert.deepEqual(warningsOf(await assembled(server)), ["component_failed_invariant"]);
  assert.deepEqual(warningsOf(await assembled(server)), ["component_failed_paused"]);
  await pause(200);
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
  "a second attach": (host) => host.say({ $case: "attach", value: { components: [], host: "" } }),
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
  await pause(20);
  most = 0;
  await Promise.all(Array.from({ length: 4 }, () => assembled(server)));
  assert.equal(most, 1);
  host.say({ $case: "credit", value: { invocations: 0 } });
  await pause(20);
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

test("a server that stops tells its hosts, and lets running calls have their answers", async (t) => {
  const server = await startTestServer(t, { app: createApp(), shutdownGraceMs: 2_000 });
  const answer: Answering = async (question, host) => {
    await pause(100);
    return lastBest(question, host);
  };
  const host = await hostAt(t, server, { components: [{ ...scorer, timeout: { seconds: 5 } }], answer });
  const running = assembled(server);
  await eventually(() => host.heard.find(({ $case }) => $case === "invoke"));
  const startMs = Date.now();
  const stopped = server.stop();
  assert.deepEqual(idsOf(await running), ["b"]);
  assert.ok(host.heard.some(({ $case }) => $case === "drain"));
  const status = await host.ended;
  assert.equal(status.code, Status.UNAVAILABLE);
  assert.equal(decodeDetails(status.metadata.get("grpc-status-details-bin")[0] as Buffer).reason, "SERVER_STOPPING");
  await stopped;
  assert.ok(Date.now() - startMs < 1_500, "the stop did not wait for the grace to pass");
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
