import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { status as Status } from "@grpc/grpc-js";
import { AssembleRequest, AssembleResponse } from "../../gen/acms/v1/assembly_service.js";
import { ContextError } from "../core/index.js";
import { answered, assembleOver, eventually, failing, pause, startHandler, type TestServer } from "./server.fixture.js";

const echo = ({ requestId }: AssembleRequest) => AssembleResponse.fromPartial({ requestId });

/** The server must be there for the next call. */
async function checkAlive(server: TestServer): Promise<void> {
  const response = await answered(assembleOver(server.client(), { requestId: "ok" }));
  assert.equal(response.requestId, "ok");
}

/** Starts a server whose handler does something to a request of the id `bad` and echoes others. */
function startBad(t: TestContext, bad: () => AssembleResponse | Promise<AssembleResponse>): Promise<TestServer> {
  return startHandler(t, (request) => (request.requestId === "bad" ? bad() : echo(request)));
}

const secret = "the password is swordfish";

const faults: Record<string, () => AssembleResponse | Promise<AssembleResponse>> = {
  "throws an error": () => {
    throw new Error(secret);
  },
  "rejects with an error": () => Promise.reject(new Error(secret)),
  "rejects later": async () => {
    await pause(5);
    throw new TypeError(secret);
  },
  "throws a text": () => {
    throw secret;
  },
  "throws nothing": () => {
    throw undefined;
  },
  "throws an object that claims a status": () => {
    throw Object.assign(new Error(secret), { code: 5, details: secret });
  },
  "throws an error whose message has half a pair": () => {
    throw new Error(`${secret} \ud83d`);
  },
  "throws an error whose message throws": () => {
    throw {
      get message(): string {
        throw new Error(secret);
      },
    };
  },
  "throws an internal error of our own": () => {
    throw new ContextError("INTERNAL", secret);
  },
};

for (const [what, bad] of Object.entries(faults)) {
  test(`a handler that ${what} is answered at once, blandly, and the server lives on`, async (t) => {
    const server = await startBad(t, bad);
    const failure = await failing(
      assembleOver(server.client(), { requestId: "bad" }, { deadline: Date.now() + 60_000 }),
    );
    assert.equal(failure.code, Status.INTERNAL);
    assert.equal(failure.reason, "INTERNAL");
    assert.deepEqual(failure.metadata, { request_id: "bad" });
    assert.ok(!JSON.stringify(failure).includes("swordfish"));
    await checkAlive(server);
  });
}

test("the cause of an internal error is in the log", async (t) => {
  const server = await startBad(t, () => Promise.reject(new Error(secret)));
  await failing(assembleOver(server.client(), { requestId: "bad" }));
  const line = await server.line(({ requestId }) => requestId === "bad");
  assert.equal(line.status, "INTERNAL");
  assert.equal(line.level, 50);
  assert.equal((line.err as { message: string }).message, secret);
});

test("a refusal whose message has half a pair arrives with its own status", async (t) => {
  const server = await startBad(t, () => {
    throw new ContextError("UNKNOWN_STRATEGY", "no \ud83d strategy", { metadata: { strategy: "\ude00" } });
  });
  const failure = await failing(assembleOver(server.client(), { requestId: "bad" }));
  assert.equal(failure.code, Status.NOT_FOUND);
  assert.equal(failure.message, "no \ufffd strategy");
  assert.deepEqual(failure.metadata, { strategy: "\ufffd" });
  await checkAlive(server);
});

test("a refusal later, from a timer, with half a pair arrives too", async (t) => {
  const server = await startBad(t, async () => {
    await pause(5);
    throw new ContextError("INVALID_REQUEST", "\udc00", { violations: [{ field: "\ud800", description: "\ud800" }] });
  });
  const failure = await failing(assembleOver(server.client(), { requestId: "bad" }));
  assert.equal(failure.code, Status.INVALID_ARGUMENT);
  assert.deepEqual(failure.violations, [{ field: "\ufffd", description: "\ufffd" }]);
  await checkAlive(server);
});

test("a long message is shortened", async (t) => {
  const server = await startBad(t, () => {
    throw new ContextError("UNKNOWN_STRATEGY", "😀".repeat(2_000));
  });
  const failure = await failing(assembleOver(server.client(), { requestId: "bad" }));
  assert.ok(failure.message.length < 1_000);
  assert.ok(!failure.message.includes("\ufffd"), "and not inside a pair");
});

test("an answer that cannot be encoded is an internal error, told at once", async (t) => {
  const server = await startBad(t, () => ({ payload: { totalTokens: "many" } }) as unknown as AssembleResponse);
  const failure = await failing(assembleOver(server.client(), { requestId: "bad" }, { deadline: Date.now() + 60_000 }));
  assert.equal(failure.code, Status.INTERNAL);
  assert.equal(failure.reason, "INTERNAL", "with the details that every error of ours has");
  await checkAlive(server);
});

test("no answer at all is an internal error, told at once", async (t) => {
  const server = await startBad(t, () => undefined as unknown as AssembleResponse);
  const failure = await failing(assembleOver(server.client(), { requestId: "bad" }, { deadline: Date.now() + 60_000 }));
  assert.equal(failure.code, Status.INTERNAL);
  await checkAlive(server);
});

test("a handler that never answers does not keep its caller past the deadline", async (t) => {
  const server = await startBad(t, () => new Promise(() => {}));
  const failure = await failing(assembleOver(server.client(), { requestId: "bad" }, { deadline: Date.now() + 500 }));
  assert.equal(failure.code, Status.DEADLINE_EXCEEDED);
  await checkAlive(server);
  const line = await server.line(({ requestId }) => requestId === "bad");
  assert.equal(line.status, "DEADLINE_EXCEEDED");
});

/** Starts a call of the id `bad` and cancels it once the handler is at work. */
async function cancelBad(server: TestServer, atWork: Promise<void>): Promise<void> {
  const ending = new Promise<number>((resolve) => {
    const request = AssembleRequest.fromPartial({ requestId: "bad" });
    const call = server.client().assemble(request, (error) => resolve(error?.code ?? Status.OK));
    void atWork.then(() => call.cancel());
  });
  assert.equal(await ending, Status.CANCELLED);
}

/** A promise and what fulfils it. */
function signpost(): { passed: Promise<void>; pass: () => void } {
  let pass = (): void => {};
  const passed = new Promise<void>((resolve) => {
    pass = resolve;
  });
  return { passed, pass };
}

test("a cancelled call aborts its handler's signal with an error of ours", async (t) => {
  const atWork = signpost();
  let reason: unknown;
  const server = await startHandler(t, (request, { signal }) => {
    if (request.requestId !== "bad") return echo(request);
    signal.addEventListener("abort", () => {
      reason = signal.reason;
    });
    atWork.pass();
    return new Promise(() => {});
  });
  await cancelBad(server, atWork.passed);
  await eventually(() => reason);
  assert.ok(reason instanceof ContextError);
  assert.equal(reason.reason, "CANCELLED");
  assert.equal((await server.line(({ requestId }) => requestId === "bad")).status, "CANCELLED");
  await checkAlive(server);
});

const lateEndings: Record<string, () => Promise<AssembleResponse>> = {
  answers: async () => echo(AssembleRequest.fromPartial({ requestId: "bad" })),
  rejects: () => Promise.reject(new Error(secret)),
  "rejects with half a pair": () => Promise.reject(new ContextError("UNKNOWN_PROFILE", "\ud83d")),
};

for (const [what, late] of Object.entries(lateEndings)) {
  test(`a handler that ${what} after the caller has gone does no harm`, async (t) => {
    const atWork = signpost();
    const done = signpost();
    const server = await startBad(t, async () => {
      atWork.pass();
      await pause(60);
      done.pass();
      return late();
    });
    await cancelBad(server, atWork.passed);
    await done.passed;
    await pause(20);
    await checkAlive(server);
    assert.equal(server.lines.filter(({ requestId }) => requestId === "bad").length, 1, "one line, all the same");
  });

  test(`a handler that ${what} after the deadline does no harm`, async (t) => {
    const done = signpost();
    const server = await startBad(t, async () => {
      await pause(800);
      done.pass();
      return late();
    });
    const failure = await failing(assembleOver(server.client(), { requestId: "bad" }, { deadline: Date.now() + 500 }));
    assert.equal(failure.code, Status.DEADLINE_EXCEEDED);
    await done.passed;
    await pause(20);
    await checkAlive(server);
  });
}

test("a call that was answered is not cancelled afterwards", async (t) => {
  let aborted = false;
  const server = await startHandler(t, (request, { signal }) => {
    signal.addEventListener("abort", () => {
      aborted = true;
    });
    return echo(request);
  });
  await checkAlive(server);
  await pause(50);
  assert.equal(aborted, false);
});

test("more calls at once than the server takes are refused, and told when to try again", async (t) => {
  const release = signpost();
  const server = await startHandler(
    t,
    async (request) => {
      await release.passed;
      return echo(request);
    },
    2,
  );
  const client = server.client();
  const calls = ["a", "b", "c"].map((requestId) => assembleOver(client, { requestId }));
  const failure = await failing(calls[2]!);
  assert.equal(failure.code, Status.RESOURCE_EXHAUSTED);
  assert.equal(failure.reason, "TOO_MANY_CALLS");
  assert.deepEqual(failure.metadata, { limit: "2" });
  assert.ok(failure.retryAfterMs! > 0);
  release.pass();
  assert.equal((await answered(calls[0]!)).requestId, "a");
  assert.equal((await answered(calls[1]!)).requestId, "b");
  await checkAlive(server);
});

test("calls that ended badly make room for others", async (t) => {
  const server = await startHandler(
    t,
    (request, { signal }) => {
      if (request.requestId === "bad") throw new Error(secret);
      if (request.requestId === "slow") {
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      }
      return echo(request);
    },
    1,
  );
  for (let i = 0; i < 3; i++) {
    await failing(assembleOver(server.client(), { requestId: "bad" }));
    await failing(assembleOver(server.client(), { requestId: "slow" }, { deadline: Date.now() + 300 }));
    await eventually(() => (server.lines.length >= 2 ? true : undefined));
  }
  await checkAlive(server);
});

test("a call that is answered keeps its place until its handler has ended", async (t) => {
  let end: () => void = () => {};
  const atWork = signpost();
  const server = await startHandler(
    t,
    (request) => {
      if (request.requestId !== "bad") return echo(request);
      atWork.pass();
      return new Promise((resolve) => {
        end = () => resolve(echo(request));
      });
    },
    1,
  );
  await cancelBad(server, atWork.passed);
  assert.equal((await failing(assembleOver(server.client(), {}))).reason, "TOO_MANY_CALLS");
  end();
  await checkAlive(server);
});

test("a call without a request id has one of the server's", async (t) => {
  let seen = "";
  const server = await startHandler(t, (request, { requestId }) => {
    seen = requestId;
    return echo(request);
  });
  await answered(assembleOver(server.client(), {}));
  assert.equal(seen, "01TEST00000000000000000000");
  assert.equal((await server.line(() => true)).requestId, seen);
});
