import assert from "node:assert/strict";
import { test } from "node:test";
import { idsOf } from "../core/drafts.fixture.js";
import { FAILURE_KINDS, type FailureKind, type Payload } from "../core/index.js";
import { FakeClient } from "./fake-client.fixture.js";
import type { Hosting } from "./host.js";
import { asked, assembleWith, hostingWith, reasonOf, scorer, scores, withPolicy } from "./hosting.fixture.js";
import type { HostingLimits } from "./limits.js";

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
