import assert from "node:assert/strict";
import { test } from "node:test";
import { fitReview, linesOf, textUnder } from "./prompt.fixture.js";
import { estimateTokens } from "./size.js";

const large = "b".repeat(2_000);
const small = { instructions: "Review the change.", roadmap: "First: ship.", plans: { "plan-a.md": "Do the thing." } };
const everything = {
  ...small,
  project: "What it is.",
  context: "What was said.",
  research: "What was read.",
  requirements: "What must hold.",
};

test("four characters are a token, and a part of four is one too", () => {
  assert.deepEqual(["", "hello", "a".repeat(400)].map(estimateTokens), [0, 2, 100]);
});

test("a prompt well within its budget is whole", () => {
  const { prompt, report } = fitReview(everything, 10_000);
  assert.equal(
    prompt,
    [
      "Review the change.",
      "## Roadmap",
      "First: ship.",
      "## Project",
      "What it is.",
      "## Plans",
      "### plan-a.md",
      "Do the thing.",
      "## Context",
      "What was said.",
      "## Research",
      "What was read.",
      "## Requirements",
      "What must hold.",
    ].join("\n\n"),
  );
  assert.deepEqual(report, {
    budget: 10_000,
    effectiveBudget: 9_000,
    estimatedTokens: estimateTokens(prompt),
    omitted: [],
    projectShrunk: false,
    planTruncationPercent: 0,
    hardFailed: false,
    failedLimit: "",
    noteInjected: false,
  });
});

test("research goes where it alone is too much", () => {
  const { prompt, report } = fitReview({ ...small, research: large }, 200);
  assert.deepEqual([report.omitted, report.noteInjected, report.effectiveBudget], [["research"], true, 180]);
  assert.ok(!prompt.includes("## Research") && !prompt.includes(large));
  assert.equal(prompt.split("\n\n")[1], "Note: this prompt was cut to fit its token budget: research left out.");
});

test("context goes before research", () => {
  const { report } = fitReview({ ...small, context: large, research: large }, 200);
  assert.deepEqual([report.omitted, report.noteInjected], [["context", "research"], true]);
});

test("the project is cut to forty lines before anything is dropped", () => {
  const texts = { ...small, project: linesOf(80, 19), context: "Short context." };
  const { prompt, report } = fitReview(texts, 445);
  assert.equal(textUnder(prompt, "## Project"), linesOf(40, 19));
  assert.deepEqual([report.projectShrunk, report.omitted, report.noteInjected], [true, [], true]);
  assert.equal(report.effectiveBudget, 400);
  assert.equal(textUnder(prompt, "## Context"), "Short context.");
});

test("plans are shortened alike and none is dropped", () => {
  const plan = "p".repeat(4_000);
  const { prompt, report } = fitReview({ ...small, plans: { "plan-a.md": plan, "plan-b.md": plan } }, 1_600);
  const lengths = ["### plan-a.md", "### plan-b.md"].map((name) => textUnder(prompt, name).length);
  assert.equal(lengths[0], lengths[1]);
  assert.equal(report.planTruncationPercent, (100 * (8_000 - 2 * lengths[0]!)) / 8_000);
  assert.ok(report.planTruncationPercent >= 20 && report.planTruncationPercent <= 40);
  assert.deepEqual([report.noteInjected, report.omitted], [true, []]);
});

test("requirements go last", () => {
  const { report } = fitReview({ ...small, context: large, research: large, requirements: large }, 200);
  assert.deepEqual(report.omitted, ["context", "research", "requirements"]);
  assert.deepEqual([report.noteInjected, report.hardFailed], [true, false]);
});

test("where what is never cut is too much, no prompt fits", () => {
  const { prompt, report } = fitReview({ ...small, instructions: "i".repeat(800) }, 50);
  assert.equal(prompt, "");
  assert.deepEqual([report.hardFailed, report.failedLimit, report.effectiveBudget], [true, "minimum", 45]);
  assert.equal(report.estimatedTokens, 200 + estimateTokens("First: ship.") + estimateTokens("Do the thing."));
  assert.deepEqual([report.omitted, report.noteInjected], [[], false]);
});

test("room for the note is set aside before it is needed", () => {
  const texts = {
    instructions: "i".repeat(120),
    roadmap: "r".repeat(40),
    plans: { "plan.md": "p".repeat(40) },
    research: "x".repeat(2_000),
  };
  const { prompt, report } = fitReview(texts, 145);
  assert.deepEqual([report.omitted, report.noteInjected, report.hardFailed], [["research"], true, false]);
  assert.equal(report.effectiveBudget, 130);
  assert.equal(report.estimatedTokens, estimateTokens(prompt));
  assert.ok(report.estimatedTokens <= 130);
});

test("sections that are not there print nothing and are not omitted", () => {
  for (const absent of [small, { ...small, project: "", context: "", research: "", requirements: "" }]) {
    const { prompt, report } = fitReview(absent, 10_000);
    assert.doesNotMatch(prompt, /^#+ (?:Project|Context|Research|Requirements)/m);
    for (const text of ["Review the change.", "First: ship.", "Do the thing."]) assert.ok(prompt.includes(text));
    assert.deepEqual([report.omitted, report.hardFailed, report.noteInjected], [[], false, false]);
  }
});

test("a prompt that fits does not fail for a note that it does not need", () => {
  const texts = { instructions: "i".repeat(32), roadmap: "r".repeat(16), plans: { "plan.md": "p".repeat(40) } };
  const { prompt, report } = fitReview(texts, 44);
  assert.ok(prompt.length > 0);
  assert.deepEqual([report.effectiveBudget, report.estimatedTokens], [39, 32]);
  assert.deepEqual([report.hardFailed, report.omitted, report.noteInjected], [false, [], false]);
});

test("a prompt that fits is not trimmed for a note that it does not need", () => {
  const texts = {
    instructions: "i".repeat(120),
    roadmap: "r".repeat(40),
    plans: { "plan-a.md": "p".repeat(40) },
    context: "c".repeat(40),
    research: "x".repeat(40),
  };
  const { prompt, report } = fitReview(texts, 156);
  assert.equal(report.effectiveBudget, 140);
  assert.ok(report.estimatedTokens > 140 - 80);
  assert.ok(prompt.includes("## Context") && prompt.includes("## Research"));
  assert.deepEqual([report.hardFailed, report.omitted, report.noteInjected], [false, [], false]);
});
