/** Who is asked next where a host has room for few. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pipelineDraft } from "../core/drafts.fixture.js";
import type { Payload } from "../core/index.js";
import { FakeClient } from "./fake-client.fixture.js";
import { asked, assembleWith, draft, hostingWith, scorer, scores } from "./hosting.fixture.js";

const settled = () => new Promise(setImmediate);

/** A client with room for one question, to which names are put in turn; answers the order in which they are asked. */
async function orderOf(names: readonly string[], prepare?: (client: FakeClient) => void): Promise<string[]> {
  const hosting = hostingWith({ stageTimeoutMs: 5_000 });
  const client = new FakeClient(hosting, "");
  client.attach({ ...scorer, name: "one" }, { ...scorer, name: "two" }, { ...scorer, name: "three" });
  client.say({ $case: "credit", value: { invocations: 1 } });
  prepare?.(client);
  const running: Promise<Payload>[] = [];
  for (const name of names) {
    running.push(assembleWith(hosting, { ...draft, pipeline: pipelineDraft({ profile: "fusion", scorer: name }) }));
    for (let i = 0; i < 3; i++) await settled();
  }
  for (let i = 1; i <= names.length; i++) client.result(await asked(client, i), scores(0, 1));
  for (const { warnings } of await Promise.all(running)) assert.deepEqual(warnings, []);
  return client.heard.flatMap((one) => (one.$case === "invoke" ? [one.value.name] : []));
}

test("with room for one, questions to several components are asked in the order in which they came", async () => {
  for (const names of [
    ["one", "one", "two", "one", "one", "three", "two"],
    ["three", "two", "one", "two", "three", "one"],
  ]) {
    assert.deepEqual(await orderOf(names), names);
  }
});

test("a component that is always asked again does not keep another one waiting", async () => {
  const hosting = hostingWith({ stageTimeoutMs: 5_000 });
  const client = new FakeClient(hosting, "");
  client.attach({ ...scorer, name: "busy" }, { ...scorer, name: "quiet" });
  client.say({ $case: "credit", value: { invocations: 1 } });
  const ask = (name: string): Promise<Payload> =>
    assembleWith(hosting, { ...draft, pipeline: pipelineDraft({ profile: "fusion", scorer: name }) });
  // Three callers of the busy one, each of which asks again as soon as it has its answer.
  let isOver = false;
  const callers = [1, 2, 3].map(async () => {
    while (!isOver) await ask("busy");
  });
  await asked(client);
  for (let i = 0; i < 5; i++) await settled();
  const quiet = ask("quiet").then(() => {
    isOver = true;
  });
  client.onInvoke = ({ invocation }) => setImmediate(() => client.result(invocation, scores(0, 1)));
  client.result(client.last("invoke").invocation, scores(0, 1));
  await quiet;
  const answered = client.heard.filter((one) => one.$case === "invoke" && one.value.name === "busy").length;
  assert.ok(answered <= 6, `${answered} others were asked before`);
  await Promise.all(callers);
});

test("a component at its own limit leaves the room to the others", async () => {
  const hosting = hostingWith({ stageTimeoutMs: 5_000 });
  const client = new FakeClient(hosting, "");
  client.attach({ ...scorer, name: "one", concurrency: 1 }, { ...scorer, name: "two" });
  client.say({ $case: "credit", value: { invocations: 0 } });
  const running = ["one", "one", "two"].map((name) =>
    assembleWith(hosting, { ...draft, pipeline: pipelineDraft({ profile: "fusion", scorer: name }) }),
  );
  for (let i = 0; i < 5; i++) await settled();
  client.say({ $case: "credit", value: { invocations: 2 } });
  await asked(client, 2);
  for (let i = 0; i < 5; i++) await settled();
  const names = client.heard.flatMap((one) => (one.$case === "invoke" ? [one.value.name] : []));
  assert.deepEqual(names, ["one", "two"]);
  client.onInvoke = ({ invocation }) => setImmediate(() => client.result(invocation, scores(0, 1)));
  for (const invocation of [1, 2]) client.result(invocation, scores(0, 1));
  await Promise.all(running);
});
