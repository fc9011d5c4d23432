import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ErrorReason } from "../../gen/acms/v1/error_reason.js";
import { ComponentRole } from "../../gen/acms/v1/hosted_component.js";
import {
  assembled,
  budgetOf,
  fragmentsOf,
  idsOf,
  pipelineDraft,
  requestDraft,
  scored,
  testRun,
} from "../core/drafts.fixture.js";
import { builtInRegistry, ContextError, FAILURE_KINDS, type FailureKind, type Payload } from "../core/index.js";
import { attachFake, FakeClient, PLAIN } from "./fake-client.fixture.js";
import { createHosting, type Hosting } from "./host.js";
import type { HostingLimits } from "./limits.js";

const scorer = { role: ComponentRole.COMPONENT_ROLE_SCORER, name: "mine" };

function hostingWith(limits: Partial<HostingLimits> = {}, exists = false): Hosting {
  let ids = 0;
  return createHosting({ newId: () => `session${ids++}`, exists: () => exists }, limits);
}

const draft = requestDraft({
  budget: budgetOf(50),
  fragments: [scored("a", 0.9, 40), scored("b", 0.1, 40)],
  pipeline: pipelineDraft({ profile: "fusion", scorer: "mine" }),
});

function withPolicy(policy: number) {
  return { ...draft, pipeline: { ...draft.pipeline!, failurePolicies: [{ stage: 6, policy }] } };
}

const assembleWith = (hosting: Hosting, request = draft, signal = new AbortController().signal): Promise<Payload> =>
  assembled(request, hosting.registryOf("", builtInRegistry()), testRun({ signal }));

const reasonOf = (error: unknown) => (error instanceof ContextError ? error.reason : error);

/** Waits until the client was asked something. */
async function asked(client: FakeClient, times = 1): Promise<number> {
  while (client.heard.filter(({ $case }) => $case === "invoke").length < times) await new Promise(setImmediate);
  return client.last("invoke").invocation;
}

const scores = (...values: number[]) => ({
  $case: "scorer" as const,
  value: { scores: values, parts: undefined, baseline: 0 },
});

/** How each kind of failure comes about; each gives the limits and what a client does with its first question. */
const provoking: Record<
  FailureKind,
  {
    readonly limits?: Partial<HostingLimits>;
    readonly before?: (client: FakeClient, hosting: Hosting) => Promise<void> | void;
    readonly reply?: (client: FakeClient, invocation: number) => void;
  }
> = {
  unknown: { before: (client) => client.drain() },
  detached: { before: (client) => client.vanish() },
  no_credit: {
    limits: { stageTimeoutMs: 20 },
    before: (client) => client.say({ $case: "credit", value: { invocations: 0 } }),
  },
  timeout: { limits: { stageTimeoutMs: 20 }, reply: () => undefined },
  cancelled: {
    reply: (client, invocation) => client.say({ $case: "failure", value: { invocation, code: 3, message: "" } }),
  },
  lost: { reply: (client) => client.halfClose() },
  failed: {
    reply: (client, invocation) => client.say({ $case: "failure", value: { invocation, code: 1, message: "no" } }),
  },
  malformed: { reply: (client, invocation) => client.result(invocation, { $case: "orderer", value: { order: [] } }) },
  oversized: {
    limits: { maxAnswerBytes: 1_000 },
    reply: (client, invocation) => client.result(invocation, scores(...new Array<number>(500).fill(0.5))),
  },
  invariant: { reply: (client, invocation) => client.result(invocation, scores(0.5)) },
  paused: {
    limits: { pauseAfterFailures: 1 },
    before: async (client, hosting) => {
      const failing = assembleWith(hosting);
      client.result(await asked(client), scores());
      await failing;
    },
  },
};

/** One assembly in which a hosted scorer fails in a way. */
async function provoke(kind: FailureKind, policy: number): Promise<Payload> {
  const { limits, before, reply } = provoking[kind];
  const hosting = hostingWith(limits);
  const client = new FakeClient(hosting, "");
  client.attach(scorer);
  await before?.(client, hosting);
  if (reply !== undefined) client.onInvoke = ({ invocation }) => setImmediate(() => reply(client, invocation));
  try {
    return await assembleWith(hosting, withPolicy(policy));
  } finally {
    client.vanish();
  }
}

for (const kind of FAILURE_KINDS) {
  test(`${kind}: fails, is skipped or falls back, as the request says`, async () => {
    const expected =
      kind === "unknown" ? "UNKNOWN_COMPONENT" : kind === "timeout" ? "COMPONENT_TIMED_OUT" : "COMPONENT_UNAVAILABLE";
    await assert.rejects(provoke(kind, 1), (error) => reasonOf(error) === expected && String(error).includes("mine"));
    for (const [policy, instead] of [
      [2, /skipped/],
      [3, /weighted_composite/],
    ] as const) {
      const { warnings, fragments } = await provoke(kind, policy);
      assert.deepEqual(idsOf(fragments), ["a"]);
      assert.deepEqual(
        warnings.map(({ code, stage, component }) => [code, stage, component]),
        [[`component_failed_${kind}`, "scorer", "mine"]],
      );
      assert.match(warnings[0]!.message, instead);
    }
    if (kind === "unknown") await assert.rejects(provoke(kind, 0), { reason: "UNKNOWN_COMPONENT" });
    else assert.match((await provoke(kind, 0)).warnings[0]!.message, /weighted_composite/);
  });
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

test("a host that does not read is sent nothing more until it does", async () => {
  const hosting = hostingWith({ stageTimeoutMs: 30 });
  const client = new FakeClient(hosting, "");
  client.attach(scorer);
  client.reads = false;
  const first = assembleWith(hosting);
  await asked(client);
  const second = await assembleWith(hosting);
  assert.deepEqual(
    second.warnings.map(({ code }) => code),
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
  const hosting = hostingWith();
  const client = new FakeClient(hosting, "");
  client.attach(scorer);
  const running = assembleWith(hosting);
  const invocation = await asked(client);
  client.drain();
  assert.equal(client.ended, undefined);
  assert.deepEqual(hosting.list(""), []);
  client.result(invocation, scores(0, 1));
  assert.deepEqual(idsOf((await running).fragments), ["b"]);
  await new Promise(setImmediate);
  assert.equal(client.ended, null);
});

const broken: Record<string, (client: FakeClient) => void> = {
  "anything before attach": (client) => client.say({ $case: "heartbeat", value: { number: 1 } }),
  "an attach without components": (client) => client.attach(),
  "a second attach": (client) => {
    client.attach(scorer);
    client.attach(scorer);
  },
  "a name of a host that is too long": (client) =>
    client.say({ $case: "attach", value: { components: [], host: "h".repeat(129) } }),
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

test("a silent host is lost after two intervals, and one that speaks is not", async (t: TestContext) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let nowMs = 0;
  t.mock.method(performance, "now", () => nowMs);
  const pass = (ms: number): void => {
    nowMs += ms;
    t.mock.timers.tick(ms);
  };
  const client = new FakeClient(hostingWith({ heartbeatIntervalMs: 100 }), "");
  client.attach(scorer);
  for (let i = 0; i < 10; i++) {
    pass(100);
    client.say({ $case: "heartbeat", value: { number: i } });
  }
  assert.equal(client.ended, undefined);
  pass(199);
  assert.equal(client.ended, undefined);
  pass(1);
  assert.equal(reasonOf(client.ended), "HEARTBEAT_MISSED");
});

test("a hosted packer that tears, overspends or repeats is refused with what it did", async () => {
  const cases: readonly [readonly number[], RegExp][] = [
    [[0, 1], /spent 80 of 50 tokens/],
    [[0, 0], /twice/],
    [[7], /position 7/],
  ];
  for (const [chosen, message] of cases) {
    const hosting = hostingWith();
    attachFake(hosting, { answers: { packer: () => ({ chosen: [...chosen] }) } });
    const request = { ...draft, pipeline: pipelineDraft({ packer: "fake" }) };
    await assert.rejects(assembleWith(hosting, request), { reason: "COMPONENT_UNAVAILABLE", message });
  }
});

test("text that a component makes is counted by the server and cut to its share", async () => {
  const hosting = hostingWith();
  attachFake(hosting, { answers: { preambleGenerator: () => ({ text: "x".repeat(100) }) } });
  const request = { ...draft, pipeline: pipelineDraft({ preambleGenerator: "fake" }), budget: budgetOf(100) };
  const { preambleTokens, preamble, warnings } = await assembleWith(hosting, request);
  assert.deepEqual([preambleTokens, preamble], [10, "x".repeat(10)]);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["preamble_cut"],
  );
});

test("an outline keeps to the parents that were given, each once", async () => {
  for (const places of [[1], [0, 0]]) {
    const hosting = hostingWith();
    const outline = places.map((fragment) => ({ fragment, content: "x", detailDepth: 1 }));
    attachFake(hosting, { answers: { skeletonCompressor: () => ({ outline }) } });
    const request = {
      ...draft,
      pipeline: pipelineDraft({ skeletonCompressor: "fake" }),
      parentFragments: [scored("p", 1, 5)],
      skeletonRatio: 0.5,
    };
    const { warnings } = await assembleWith(hosting, request);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ["component_failed_invariant"],
    );
  }
});

test("a hosted token counter that counts wrong fails the call", async () => {
  for (const counts of [[], [-1], [1]]) {
    const hosting = hostingWith();
    attachFake(hosting, { answers: { tokenCounter: () => ({ counts }) } });
    const counter = hosting.counterOf("", "fake", undefined)!;
    await assert.rejects(async () => counter.count([""], new AbortController().signal), { kind: "invariant" });
  }
});

test("a client is asked through all roles of one assembly", async () => {
  const hosting = hostingWith({ stageTimeoutMs: 5_000, strategyTimeoutMs: 5_000 });
  const client = attachFake(hosting, { answers: PLAIN });
  const names = Object.fromEntries(
    Object.keys(pipelineDraft())
      .filter((key) => !["profile", "failurePolicies", "options"].includes(key))
      .map((key) => [key, "fake"]),
  );
  const request = {
    ...draft,
    strategies: [{ name: "fake" }],
    pipeline: pipelineDraft({ profile: "fusion", ...names, strategyExecutor: "" }),
    parentFragments: fragmentsOf(scored("p", 1, 5)).map((one) => scored(one.fragmentId, 1, 5)),
    skeletonRatio: 0.1,
  };
  const { warnings } = await assembleWith(hosting, request);
  assert.deepEqual(
    warnings.filter(({ code }) => code.startsWith("component_failed")),
    [],
  );
  const kinds = client.heard.flatMap((one) => (one.$case === "invoke" ? [one.value.input!.$case] : []));
  assert.deepEqual(kinds, [
    "strategySelector",
    "budgetAllocator",
    "strategy",
    "deduplicator",
    "depthResolver",
    "scorer",
    "packer",
    "orderer",
    "preambleGenerator",
    "skeletonCompressor",
  ]);
});
