/** Runs that end before their time, and components that hear of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assemble } from "./assemble.js";
import { builtInRegistry } from "./built-in.js";
import { assembled, requestOf, testRun } from "./drafts.fixture.js";
import { ContextError } from "./errors.js";
import { answering, cause, draft, registryWith, using } from "./faulty-components.fixture.js";
import { Registry } from "./registry.js";
import { STAGES, type StageRole, VERBS } from "./stages.js";

for (const role of STAGES) {
  test(`a ${role} that answers at the abort ends with the signal's reason`, { timeout: 5_000 }, async () => {
    await checkAbort(role, (signal) => new Promise((resolve) => signal.addEventListener("abort", resolve)));
  });

  test(`a ${role} that rejects at the abort ends with the signal's reason`, { timeout: 5_000 }, async () => {
    await checkAbort(
      role,
      (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(cause))),
    );
  });

  test(`a ${role} that never answers does not outlive the abort`, { timeout: 5_000 }, async () => {
    await checkAbort(role, () => new Promise(() => {}));
  });
}

async function checkAbort(role: StageRole, answer: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const controller = new AbortController();
  let tellAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });
  const component = answering(role, () => {
    tellAsked();
    return answer(controller.signal);
  });
  const run = testRun({ signal: controller.signal });
  const pending = assembled({ ...draft, ...using(role) }, registryWith(role, component), run);
  await asked;
  const gone = new ContextError("CANCELLED", "gone");
  controller.abort(gone);
  const outcome = await Promise.race([
    pending.then(
      () => "answered",
      (error: unknown) => error,
    ),
    new Promise((resolve) => setTimeout(resolve, 200, "still waiting")),
  ]);
  assert.equal(outcome, gone);
}

test("a run that was aborted before does no work", async () => {
  const controller = new AbortController();
  const late = new ContextError("DEADLINE_EXCEEDED", "late");
  const request = await requestOf(draft);
  controller.abort(late);
  const registry = registryWith("strategy_selector", { select: () => assert.fail("asked") });
  const run = testRun({ signal: controller.signal });
  await assert.rejects(assemble(request, registry, run), late);
  const asked = await requestOf({ ...draft, ...using("strategy_selector") });
  await assert.rejects(assemble(asked, registry, run), late);
});

for (const [i, role] of STAGES.entries()) {
  test(`an abort while the ${role} works stops the run before the next stage`, async () => {
    const controller = new AbortController();
    const gone = new ContextError("CANCELLED", "gone");
    const finished: string[] = [];
    const registry = new Registry(builtInRegistry());
    const honest = builtInRegistry().component(role, Object.values(profileNames())[i]!, {});
    const verb = VERBS[role] as keyof typeof honest;
    registry.addComponent(
      role,
      "bad",
      () =>
        answering(role, (...args: never[]) => {
          controller.abort(gone);
          return (honest[verb] as (...args: never[]) => unknown)(...args);
        }) as never,
    );
    const run = testRun({
      signal: controller.signal,
      recorder: { stageFinished: (stage) => void finished.push(stage) },
    });
    await assert.rejects(assembled({ ...draft, ...using(role) }, registry, run), gone);
    assert.deepEqual(finished, STAGES.slice(0, i + 1));
  });
}

function profileNames(): Record<StageRole, string> {
  return builtInRegistry().profile("direct").components as Record<StageRole, string>;
}

test("a run breathes before every stage, and while what the packer did is explained", async () => {
  let breaths = 0;
  const breathsBy: number[] = [];
  const recorder = { stageFinished: () => void breathsBy.push(breaths) };
  await assembled(draft, builtInRegistry(), testRun({ recorder, breathe: () => void breaths++ }));
  const first = STAGES.indexOf("packer");
  assert.ok(breathsBy[first + 1]! - breathsBy[first]! > 2, breathsBy.join(" "));
  assert.ok(breathsBy.every((count, i) => count > (breathsBy[i - 1] ?? 0)));
});

test("news of an abort that comes with a breath stops the run", async () => {
  const controller = new AbortController();
  const gone = new ContextError("CANCELLED", "gone");
  let breaths = 0;
  const breathe = async () => {
    if (++breaths === 7) controller.abort(gone);
  };
  await assert.rejects(assembled(draft, builtInRegistry(), testRun({ signal: controller.signal, breathe })), gone);
  assert.equal(breaths, 7);
});
