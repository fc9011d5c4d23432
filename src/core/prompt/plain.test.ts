/** Beyond the layout for reviews: any sections, each with a policy, trimmed in any order by the same rules. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DROP,
  fitPlain,
  headLinesPolicy,
  KEEP,
  linesOf,
  section,
  shortenPolicy,
  withPolicy,
} from "./prompt.fixture.js";
import { estimateTokens } from "./size.js";

const tight = { marginPercent: 0 };
const droppable = (name: string, characters = 400) => withPolicy(section(name, name[0]!.repeat(characters)), DROP);

test("sections print as they are given, with the headings that they have", () => {
  const sections = [
    { name: "b", title: "Second", parts: [{ label: "x.md", content: "one" }] },
    { name: "empty", title: "Empty", parts: [{ label: "y.md", content: "" }] },
    {
      name: "a",
      title: "",
      parts: [
        { label: "", content: "two" },
        { label: "z.md", content: "three" },
      ],
    },
  ];
  const { prompt, report } = fitPlain(sections, 100);
  assert.equal(prompt, "## Second\n\n### x.md\n\none\n\ntwo\n\n### z.md\n\nthree");
  assert.equal(report.estimatedTokens, estimateTokens(prompt));
});

test("no sections make an empty prompt", () => {
  const { prompt, report } = fitPlain([], 1);
  assert.deepEqual([prompt, report.estimatedTokens, report.hardFailed], ["", 0, false]);
});

test("the last section is trimmed first, and the note comes first", () => {
  const { prompt, report } = fitPlain([droppable("a"), droppable("b"), droppable("c")], 290, tight);
  assert.deepEqual(report.omitted, ["c"]);
  assert.equal(prompt.split("\n\n")[0], "Note: this prompt was cut to fit its token budget: c left out.");
});

test("a request may name what is trimmed first; the rest follows in the usual order", () => {
  const sections = [droppable("a"), droppable("b"), droppable("c")];
  assert.deepEqual(fitPlain(sections, 200, { ...tight, trimOrder: ["b"] }).report.omitted, ["b", "c"]);
  assert.deepEqual(fitPlain(sections, 290, { ...tight, trimOrder: ["b"] }).report.omitted, ["b"]);
});

test("a section without a policy is kept", () => {
  const { report } = fitPlain([section("a", "a".repeat(400))], 99, tight);
  assert.deepEqual([report.hardFailed, report.failedLimit, report.estimatedTokens], [true, "minimum", 100]);
});

test("headings alone may take a kept prompt over the budget", () => {
  const titled = { ...withPolicy(section("a", "a".repeat(396)), KEEP), title: "A title" };
  const { report } = fitPlain([titled], 100, tight);
  assert.deepEqual([report.hardFailed, report.failedLimit, report.estimatedTokens], [true, "rendered", 102]);
  assert.equal(report.noteInjected, false);
});

test("pieces that fit together do not fail for being rounded up one by one", () => {
  const { prompt, report } = fitPlain([section("a", ..."12345".split(""))], 4, tight);
  assert.deepEqual([prompt, report.estimatedTokens], ["1\n\n2\n\n3\n\n4\n\n5", 4]);
});

test("lines are counted through the parts of a section", () => {
  const sections = [
    withPolicy(section("log", linesOf(3, 9), linesOf(30, 9)), headLinesPolicy(5)),
    withPolicy(section("task", "t".repeat(40)), KEEP),
  ];
  const { prompt, report } = fitPlain(sections, 84, tight);
  assert.equal(report.projectShrunk, true);
  assert.ok(prompt.includes("log cut to 5 lines"));
  assert.ok(prompt.endsWith(`\n\n${linesOf(3, 9)}\n\n${linesOf(2, 9)}\n\n${"t".repeat(40)}`));
  assert.equal(fitPlain(sections, 83, tight).report.failedLimit, "");
});

test("a floor of nothing leaves the headings of its parts", () => {
  const parts = [
    { label: "a.md", content: "a".repeat(400) },
    { label: "b.md", content: "b".repeat(400) },
  ];
  const { prompt, report } = fitPlain([withPolicy({ ...section("docs"), parts }, shortenPolicy(0))], 84, tight);
  assert.equal(prompt.split("\n\n").slice(1).join("\n\n"), "### a.md\n\n### b.md");
  assert.equal(report.planTruncationPercent, 100);
});

test("of several sections that are shortened, the first in the order gives way first", () => {
  const sections = [
    withPolicy(section("a", "a".repeat(800)), shortenPolicy(100)),
    withPolicy(section("b", "b".repeat(800)), shortenPolicy(100)),
  ];
  const lengths = (budget: number) => {
    const { prompt } = fitPlain(sections, budget, tight);
    return ["a", "b"].map((letter) => new RegExp(`^${letter}+$`, "m").exec(prompt)![0].length);
  };
  assert.deepEqual(lengths(380), [800, 398]);
  assert.deepEqual(lengths(280), [698, 100]);
});

test("what is shortened before a later section is dropped gets its room back", () => {
  const docs = withPolicy(section("docs", "d".repeat(1_200)), shortenPolicy(400));
  const { prompt, report } = fitPlain([droppable("notes", 4_000), docs], 400, tight);
  assert.deepEqual([report.omitted, report.planTruncationPercent], [["notes"], 0]);
  assert.ok(prompt.endsWith("d".repeat(1_200)));
});

test("a policy of the request takes the place of the layout's", () => {
  const sections = [section("instructions", "i".repeat(400)), withPolicy(section("roadmap", "r".repeat(800)), DROP)];
  const { report } = fitPlain(sections, 200, { ...tight, layout: "review" });
  assert.deepEqual([report.omitted, report.hardFailed], [["roadmap"], false]);
});

test("as many sections and parts as are allowed are fitted", () => {
  const sections = Array.from({ length: 256 }, (_, i) => {
    const parts = Array.from({ length: 39 }, (_, j) => ({ label: `${j}`, content: "x".repeat(1_000 + j) }));
    const draft = { name: `s${i}`, title: "", parts };
    return withPolicy(draft, i < 200 ? shortenPolicy(500) : DROP);
  });
  const { report } = fitPlain(sections, 1_100_000, tight);
  assert.equal(report.omitted.length, 56);
});
