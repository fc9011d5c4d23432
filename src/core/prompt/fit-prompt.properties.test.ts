import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { FittedPrompt } from "./fit-prompt.js";
import { fitPlain, fitReview, type ReviewTexts, section } from "./prompt.fixture.js";
import { estimateTokens } from "./size.js";

/** The sizes crowd around the edges. */
const length = fc.oneof(fc.constant(0), fc.nat(60), fc.integer({ min: 1_000, max: 1_050 }), fc.nat(6_000));
const unit = fc.constantFrom("a", "😀", "é", "line\n", "line\r\n", "\n");
const text = fc.tuple(length, unit, fc.nat(1)).map(([size, filling, lead]) => {
  const whole = "-".repeat(lead) + filling.repeat(Math.ceil(size / filling.length));
  return whole.slice(0, size).toWellFormed();
});
const names = ["a.md", "b.md", "c.md", "d.md"];
const texts: fc.Arbitrary<ReviewTexts> = fc
  .record(
    { instructions: text, roadmap: text, project: text, context: text, research: text, requirements: text },
    { requiredKeys: [] },
  )
  .chain((rest) =>
    fc.array(text, { maxLength: 4 }).map((plans) => ({
      ...rest,
      plans: Object.fromEntries(plans.map((plan, i) => [names[i]!, plan])),
    })),
  );
/** The effective budget in thousandths of the whole prompt, with the edge itself often. */
const place = fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 1_100 }) }, fc.constantFrom(0, 999, 1_000));
const margin = fc.oneof(fc.constant(10), fc.integer({ min: 0, max: 99 }));

interface Case {
  readonly texts: ReviewTexts;
  readonly fitted: FittedPrompt;
  readonly again: FittedPrompt;
  readonly whole: FittedPrompt;
}

/** Checks what holds of every prompt. */
function always(name: string, check: (found: Case) => void): void {
  test(name, () =>
    fc.assert(
      fc.property(texts, place, margin, (given, thousandths, marginPercent) => {
        const whole = fitReview(given, 1_000_000);
        const effective = (whole.report.estimatedTokens * thousandths) / 1_000;
        const tokens = Math.max(1, Math.ceil((effective * 100) / (100 - marginPercent)));
        check({
          texts: given,
          fitted: fitReview(given, tokens, { marginPercent }),
          again: fitReview(given, tokens, { marginPercent }),
          whole,
        });
      }),
      { seed: 7, numRuns: 2_000 },
    ),
  );
}

always("a prompt is never over its effective budget, and empty where it failed", ({ fitted: { prompt, report } }) => {
  if (report.hardFailed) {
    assert.equal(prompt, "");
    assert.ok(report.estimatedTokens > report.effectiveBudget && report.failedLimit !== "");
  } else {
    assert.equal(report.estimatedTokens, estimateTokens(prompt));
    assert.ok(report.estimatedTokens <= report.effectiveBudget && report.failedLimit === "");
  }
});

always("a prompt is whole exactly where the whole fits", ({ fitted, whole }) => {
  const fits = estimateTokens(whole.prompt) <= fitted.report.effectiveBudget;
  assert.equal(fitted.prompt === whole.prompt && !fitted.report.hardFailed, fits);
});

always("there is a note of at most 240 characters exactly where something was cut", ({ fitted }) => {
  const { omitted, projectShrunk, planTruncationPercent, noteInjected, hardFailed } = fitted.report;
  assert.equal(noteInjected, omitted.length > 0 || projectShrunk || planTruncationPercent > 0);
  if (hardFailed) return;
  const [note, ...more] = [...fitted.prompt.matchAll(/^Note: .*$/gm)].map(([line]) => line);
  assert.deepEqual([note !== undefined, more], [noteInjected, []]);
  if (note === undefined) return;
  assert.ok(note.length <= 240);
  for (const name of omitted) assert.ok(note.includes(`${name} left out`));
  assert.equal(note.includes("project cut to 40 lines"), projectShrunk);
  assert.equal(note.includes("plans shortened"), planTruncationPercent > 0);
});

always("the same request gives the same prompt, and a fitted one fits as it is", ({ fitted, again }) => {
  assert.deepEqual(again, fitted);
  const { prompt, report } = fitted;
  if (report.effectiveBudget === 0) return;
  const refitted = fitPlain([section("prompt", prompt)], report.effectiveBudget, { marginPercent: 0 });
  assert.deepEqual([refitted.prompt, refitted.report.noteInjected], [prompt, false]);
});

always("no plan falls below its first 1024 characters, but for half of the last", ({ texts: given, fitted }) => {
  if (fitted.report.hardFailed) return;
  for (const [name, plan] of Object.entries(given.plans ?? {})) {
    if (plan === "") continue;
    const floor = plan.slice(0, 1_024).replace(/[\ud800-\udbff]$/, "");
    assert.ok(fitted.prompt.includes(`### ${name}\n\n${floor}`), name);
  }
});

always("sections are dropped in order, each only where those before it were not enough", ({ texts: given, fitted }) => {
  const present = (["context", "research", "requirements"] as const).filter((name) => (given[name] ?? "") !== "");
  const { omitted, failedLimit, effectiveBudget } = fitted.report;
  assert.deepEqual(omitted, present.slice(0, omitted.length));
  const last = omitted.at(-1);
  if (last === undefined) return;
  const plans = Object.fromEntries(
    Object.entries(given.plans ?? {}).map(([name, plan]) => [
      name,
      plan.slice(0, 1_024).replace(/[\ud800-\udbff]$/, ""),
    ]),
  );
  const project = (given.project ?? "")
    .split(/(?<=\n)/)
    .slice(0, 40)
    .join("");
  const gone = Object.fromEntries(omitted.slice(0, -1).map((name) => [name, ""]));
  const before = fitReview({ ...given, ...gone, plans, project: project.replace(/\r?\n$/, "") }, 1_000_000);
  assert.ok(before.report.estimatedTokens > effectiveBudget - 80, last);
  assert.ok(failedLimit !== "minimum");
});

always("what is never cut is there, and no text is cut but from its end", ({ texts: given, fitted }) => {
  if (fitted.report.hardFailed) return;
  const { prompt } = fitted;
  assert.ok(prompt.startsWith(given.instructions ?? ""));
  if (given.roadmap) assert.ok(prompt.includes(`## Roadmap\n\n${given.roadmap}`));
  assert.ok(prompt.isWellFormed());
});
