import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ErrorReason } from "../../gen/acms/v1/error_reason.js";
import { ComponentDeclaration } from "../../gen/acms/v1/hosted_component.js";
import { assembled, idsOf, testRun } from "../core/drafts.fixture.js";
import { builtInRegistry, ContextError } from "../core/index.js";
import { FakeClient } from "./fake-client.fixture.js";
import {
  asked,
  assembleWith,
  draft,
  hostingWith,
  mockTime,
  reasonOf,
  scorer,
  scores,
  withPolicy,
} from "./hosting.fixture.js";
import { DEFAULT_HOSTING_LIMITS } from "./limits.js";

/** A client that was asked something and has not answered yet. */
async function openQuestion() {
  const hosting = hostingWith();
  const client = new FakeClient(hosting, "");
  client.attach(scorer);
  const running = assembleWith(hosting);
  const invocation = await asked(client);
  return { hosting, client, running, invocation };
}

test("a caller that leaves ends the question, whatever the policy, and says nothing of the component", async () => {
  const hosting = hostingWith({ pauseAfterFailures: 1 });
  const client = new FakeClient(hosting, "");
  client.attach(scorer);
  const controller = new AbortController();
  const gone = new ContextError("CANCELLED", "gone");
  const running = assembleWith(hosting, withPolicy(3), controller.signal);
  const invocation = await asked(client);
  controller.abort(gone);
  await assert.rejects(running, gone);
  assert.equal(client.last("cancel").invocation, invocation);
  client.result(invocation, scores(1, 1));
  assert.equal(client.ended, undefined);
  assert.equal(hosting.list("")[0]?.failures, 0);
});

test("a host that does not read is sent nothing more until it does", async (t) => {
  const pass = mockTime(t);
  const hosting = hostingWith({ stageTimeoutMs: 30 });
  const client = new FakeClient(hosting, "");
  client.attach(scorer);
  client.reads = false;
  const first = assembleWith(hosting);
  await asked(client);
  const second = assembleWith(hosting);
  await new Promise(setImmediate);
  pass(30);
  assert.deepEqual(
    (await second).warnings.map(({ code }) => code),
    ["component_failed_no_credit"],
  );
  assert.deepEqual(
    (await first).warnings.map(({ code }) => code),
    ["component_failed_timeout"],
  );
  client.say({ $case: "heartbeat", value: { number: 5 } });
  assert.deepEqual(
    client.heard.map(({ $case }) => $case),
    ["welcome", "invoke"],
  );
  client.readOn();
  const third = assembleWith(hosting);
  client.result(await asked(client, 2), scores(0, 1));
  assert.deepEqual(idsOf((await third).fragments), ["b"]);
});

test("questions that wait for room get it in turn, and hear at once where the last host is lost", async () => {
  const hosting = hostingWith({ stageTimeoutMs: 5_000 });
  const client = new FakeClient(hosting, "");
  client.attach({ ...scorer, concurrency: 1 });
  const all = [1, 2, 3].map(() => assembleWith(hosting));
  client.result(await asked(client, 1), scores(0, 1));
  assert.deepEqual(idsOf((await all[0]!).fragments), ["b"]);
  await asked(client, 2);
  client.vanish();
  assert.deepEqual(
    (await all[1]!).warnings.map(({ code }) => code),
    ["component_failed_lost"],
  );
  assert.deepEqual(
    (await all[2]!).warnings.map(({ code }) => code),
    ["component_failed_detached"],
  );
});

test("a question that is larger than its host takes is not asked, and speaks of no fault of the component", async () => {
  const hosting = hostingWith({ pauseAfterFailures: 1 });
  const client = new FakeClient(hosting, "");
  client.takesBytes = 50;
  client.attach(scorer);
  for (let i = 0; i < 2; i++) {
    const { warnings } = await assembleWith(hosting);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ["component_failed_oversized"],
    );
    assert.match(warnings[0]!.message, /bytes, and the host takes 50/);
  }
  assert.equal(client.ended, undefined);
});

test("a caller in a hurry pauses no component", async () => {
  const hosting = hostingWith({ pauseAfterFailures: 1, stageTimeoutMs: 5_000 });
  const client = new FakeClient(hosting, "");
  client.attach(scorer);
  const registry = hosting.registryOf("", builtInRegistry());
  for (let i = 0; i < 2; i++) {
    const { warnings } = await assembled(draft, registry, testRun({ remainingMs: () => 10 }));
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ["component_failed_timeout"],
    );
  }
});

test("the caller's remaining time bounds the question", async () => {
  const hosting = hostingWith({ stageTimeoutMs: 5_000 });
  const client = new FakeClient(hosting, "");
  client.attach(scorer);
  const registry = hosting.registryOf("", builtInRegistry());
  const { warnings } = await assembled(draft, registry, testRun({ remainingMs: () => 20 }));
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["component_failed_timeout"],
  );
  assert.ok(client.last("invoke").timeout!.nanos <= 20_000_000);
});

test("a drain answers what is open, takes nothing new, and ends in order", async () => {
  const { hosting, client, running, invocation } = await openQuestion();
  client.drain();
  assert.equal(client.ended, undefined);
  assert.deepEqual(hosting.list(""), []);
  client.result(invocation, scores(0, 1));
  assert.deepEqual(idsOf((await running).fragments), ["b"]);
  await new Promise(setImmediate);
  assert.equal(client.ended, null);
});

test("what is added after a drain is refused with a reason, and nothing is lost of what is open", async () => {
  const { hosting, client, running, invocation } = await openQuestion();
  client.drain();
  const add = ["late", "later"].map((name) => ComponentDeclaration.fromPartial({ ...scorer, name }));
  client.say({ $case: "update", value: { add, remove: [] } });
  const { taken, refused } = client.last("updated");
  assert.deepEqual(taken, []);
  assert.deepEqual(
    refused.map(({ name, reason }) => [name, reason]),
    add.map(({ name }) => [name, ErrorReason.ERROR_REASON_INVALID_REQUEST]),
  );
  assert.match(refused[0]!.message, /scorer "late" comes after a drain/);
  assert.deepEqual(hosting.list(""), []);
  client.result(invocation, scores(0, 1));
  assert.deepEqual(idsOf((await running).fragments), ["b"]);
});

const broken: Record<string, (client: FakeClient) => void> = {
  "anything before attach": (client) => client.say({ $case: "heartbeat", value: { number: 1 } }),
  "an attach without components": (client) => client.attach(),
  "a second attach": (client) => {
    client.attach(scorer);
    client.attach(scorer);
  },
  "a name of a host that is too long": (client) =>
    client.say({ $case: "attach", value: { components: [], host: "h".repeat(129), maxQuestionBytes: 0 } }),
  "an extension by nothing": (client) => {
    client.attach(scorer);
    client.say({ $case: "extend", value: { invocation: 1, time: undefined } });
  },
  "an accept of what was not asked": (client) => {
    client.attach(scorer);
    client.say({ $case: "accept", value: { invocation: 1 } });
  },
};

for (const [name, act] of Object.entries(broken)) {
  test(`${name} ends the stream`, () => {
    const client = new FakeClient(hostingWith(), "");
    try {
      act(client);
    } catch {
      // There may be no welcome to read.
    }
    assert.equal(reasonOf(client.ended), "CONVERSATION_BROKEN");
  });
}

test("names and messages of a host are measured and cut by code points", async () => {
  const hosting = hostingWith();
  const client = new FakeClient(hosting, "");
  const components = [ComponentDeclaration.fromPartial(scorer)];
  const host = "\u{1F600}".repeat(128);
  client.say({ $case: "attach", value: { components, host, maxQuestionBytes: 0 } });
  assert.deepEqual(hosting.list("")[0]?.hosts, [host]);
  client.onInvoke = ({ invocation }) =>
    setImmediate(() =>
      client.say({ $case: "failure", value: { invocation, code: 1, message: "\u{1F600}".repeat(600) } }),
    );
  const { warnings } = await assembleWith(hosting);
  assert.equal([...warnings[0]!.message.matchAll(/\u{1F600}/gu)].length, 512);
  const long = { name: "\u{1F600}".repeat(200) };
  const other = new FakeClient(hosting, "");
  assert.equal([...other.attach({ ...scorer, ...long }).refused[0]!.name].length, 128);
});

test("there are no more sessions than allowed, and a closed one makes room", () => {
  const hosting = hostingWith({ maxSessions: 1 });
  const first = new FakeClient(hosting, "");
  assert.throws(() => new FakeClient(hosting, ""), { reason: "TOO_MANY_HOSTED" });
  first.vanish();
  assert.ok(new FakeClient(hosting, ""));
});

test("a session has no more components than allowed, none twice, and none that the namespace has without hosts", () => {
  const few = new FakeClient(hostingWith({ maxComponents: 1 }), "").attach(scorer, { ...scorer, name: "other" });
  assert.deepEqual(
    few.refused.map(({ reason }) => reason),
    [ErrorReason.ERROR_REASON_TOO_MANY_HOSTED],
  );
  const twice = new FakeClient(hostingWith(), "").attach(scorer, scorer);
  assert.deepEqual(
    twice.refused.map(({ reason }) => reason),
    [ErrorReason.ERROR_REASON_INVALID_REQUEST],
  );
  const known = hostingWith({}, true);
  const shadowing = new FakeClient(known, "");
  assert.deepEqual(
    shadowing.attach(scorer).refused.map(({ reason }) => reason),
    [ErrorReason.ERROR_REASON_NAMESPACE_REQUIRED],
  );
  assert.equal(reasonOf(shadowing.ended), "NAMESPACE_REQUIRED");
  assert.equal(new FakeClient(known, "own").attach(scorer).taken.length, 1);
});

test("a name is another's as long as it is hosted, and free once it is not", () => {
  const hosting = hostingWith();
  const first = new FakeClient(hosting, "");
  first.attach(scorer);
  const second = new FakeClient(hosting, "");
  assert.equal(second.attach({ ...scorer, pure: true }).taken.length, 0);
  first.vanish();
  assert.equal(hosting.list("")[0]?.instances, 0);
  const third = new FakeClient(hosting, "");
  assert.equal(third.attach({ ...scorer, pure: true }).taken.length, 1);
  assert.equal(hosting.list("")[0]?.declaration?.pure, true);
});

test("hosts that are lost leave no more names than a thousand, and those that leave in order none", () => {
  const hosting = hostingWith();
  for (let i = 0; i < 1_200; i++) {
    const client = new FakeClient(hosting, "");
    client.attach({ ...scorer, name: `n${i}` });
    client.vanish();
  }
  assert.equal(hosting.list("").length, 1_000);
  for (let i = 0; i < 2_000; i++) {
    const client = new FakeClient(hosting, "other");
    client.attach({ ...scorer, name: `n${i}` });
    client.drain();
    assert.equal(client.ended, null);
  }
  assert.deepEqual(hosting.list("other"), []);
});

test("a silent host is lost within two intervals, and one that speaks is not", async (t: TestContext) => {
  const pass = mockTime(t);
  const client = new FakeClient(hostingWith({ heartbeatIntervalMs: 100 }), "");
  client.attach(scorer);
  for (let i = 0; i < 10; i++) {
    pass(100);
    client.say({ $case: "heartbeat", value: { number: i } });
  }
  assert.equal(client.ended, undefined);
  pass(189);
  assert.equal(client.ended, undefined);
  pass(1);
  assert.equal(reasonOf(client.ended), "HEARTBEAT_MISSED");
});

test("a client that is lost with open questions pauses nothing for the clients that share the name", async () => {
  const hosting = hostingWith({ pauseAfterFailures: 1, stageTimeoutMs: 5_000 });
  const lost = new FakeClient(hosting, "");
  lost.attach(scorer);
  const running = assembleWith(hosting);
  await asked(lost);
  const healthy = new FakeClient(hosting, "");
  healthy.attach(scorer);
  lost.vanish();
  assert.deepEqual(
    (await running).warnings.map(({ code }) => code),
    ["component_failed_lost"],
  );
  const next = assembleWith(hosting);
  healthy.result(await asked(healthy), scores(0, 1));
  assert.deepEqual(idsOf((await next).fragments), ["b"]);
});

test("an accept keeps a question open, and changes nothing else", async () => {
  const { client, running, invocation } = await openQuestion();
  client.say({ $case: "accept", value: { invocation } });
  client.say({ $case: "accept", value: { invocation } });
  assert.equal(client.ended, undefined);
  client.result(invocation, scores(0, 1));
  assert.deepEqual(idsOf((await running).fragments), ["b"]);
});

test("a question that was accepted and not answered in time had begun, and the failure says so", async (t) => {
  const pass = mockTime(t);
  for (const accepts of [false, true]) {
    const hosting = hostingWith();
    const client = new FakeClient(hosting, "");
    client.attach({ ...scorer, timeout: { nanos: 20_000_000 } });
    const running = assembleWith(hosting);
    const invocation = await asked(client);
    if (accepts) client.say({ $case: "accept", value: { invocation } });
    pass(20);
    const [warning] = (await running).warnings;
    assert.equal(warning?.code, "component_failed_timeout");
    assert.equal(warning.message.includes("had begun"), accepts);
  }
});

test("an extension goes no further than the caller's own time", async (t) => {
  const pass = mockTime(t);
  const hosting = hostingWith({ stageTimeoutMs: 5_000 });
  const client = new FakeClient(hosting, "");
  client.attach({ ...scorer, timeout: { nanos: 20_000_000 } });
  const registry = hosting.registryOf("", builtInRegistry());
  const running = assembled(draft, registry, testRun({ remainingMs: () => 60 }));
  const invocation = await asked(client);
  client.say({ $case: "extend", value: { invocation, time: { seconds: 60, nanos: 0 } } });
  const { time } = client.last("extend");
  assert.deepEqual(time, { seconds: 0, nanos: 60_000_000 });
  pass(60);
  assert.deepEqual(
    (await running).warnings.map(({ code }) => code),
    ["component_failed_timeout"],
  );
});

test("a component without hosts stays known for half a minute unless the owner says otherwise", () => {
  assert.equal(DEFAULT_HOSTING_LIMITS.detachedMs, 30_000);
});
