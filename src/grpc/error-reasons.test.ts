/** Every reason that the contract lists is provoked here, and answered with the status and the metadata that the contract promises. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { credentials, status as Status, type StatusObject } from "@grpc/grpc-js";
import type { AssembleRequest } from "../../gen/acms/v1/assembly_service.js";
import { ErrorReason } from "../../gen/acms/v1/error_reason.js";
import { Tier } from "../../gen/acms/v1/fragment.js";
import { ComponentRole } from "../../gen/acms/v1/hosted_component.js";
import { StrategyServiceClient } from "../../gen/acms/v1/strategy_service.js";
import { type AppOptions, createApp } from "../app.js";
import { builtInRegistry, ContextError } from "../core/index.js";
import { memoryRegistrations } from "../registrations/index.js";
import { attachHost } from "./host.fixture.js";
import {
  assembleOver,
  ended,
  type Failure,
  failing,
  failureOf,
  startHandler,
  startTestServer,
} from "./server.fixture.js";
import { frame, rawCall } from "./wire.fixture.js";

type Request = Parameters<typeof AssembleRequest.fromPartial>[0];

interface Case {
  readonly status: Status;
  /** The keys of the metadata. */
  readonly metadata: readonly string[];
  provoke(t: TestContext): Promise<Failure>;
}

const budget = { maxTokens: 25 };

async function refusalOf(t: TestContext, request: Request, options: AppOptions = {}): Promise<Failure> {
  const server = await startTestServer(t, { app: createApp(options) });
  return failing(assembleOver(server.client(), request));
}

/** What a handler throws, as its caller sees it. */
async function thrown(t: TestContext, error: unknown): Promise<Failure> {
  const server = await startHandler(t, () => {
    throw error;
  });
  return failing(assembleOver(server.client(), {}));
}

async function strategyClient(t: TestContext, options: AppOptions = {}): Promise<StrategyServiceClient> {
  const { address } = await startTestServer(t, { app: createApp(options) });
  const client = new StrategyServiceClient(address, credentials.createInsecure());
  t.after(() => client.close());
  return client;
}

const scorer = { role: ComponentRole.COMPONENT_ROLE_SCORER, name: "mine" };

/** Names the hosted scorer, and wants to fail with it. */
const withFailure = { scorer: "mine", failurePolicies: [{ stage: 6, policy: 1 }] };

async function hosting(t: TestContext, options: Parameters<typeof attachHost>[1]) {
  const server = await startTestServer(t);
  const host = await attachHost(server.address, options);
  t.after(() => host.cut());
  return { server, host };
}

/** How the stream of a host ends that is refused, or does what it may not. */
async function hostingFailure(
  { address }: { readonly address: string },
  options: Parameters<typeof attachHost>[1],
): Promise<Failure> {
  const host = await attachHost(address, options).catch((error: { status: StatusObject }) => error);
  return failureOf("ended" in host ? await host.ended : host.status);
}

const cases: Record<string, Case> = {
  INVALID_REQUEST: {
    status: Status.INVALID_ARGUMENT,
    metadata: ["violations"],
    provoke: (t) => refusalOf(t, { budget: { maxTokens: 0 } }),
  },
  MALFORMED_MESSAGE: {
    status: Status.INVALID_ARGUMENT,
    metadata: ["message"],
    provoke: async (t) => {
      const { address } = await startTestServer(t);
      return (await rawCall(address, { body: frame(Buffer.from([0xff])) })).failure;
    },
  },
  UNKNOWN_STRATEGY: {
    status: Status.NOT_FOUND,
    metadata: ["known", "strategy"],
    provoke: (t) => refusalOf(t, { budget, strategies: [{ name: "relevant" }] }),
  },
  UNKNOWN_COMPONENT: {
    status: Status.NOT_FOUND,
    metadata: ["component", "known", "role"],
    provoke: (t) => refusalOf(t, { budget, pipeline: { packer: "best" } }),
  },
  UNKNOWN_PROFILE: {
    status: Status.NOT_FOUND,
    metadata: ["known", "profile"],
    provoke: (t) => refusalOf(t, { budget, pipeline: { profile: "fast" } }),
  },
  UNKNOWN_TOKENIZER: {
    status: Status.NOT_FOUND,
    metadata: ["known", "tokenizer"],
    provoke: (t) => refusalOf(t, { budget, tokenizer: "gpt9" }),
  },
  PINNED_OVER_BUDGET: {
    status: Status.FAILED_PRECONDITION,
    metadata: ["available_tokens", "needed_tokens"],
    provoke: (t) => refusalOf(t, { budget, fragments: [{ ukoNode: "n", tokenCount: 40, pinned: true }] }),
  },
  PINNED_OVER_CAP: {
    status: Status.FAILED_PRECONDITION,
    metadata: ["available_tokens", "needed_tokens", "section"],
    provoke: (t) => {
      const sections = [{ selector: { $case: "tier" as const, value: Tier.TIER_WARM }, capTokens: 5 }];
      return refusalOf(t, {
        budget: { ...budget, sections },
        fragments: [{ ukoNode: "n", tokenCount: 6, pinned: true }],
      });
    },
  },
  MESSAGE_TOO_LARGE: {
    status: Status.RESOURCE_EXHAUSTED,
    metadata: ["limit_bytes"],
    provoke: async (t) => {
      const server = await startTestServer(t, { maxReceiveBytes: 100 });
      return failing(assembleOver(server.client(), { budget, query: "q".repeat(200) }));
    },
  },
  TOO_MANY_FRAGMENTS: {
    status: Status.RESOURCE_EXHAUSTED,
    metadata: ["fragments", "limit"],
    provoke: (t) => refusalOf(t, { budget, fragments: Array.from({ length: 10_001 }, () => ({ ukoNode: "n" })) }),
  },
  TOO_MANY_CALLS: {
    status: Status.RESOURCE_EXHAUSTED,
    metadata: ["limit"],
    provoke: async (t) => {
      const server = await startTestServer(t, { maxConcurrentCalls: 0 });
      return failing(assembleOver(server.client(), { budget }));
    },
  },
  COMPONENT_FAILED: {
    status: Status.INTERNAL,
    metadata: ["component", "role"],
    provoke: (t) => {
      const score = () => {
        throw new Error("inside");
      };
      const registry = builtInRegistry().addComponent("scorer", "mine", () => ({ score }));
      return refusalOf(t, { budget, pipeline: { scorer: "mine" } }, { registry });
    },
  },
  CANCELLED: {
    status: Status.CANCELLED,
    metadata: [],
    provoke: (t) => thrown(t, new ContextError("CANCELLED", "the call was cancelled")),
  },
  DEADLINE_EXCEEDED: {
    status: Status.DEADLINE_EXCEEDED,
    metadata: [],
    provoke: async (t) => {
      const { address } = await startTestServer(t);
      return (await rawCall(address, { headers: { "grpc-timeout": "1n" } })).failure;
    },
  },
  UNKNOWN_REGISTRATION: {
    status: Status.NOT_FOUND,
    metadata: ["strategy"],
    provoke: async (t) => {
      const client = await strategyClient(t);
      return failing(ended((callback) => client.deleteStrategy({ name: "mine" }, callback)));
    },
  },
  TOO_MANY_REGISTRATIONS: {
    status: Status.RESOURCE_EXHAUSTED,
    metadata: ["limit"],
    provoke: async (t) => {
      const client = await strategyClient(t, { registrations: memoryRegistrations({ maxPerNamespace: 0 }) });
      const config = { $case: "slidingWindow" as const, value: { windowSize: 1, windowMode: 0 } };
      const request = { strategy: { name: "mine", confidence: undefined, config } };
      return failing(ended((callback) => client.registerStrategy(request, callback)));
    },
  },
  COMPONENT_UNAVAILABLE: {
    status: Status.UNAVAILABLE,
    metadata: ["component", "failure", "role"],
    provoke: async (t) => {
      const { server } = await hosting(t, {
        components: [scorer],
        answer: () => ({ $case: "orderer", value: { order: [] } }),
      });
      return failing(assembleOver(server.client(), { budget, pipeline: withFailure }));
    },
  },
  COMPONENT_TIMED_OUT: {
    status: Status.DEADLINE_EXCEEDED,
    metadata: ["component", "role", "timeout_ms"],
    provoke: async (t) => {
      const { server } = await hosting(t, { components: [{ ...scorer, timeout: { nanos: 20_000_000 } }] });
      return failing(assembleOver(server.client(), { budget, pipeline: withFailure }));
    },
  },
  COMPONENT_TAKEN: {
    status: Status.ALREADY_EXISTS,
    metadata: ["component", "role"],
    provoke: async (t) => {
      const { server } = await hosting(t, { components: [scorer] });
      return hostingFailure(server, { components: [{ ...scorer, pure: true }] });
    },
  },
  NAMESPACE_REQUIRED: {
    status: Status.FAILED_PRECONDITION,
    metadata: ["component", "role"],
    provoke: async (t) =>
      hostingFailure(await startTestServer(t), { components: [{ ...scorer, name: "pass_through" }] }),
  },
  TOO_MANY_HOSTED: {
    status: Status.RESOURCE_EXHAUSTED,
    metadata: ["limit"],
    provoke: async (t) => {
      const server = await startTestServer(t, { app: createApp({ hosting: { maxSessions: 0 } }) });
      return hostingFailure(server, { components: [scorer] });
    },
  },
  CONVERSATION_BROKEN: {
    status: Status.INVALID_ARGUMENT,
    metadata: ["message"],
    provoke: async (t) => hostingFailure(await startTestServer(t), { components: [] }),
  },
  HEARTBEAT_MISSED: {
    status: Status.UNAVAILABLE,
    metadata: ["interval_ms"],
    provoke: async (t) => {
      const server = await startTestServer(t, { app: createApp({ hosting: { heartbeatIntervalMs: 20 } }) });
      return hostingFailure(server, { components: [scorer], beats: false });
    },
  },
  SERVER_STOPPING: {
    status: Status.UNAVAILABLE,
    metadata: [],
    provoke: async (t) => {
      const { server, host } = await hosting(t, { components: [scorer] });
      void server.stop();
      return failureOf(await host.ended);
    },
  },
  INTERNAL: {
    status: Status.INTERNAL,
    metadata: ["request_id"],
    provoke: (t) => thrown(t, new Error("inside")),
  },
};

const PREFIX = "ERROR_REASON_";

test("every reason of the contract is provoked by a test, and no other", () => {
  const listed = Object.keys(ErrorReason).filter((name) => name.startsWith(PREFIX) && !name.endsWith("_UNSPECIFIED"));
  const expected = listed.map((name) => name.slice(PREFIX.length));
  assert.deepEqual(Object.keys(cases).sort(), expected.sort());
});

for (const [reason, { status, metadata, provoke }] of Object.entries(cases)) {
  test(`${reason} is ${Status[status]}`, async (t) => {
    const failure = await provoke(t);
    assert.equal(failure.reason, reason);
    assert.equal(failure.domain, "acms");
    assert.equal(failure.code, status);
    assert.deepEqual(Object.keys(failure.metadata).sort(), metadata);
    assert.notEqual(failure.message, "");
  });
}
