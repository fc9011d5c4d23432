import assert from "node:assert/strict";
import { test } from "node:test";
import { ComponentDeclaration } from "../../gen/acms/v1/hosted_component.js";
import type { ContextError } from "../core/index.js";
import { FakeClient } from "./fake-client.fixture.js";
import { asked, assembleWith, hostingWith, scorer } from "./hosting.fixture.js";

const attached = (namespace = "own") => {
  const hosting = hostingWith();
  const client = new FakeClient(hosting, namespace);
  client.attach(scorer, { ...scorer, name: "" });
  return { client, hosting };
};

const WHO = { sessionId: "session0", namespace: "own", host: "fake" };

test("the log says who attached, with what, and what was refused", () => {
  const { client } = attached();
  assert.deepEqual(client.logged, [
    {
      level: "info",
      message: "a host attached",
      facts: { ...WHO, taken: ["scorer/mine"], refused: ["scorer/: INVALID_REQUEST"] },
    },
  ]);
});

test("the log says what changed", () => {
  const { client } = attached();
  const add = [ComponentDeclaration.fromPartial({ ...scorer, name: "new" })];
  const remove = [ComponentDeclaration.fromPartial(scorer)];
  client.say({ $case: "update", value: { add, remove } });
  assert.deepEqual(client.logged.at(-1), {
    level: "info",
    message: "a host updated its components",
    facts: { ...WHO, taken: ["scorer/new"], removed: ["scorer/mine"] },
  });
});

const ends: Record<
  string,
  { readonly end: (client: FakeClient) => void; readonly level: string; readonly cause: RegExp }
> = {
  "a drain": { end: (client) => client.drain(), level: "info", cause: /^drained$/ },
  "a loss": { end: (client) => client.vanish(), level: "warn", cause: /^lost$/ },
  "a half-close without a drain": {
    end: (client) => client.halfClose(),
    level: "warn",
    cause: /^CONVERSATION_BROKEN: the host ended its side without a drain$/,
  },
  "a half-close and a loss": {
    end: (client) => {
      client.halfClose();
      client.vanish();
    },
    level: "warn",
    cause: /^lost$/,
  },
  "what no rule allows": {
    end: (client) => client.say({ $case: "accept", value: { invocation: 7 } }),
    level: "warn",
    cause: /^CONVERSATION_BROKEN: accept names the question 7/,
  },
  "bytes that are no message": {
    end: (client) => client.sayBytes(Uint8Array.of(0x0a, 5)),
    level: "warn",
    cause: /^MALFORMED_MESSAGE/,
  },
};

for (const [name, { end, level, cause }] of Object.entries(ends)) {
  test(`the log says that a host left by ${name}`, async () => {
    const { client } = attached();
    end(client);
    // Whether a half-close is all that comes shows a moment later.
    while (client.ended === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    const last = client.logged.at(-1)!;
    assert.deepEqual([last.level, last.message], [level, "a host left"]);
    const { cause: told, components, ...who } = last.facts;
    assert.deepEqual(who, WHO);
    assert.match(String(told), cause);
    assert.deepEqual(components, ["scorer/mine"]);
  });
}

test("a host that never attached leaves no line, and one that was refused says so", () => {
  const silent = new FakeClient(hostingWith(), "own");
  silent.vanish();
  assert.deepEqual(silent.logged, []);
  const refused = new FakeClient(hostingWith(), "own");
  assert.ok(refused.attach({ ...scorer, role: 0 }).refused.length > 0);
  assert.deepEqual(
    refused.logged.map(({ message, facts }) => [message, facts.cause ?? facts.refused]),
    [
      ["a host attached", ["0/mine: INVALID_REQUEST"]],
      ["a host left", `INVALID_REQUEST: ${(refused.ended as ContextError).message}`],
    ],
  );
});

test("nothing that is asked or answered is in the log", async () => {
  const { client, hosting } = attached("");
  const running = assembleWith(hosting);
  const invocation = await asked(client);
  client.say({ $case: "failure", value: { invocation, code: 1, message: "the secret" } });
  await running;
  client.vanish();
  const text = JSON.stringify(client.logged);
  assert.ok(!text.includes("secret") && !text.includes("project://"), text);
});

test("names without end stay within one line", () => {
  const client = new FakeClient(hostingWith(), "own");
  client.attach(...Array.from({ length: 1_000 }, (_, i) => ({ ...scorer, name: `n${i}` })));
  assert.ok(JSON.stringify(client.logged).length < 5_000);
});
