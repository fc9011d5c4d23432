import assert from "node:assert/strict";
import { test } from "node:test";
import { ContextError, type Violation } from "../errors.js";
import { headLinesPolicy, promptDraft, reviewSections, section, shortenPolicy, withPolicy } from "./prompt.fixture.js";
import { type PromptDraft, readPrompt } from "./read-prompt.js";
import type { SectionDraft } from "./read-section.js";

const limits = { maxContentCharacters: 1_000 };

function faultsOf(sections: readonly SectionDraft[], fields: Partial<PromptDraft> = {}): readonly Violation[] {
  try {
    readPrompt(promptDraft(sections, fields), limits);
  } catch (error) {
    assert.ok(error instanceof ContextError && error.reason === "INVALID_REQUEST", String(error));
    return error.violations;
  }
  return [];
}

const fieldsOf = (violations: readonly Violation[]): string[] => violations.map(({ field }) => field);

test("what is absent has its default", () => {
  const request = readPrompt(promptDraft(reviewSections({ plans: { a: "p" } }), { layout: "" }), limits);
  assert.deepEqual([request.marginPercent, request.noteAfter], [10, "instructions"]);
  assert.deepEqual(request.sections, [
    {
      name: "plans",
      title: "Plans",
      parts: [{ label: "a", content: "p" }],
      policy: { kind: "shorten", floorCharacters: 1_024 },
    },
  ]);
});

test("a review prints and is trimmed in its own order, whatever the order of the request", () => {
  const names = ["requirements", "plans", "project", "instructions", "research", "roadmap", "context"];
  const { sections, trimOrder } = readPrompt(
    promptDraft(
      names.map((name) => section(name, name)),
      { layout: "review" },
    ),
    limits,
  );
  assert.deepEqual(
    sections.map(({ name, title }) => [name, title]),
    [
      ["instructions", ""],
      ["roadmap", "Roadmap"],
      ["project", "Project"],
      ["plans", "Plans"],
      ["context", "Context"],
      ["research", "Research"],
      ["requirements", "Requirements"],
    ],
  );
  assert.deepEqual(
    trimOrder.map(({ name }) => name),
    ["project", "plans", "context", "research", "requirements", "roadmap", "instructions"],
  );
});

test("every fault is named at once, with its path", () => {
  const sections: SectionDraft[] = [
    section("a", "x".repeat(1_001)),
    { name: "a", title: "two\nlines", parts: [{ label: "\r", content: "" }] },
    { ...section(""), policy: {} },
    withPolicy(section("d"), headLinesPolicy(0)),
    withPolicy(section("n".repeat(129)), shortenPolicy(-1)),
  ];
  const fields = { budget: 0, marginPercent: 101, noteTemplate: " ", trimOrder: ["d", "e", "d"], layout: "wide" };
  assert.deepEqual(fieldsOf(faultsOf(sections, fields)), [
    "layout",
    "sections[0].parts[0].content",
    "sections[1].title",
    "sections[1].parts[0].label",
    "sections[2].name",
    "sections[2].policy",
    "sections[3].policy.head_lines.lines",
    "sections[4].name",
    "sections[4].policy.shorten.floor_characters",
    "sections[1].name",
    "budget",
    "margin_percent",
    "note_template",
    "trim_order[1]",
    "trim_order[2]",
  ]);
});

test("a fault says what came and what is allowed", () => {
  const [layout] = faultsOf([], { layout: "wide" });
  assert.equal(layout?.description, 'is "wide"; allowed are review, plain');
  const [name] = faultsOf([section("notes")], { layout: "review" });
  assert.equal(name?.field, "sections[0].name");
  assert.match(name?.description ?? "", /^is "notes"; this layout has instructions, roadmap, project, plans, context/);
  const [budget] = faultsOf([], { budget: -5 });
  assert.equal(budget?.description, "is -5; allowed are whole numbers from 1 to 2147483647");
  const [twice] = faultsOf([section("a"), section("b"), section("a")]);
  assert.equal(twice?.description, 'is "a", as sections[0] is; names are unique');
});

test("margins from nothing to all are allowed", () => {
  for (const marginPercent of [0, 100]) assert.deepEqual(faultsOf([], { marginPercent }), []);
  for (const marginPercent of [-1, 101])
    assert.deepEqual(fieldsOf(faultsOf([], { marginPercent })), ["margin_percent"]);
});

test("sizes are limited", () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => section(`s${i}`));
  assert.deepEqual(faultsOf(many(256)), []);
  assert.equal(faultsOf(many(257))[0]?.description, "has 257 entries; at most 256 are allowed");
  const parts = section("s", ...Array.from({ length: 10_001 }, () => ""));
  assert.equal(faultsOf([parts])[0]?.description, "has 10001 parts; at most 10000 are allowed");
  const long = section("s", ...Array.from({ length: 17 }, () => "x".repeat(1_000_000)));
  assert.deepEqual(faultsOf([long])[0], {
    field: "sections",
    description: "has 17000000 characters; at most 16000000 are allowed",
  });
  assert.deepEqual(fieldsOf(faultsOf([{ ...section("s"), title: "t".repeat(257) }])), ["sections[0].title"]);
  assert.deepEqual(fieldsOf(faultsOf([], { noteTemplate: "n".repeat(1_001) })), ["note_template"]);
});

test("characters of names and contents are code points", () => {
  assert.deepEqual(faultsOf([section("😀".repeat(128), "😀".repeat(1_000))]), []);
});
