/** The edges: of the budget, of the note's reserve, of the floor, of a line and of a character. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fitReview, linesOf, textUnder } from "./prompt.fixture.js";
import { estimateTokens } from "./size.js";

const untrimmed = { marginPercent: 0 };

/** Instructions and a context that together render to so many characters. */
function textsOf(characters: number, instructionCharacters = 4) {
  const between = "\n\n## Context\n\n".length;
  return {
    instructions: "i".repeat(instructionCharacters),
    context: "c".repeat(characters - instructionCharacters - between),
  };
}

test("a prompt exactly at its effective budget, and one under, is whole; one over is trimmed", () => {
  for (const [characters, tokens] of [
    [4_000, 1_000],
    [3_997, 1_000],
    [3_996, 999],
  ] as const) {
    const { prompt, report } = fitReview(textsOf(characters), 1_000, untrimmed);
    assert.equal(prompt.length, characters);
    assert.deepEqual([report.estimatedTokens, report.noteInjected], [tokens, false]);
  }
  const { report } = fitReview(textsOf(4_001), 1_000, untrimmed);
  assert.deepEqual([report.omitted, report.noteInjected, report.hardFailed], [["context"], true, false]);
});

test("within the note's reserve nothing is trimmed, at any size", () => {
  for (let tokens = 1_000 - 80; tokens <= 1_000; tokens++) {
    for (const characters of [tokens * 4 - 3, tokens * 4]) {
      const { prompt, report } = fitReview(textsOf(characters), 1_000, untrimmed);
      assert.deepEqual([prompt.length, report.estimatedTokens, report.noteInjected], [characters, tokens, false]);
    }
  }
});

test("what is left within the note's reserve fits, unless the note takes it over the budget", () => {
  const pressure = { context: "c".repeat(8_000) };
  for (let tokens = 1_000 - 80; tokens <= 1_000; tokens++) {
    const { prompt, report } = fitReview({ ...pressure, instructions: "i".repeat(tokens * 4) }, 1_000, untrimmed);
    const note = estimateTokens("\n\nNote: this prompt was cut to fit its token budget: context left out.");
    assert.equal(report.estimatedTokens, tokens + note);
    assert.deepEqual([report.omitted, report.noteInjected], [["context"], true]);
    assert.equal(report.hardFailed, tokens + note > 1_000);
    assert.equal(report.failedLimit, tokens + note > 1_000 ? "rendered" : "");
    assert.equal(prompt === "", report.hardFailed);
  }
});

test("the minimum set may fill the effective budget and no more", () => {
  const context = "c".repeat(4_000);
  const at = fitReview({ instructions: "i".repeat(4_000), context }, 1_000, untrimmed);
  assert.equal(at.report.failedLimit, "rendered");
  const over = fitReview({ instructions: "i".repeat(4_001), context }, 1_000, untrimmed);
  assert.deepEqual([over.report.failedLimit, over.report.estimatedTokens], ["minimum", 1_001]);
});

test("a hard fail of the rendered prompt keeps the figures of what was tried", () => {
  const texts = { project: linesOf(41, 10), plans: { a: "p".repeat(3_000), b: "q".repeat(5_000) }, context: "c" };
  const { prompt, report } = fitReview(texts, 515, untrimmed);
  assert.equal(prompt, "");
  assert.deepEqual([report.hardFailed, report.failedLimit, report.noteInjected], [true, "rendered", true]);
  assert.deepEqual([report.omitted, report.projectShrunk], [["context"], true]);
  assert.equal(report.planTruncationPercent, (100 * (8_000 - 2_048)) / 8_000);
  assert.ok(report.estimatedTokens > 515);
});

test("a margin that gives a half leaves the whole part", () => {
  for (const [budget, marginPercent, effective] of [
    [145, 10, 130],
    [45, 10, 40],
    [5, 10, 4],
    [1, 50, 0],
    [3, 50, 1],
    [10, 5, 9],
    [50, 1, 49],
    [2_147_483_647, 50, 1_073_741_823],
    [100, 0, 100],
    [100, 100, 0],
  ] as const) {
    assert.equal(fitReview({}, budget, { marginPercent }).report.effectiveBudget, effective);
  }
  // 9.5 leaves 9 tokens: the tenth is one too many.
  assert.equal(fitReview({ instructions: "i".repeat(36) }, 10, { marginPercent: 5 }).report.hardFailed, false);
  assert.equal(fitReview({ instructions: "i".repeat(37) }, 10, { marginPercent: 5 }).report.estimatedTokens, 10);
});

test("a plan of 1024 characters stays whole whatever goes around it", () => {
  const plan = "p".repeat(1_024);
  const { prompt, report } = fitReview({ plans: { "a.md": plan }, context: "c".repeat(4_000) }, 400, untrimmed);
  assert.equal(textUnder(prompt, "### a.md"), plan);
  assert.deepEqual([report.omitted, report.planTruncationPercent], [["context"], 0]);
});

test("a plan of 1025 characters may lose one", () => {
  const { prompt, report } = fitReview(
    { plans: { "a.md": "p".repeat(1_025) }, context: "c".repeat(4_000) },
    341,
    untrimmed,
  );
  assert.equal(textUnder(prompt, "### a.md").length, 1_024);
  assert.equal(report.planTruncationPercent, 100 / 1_025);
});

test("four plans at the floor keep 1024 characters each, and the sections after them go", () => {
  const plans = Object.fromEntries(["a", "b", "c", "d"].map((name) => [`${name}.md`, name.repeat(5_000)]));
  const { prompt, report } = fitReview({ plans, context: "x".repeat(100) }, 1_100, untrimmed);
  for (const name of ["a", "b", "c", "d"]) assert.equal(textUnder(prompt, `### ${name}.md`), name.repeat(1_024));
  assert.deepEqual([report.omitted, report.hardFailed], [["context"], false]);
  const failed = fitReview({ plans }, 1_023, untrimmed);
  assert.deepEqual([failed.report.failedLimit, failed.report.estimatedTokens], ["minimum", 1_024]);
});

test("the long plan gives way for the short one, and nothing is dropped", () => {
  const plans = { "short.md": "s".repeat(1_100), "long.md": "l".repeat(9_000) };
  for (const context of ["c".repeat(400), "c".repeat(1_600)]) {
    const { prompt, report } = fitReview({ plans, context }, 1_400);
    assert.deepEqual([report.omitted, report.hardFailed], [[], false]);
    assert.equal(textUnder(prompt, "### short.md").length, 1_024);
    assert.equal(textUnder(prompt, "## Context"), context);
    const withoutNote = prompt.replace(/^Note:.*\n\n/, "");
    assert.equal(withoutNote.length, (1_260 - 80) * 4, "all the room is used");
  }
});

test("room that a dropped section leaves goes back to the plans", () => {
  const texts = { plans: { "a.md": "p".repeat(3_000) }, context: "c".repeat(4_000) };
  const { prompt, report } = fitReview(texts, 900, untrimmed);
  assert.equal(textUnder(prompt, "### a.md").length, 3_000);
  assert.deepEqual([report.omitted, report.planTruncationPercent], [["context"], 0]);
  assert.ok(!prompt.includes("shortened"));
});

test("empty sections are passed over under pressure", () => {
  const texts = {
    instructions: "i".repeat(40),
    project: "",
    context: "",
    research: "r".repeat(4_000),
    requirements: "",
  };
  const { prompt, report } = fitReview({ ...texts, plans: { "a.md": "" } }, 200, untrimmed);
  assert.deepEqual([report.omitted, report.projectShrunk, report.planTruncationPercent], [["research"], false, 0]);
  assert.doesNotMatch(prompt, /#/);
});

test("a project of forty lines is not cut, with a break at its end or without", () => {
  const research = "r".repeat(8_000);
  for (const project of [linesOf(40, 9), `${linesOf(40, 9)}\n`, linesOf(40, 9, "\r\n")]) {
    const { prompt, report } = fitReview({ project, research }, 600, untrimmed);
    assert.deepEqual([report.projectShrunk, report.omitted], [false, ["research"]]);
    assert.ok(prompt.includes(`## Project\n\n${project}`));
  }
});

test("carriage returns count, and a cut leaves none behind", () => {
  const project = linesOf(41, 98, "\r\n");
  assert.equal(project.length, 41 * 100 - 2);
  const whole = fitReview({ project }, 1_028, untrimmed);
  assert.equal(whole.prompt, `## Project\n\n${project}`);
  assert.equal(fitReview({ project }, 1_027, untrimmed).report.projectShrunk, true);
  const cut = fitReview({ project: linesOf(200, 98, "\r\n") }, 1_200, untrimmed);
  assert.equal(textUnder(cut.prompt, "## Project"), linesOf(40, 98, "\r\n"));
});

test("no cut ends inside a character", () => {
  const research = "r".repeat(8_000);
  for (const lead of ["", "a"]) {
    const plan = lead + "😀".repeat(3_000);
    for (const budget of [700, 701, 1_000, 1_001, 1_002, 1_003]) {
      const { prompt } = fitReview({ plans: { "a.md": plan, "b.md": plan }, research }, budget, untrimmed);
      assert.ok(prompt !== "" && prompt.isWellFormed());
    }
    const floor = fitReview({ plans: { "a.md": plan }, research }, 341, untrimmed);
    assert.equal(textUnder(floor.prompt, "### a.md").length, lead === "" ? 1_024 : 1_023);
    const failed = fitReview({ plans: { "a.md": plan } }, 250, untrimmed);
    assert.equal(failed.report.estimatedTokens, 256);
  }
});
