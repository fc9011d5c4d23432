/** Which failures of one host are another one's to mend, and that the same one is never asked twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pipelineDraft, scored } from "../core/drafts.fixture.js";
import { FAILURE_KINDS, type FailureKind, type Payload } from "../core/index.js";
import { type Answers, FakeClient, type Input, type Output, PLAIN, roleOf } from "./fake-client.fixture.js";
import type { Hosting } from "./host.js";
import { assembleWith, draft, hostingWith, scorer, scores, withPolicy } from "./hosting.fixture.js";

type Reply = (client: FakeClient, invocation: number) => void;

const rescored: Reply = (client, invocation) => client.result(invocation, scores(0.1, 0.9));

/** What the first host does with the question, by the kind of failure that it is. */
const failing: Partial<Record<FailureKind, Reply>> = {
  lost: (client) => client.vanish(),
  failed: (client, invocation) => client.say({ $case: "failure", value: { invocation, code: 1, message: "" } }),
  no_credit: (client, invocation) => client.say({ $case: "failure", value: { invocation, code: 2, message: "" } }),
  cancelled: (client, invocation) => client.say({ $case: "failure", value: { invocation, code: 3, message: "" } }),
  malformed: (client, invocation) => client.result(invocation, { $case: "orderer", value: { order: [] } }),
  oversized: (client, invocation) => client.result(invocation, scores(...new Array<number>(500).fill(0.5))),
  invariant: (client, invocation) => client.result(invocation, scores(7, 7)),
  timeout: () => undefined,
};

/** Kinds that do not come from one host's answer, so that no other host can mend them. */
const OF_THE_COMPONENT: readonly FailureKind[] = ["unknown", "detached", "paused"];

test("every kind of failure is here, or is not one host's", () => {
  assert.deepEqual([...FAILURE_KINDS].sort(), [...Object.keys(failing), ...OF_THE_COMPONENT].sort());
});

/** Attaches hosts of one scorer, of which each does with a question what it is told. */
function hostsOf(hosting: Hosting, pure: boolean, replies: readonly Reply[]): FakeClient[] {
  return replies.map((reply) => {
    const client = new FakeClient(hosting, "");
    client.onInvoke = ({ invocation }) => setImmediate(() => reply(client, invocation));
    client.attach({ ...scorer, pure, timeout: { nanos: 150_000_000 } });
    return client;
  });
}

const timesAsked = ({ heard }: FakeClient): number => heard.filter(({ $case }) => $case === "invoke").length;
const kindOf = ({ warnings }: Payload): string => warnings[0]?.code.replace("component_failed_", "") ?? "none";

for (const [kind, reply] of Object.entries(failing)) {
  const isMended = kind !== "timeout";

  test(`${kind}: another host of a pure component is asked${isMended ? "" : " not, since the time is over"}`, async () => {
    const hosting = hostingWith({ maxAnswerBytes: 1_000 });
    const [first, second] = hostsOf(hosting, true, [reply, rescored]);
    const payload = await assembleWith(hosting, withPolicy(3));
    assert.equal(kindOf(payload), isMended ? "none" : kind);
    assert.deepEqual(
      payload.fragments.map(({ fragmentId }) => fragmentId),
      [isMended ? "b" : "a"],
    );
    assert.deepEqual([timesAsked(first!), timesAsked(second!)], [1, isMended ? 1 : 0]);
    const [component] = hosting.list("");
    assert.deepEqual([component?.calls, component?.failures], [1, isMended ? 0 : 1]);
  });

  test(`${kind}: where both hosts fail, there is no third question`, async () => {
    const hosting = hostingWith({ maxAnswerBytes: 1_000 });
    const clients = hostsOf(hosting, true, [reply, reply, rescored]);
    assert.equal(kindOf(await assembleWith(hosting, withPolicy(3))), kind);
    assert.deepEqual(clients.map(timesAsked), [1, isMended ? 1 : 0, 0]);
    const [component] = hosting.list("");
    assert.deepEqual([component?.calls, component?.failures], [1, 1]);
  });

  test(`${kind}: the same host is not asked again, nor another one of a component that is not pure`, async () => {
    for (const [pure, replies] of [
      [true, [reply]],
      [false, [reply, rescored]],
    ] as const) {
      const hosting = hostingWith({ maxAnswerBytes: 1_000 });
      const clients = hostsOf(hosting, pure, replies);
      assert.equal(kindOf(await assembleWith(hosting, withPolicy(3))), kind);
      assert.equal(
        clients.map(timesAsked).reduce((a, b) => a + b),
        1,
      );
    }
  });
}

/** An answer of each role that breaks its contract where it is used, and not where it is read. */
const BREAKING: Partial<Answers> = {
  strategy: () => ({ nominated: [0, 0], scores: [], endsAtMiss: false, windowFrom: undefined, outside: [] }),
  strategySelector: () => ({ candidates: [{ strategy: "no such", confidence: 1 }] }),
  budgetAllocator: ({ candidates }) => ({ tokens: candidates.map(() => 1_000_000) }),
  strategyExecutor: ({ allocations }) => ({
    nominations: allocations.map(() => ({
      nominated: [0, 0],
      scores: [],
      endsAtMiss: false,
      windowFrom: undefined,
      outside: [],
    })),
  }),
  deduplicator: () => ({ kept: [0, 0], duplicates: [], mergesSources: false }),
  depthResolver: () => ({ resolutions: [] }),
  scorer: ({ fragments }) => ({ scores: fragments.map(() => -1), parts: undefined, baseline: 0 }),
  packer: ({ fragments }) => ({ chosen: fragments.map((_, i) => i) }),
  orderer: () => ({ order: [0, 0] }),
  skeletonCompressor: () => ({ outline: [0, 0].map((fragment) => ({ fragment, content: "x", detailDepth: 1 })) }),
};

for (const kind of Object.keys(BREAKING) as (keyof typeof BREAKING)[]) {
  test(`${kind}: an answer that only its user finds to be wrong is another host's to mend`, async () => {
    const hosting = hostingWith({ stageTimeoutMs: 5_000, strategyTimeoutMs: 5_000 });
    const clients = [BREAKING, PLAIN].map((answers) => {
      const client = new FakeClient(hosting, "");
      client.onInvoke = ({ invocation, input }) => {
        const { $case, value } = input as Input;
        const answer = answers[$case] as (given: unknown) => unknown;
        setImmediate(() => client.result(invocation, { $case, value: answer(value) } as Output));
      };
      client.attach({ role: roleOf(kind), name: "fake", pure: true });
      return client;
    });
    const isStrategy = kind === "strategy";
    const request = {
      ...draft,
      strategies: isStrategy ? [{ name: "fake" }] : [],
      pipeline: pipelineDraft({ profile: "fusion", ...(!isStrategy && { [kind]: "fake" }) }),
      parentFragments: [scored("p", 1, 5)],
      skeletonRatio: 0.5,
    };
    const { warnings } = await assembleWith(hosting, request);
    assert.deepEqual(
      warnings.filter(({ code }) => code.startsWith("component_failed")),
      [],
    );
    assert.deepEqual(clients.map(timesAsked), [1, 1]);
    assert.deepEqual([hosting.list("")[0]?.calls, hosting.list("")[0]?.failures], [1, 0]);
  });
}

test("where the other host goes before it has room, the first one's failure stands, at once", async () => {
  const hosting = hostingWith({ stageTimeoutMs: 20_000 });
  const first = new FakeClient(hosting, "");
  const second = new FakeClient(hosting, "");
  for (const client of [first, second]) client.attach({ ...scorer, pure: true, timeout: { seconds: 20 } });
  second.say({ $case: "credit", value: { invocations: 0 } });
  first.onInvoke = ({ invocation }) => {
    first.say({ $case: "failure", value: { invocation, code: 1, message: "" } });
    setImmediate(() => second.vanish());
  };
  assert.equal(kindOf(await assembleWith(hosting, withPolicy(3))), "failed");
  assert.equal(timesAsked(second), 0);
});
