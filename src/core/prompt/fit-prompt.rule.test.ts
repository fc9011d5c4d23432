/** The rules of the layout `review` once more, word by word and step by step, as slowly as they are told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fitReview, type ReviewTexts } from "./prompt.fixture.js";

type Texts = Required<ReviewTexts>;

const tokens = (text: string): number => Math.ceil(text.length / 4);
const cut = (text: string, units: number): string => text.slice(0, units).replace(/[\ud800-\udbff]$/, "");

function rendered(texts: Texts, note = ""): string {
  const plans = Object.entries(texts.plans).filter(([, plan]) => plan !== "");
  const titled = (title: string, text: string): string[] => (text === "" ? [] : [`## ${title}`, text]);
  const pieces = [
    texts.instructions,
    note,
    ...titled("Roadmap", texts.roadmap),
    ...titled("Project", texts.project),
    ...(plans.length === 0 ? [] : ["## Plans"]),
    ...plans.flatMap(([name, plan]) => [`### ${name}`, plan]),
    ...titled("Context", texts.context),
    ...titled("Research", texts.research),
    ...titled("Requirements", texts.requirements),
  ];
  return pieces.filter((piece) => piece !== "").join("\n\n");
}

function headOf(project: string): string {
  const lines = project.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.length <= 40
    ? project
    : lines
        .slice(0, 40)
        .join("")
        .replace(/\r?\n$/, "");
}

/** The plans in proportion, those below 1024 characters held there, until none is. */
function shortened(texts: Texts, originals: Texts["plans"], limit: number): Texts["plans"] {
  const whole = rendered({ ...texts, plans: originals });
  if (tokens(whole) <= limit) return originals;
  const names = Object.keys(originals).filter((name) => originals[name] !== "");
  const characters = (list: readonly string[]): number => list.reduce((sum, name) => sum + originals[name]!.length, 0);
  let free = names;
  let room = limit * 4 - (whole.length - characters(names));
  for (;;) {
    const total = characters(free);
    const low = free.filter((name) => Math.floor((room * originals[name]!.length) / total) < 1_024);
    if (low.length === 0) break;
    free = free.filter((name) => !low.includes(name));
    for (const name of low) room -= Math.min(1_024, originals[name]!.length);
  }
  const total = characters(free);
  return Object.fromEntries(
    Object.entries(originals).map(([name, plan]) => {
      return [name, cut(plan, free.includes(name) ? Math.floor((room * plan.length) / total) : 1_024)];
    }),
  );
}

function minimumOf({ instructions, roadmap, plans }: Texts): number {
  const texts = [instructions, roadmap, ...Object.values(plans).map((plan) => cut(plan, 1_024))];
  return texts.reduce((sum, text) => sum + tokens(text), 0);
}

function byRule(given: Texts, budget: number) {
  const effective = Math.floor((budget * 90) / 100);
  if (tokens(rendered(given)) <= effective) return { prompt: rendered(given), omitted: [], failed: "", estimate: -1 };
  const least = minimumOf(given);
  if (least > effective) return { prompt: "", omitted: [], failed: "minimum", estimate: least };
  const limit = effective - 80;
  const omitted: string[] = [];
  let texts: Texts = given;
  const over = (): boolean => tokens(rendered(texts)) > limit;
  if (over()) texts = { ...texts, project: headOf(texts.project) };
  if (over()) texts = { ...texts, plans: shortened(texts, given.plans, limit) };
  for (const name of ["context", "research", "requirements"] as const) {
    if (!over()) break;
    if (texts[name] === "") continue;
    texts = { ...texts, [name]: "" };
    omitted.push(name);
    texts = { ...texts, plans: shortened(texts, given.plans, limit) };
  }
  const cuts = [
    texts.project === given.project ? "" : "project cut to 40 lines",
    Object.entries(texts.plans).every(([name, plan]) => plan === given.plans[name]) ? "" : "plans shortened",
    ...omitted.map((name) => `${name} left out`),
  ].filter((each) => each !== "");
  const note = `Note: this prompt was cut to fit its token budget: ${cuts.join(", ")}.`;
  const prompt = rendered(texts, cuts.length > 0 ? note : "");
  const failed = tokens(prompt) > effective ? "rendered" : "";
  return { prompt: failed === "" ? prompt : "", omitted, failed, estimate: tokens(prompt) };
}

const text = (most: number) =>
  fc
    .tuple(
      fc.oneof(fc.constant(0), fc.nat(most), fc.integer({ min: 1_000, max: 1_050 })),
      fc.constantFrom("a", "😀", "-😀", "line\n", "line\r\n"),
    )
    .map(([units, filling]) => cut(filling.repeat(Math.ceil(units / filling.length)), units));
const texts: fc.Arbitrary<Texts> = fc.record({
  instructions: text(1_500),
  roadmap: text(300),
  project: text(3_000),
  plans: fc
    .array(text(6_000), { maxLength: 4 })
    .map((plans) => Object.fromEntries(plans.map((plan, i) => [`plan-${"abcd"[i]}.md`, plan]))),
  context: text(2_000),
  research: text(2_000),
  requirements: text(2_000),
});
/** Budgets from under the least to over the whole of a prompt, in thousandths of the way. */
const place = fc.integer({ min: -100, max: 1_100 });

test("every prompt is what the rules say, step by step", () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(texts, place, (given, thousandths) => {
      const least = minimumOf(given);
      const effective = least + ((tokens(rendered(given)) - least) * thousandths) / 1_000;
      const budget = Math.max(1, Math.round(effective / 0.9));
      const expected = byRule(given, budget);
      const { prompt, report } = fitReview(given, budget);
      assert.deepEqual(
        [prompt, report.omitted, report.failedLimit],
        [expected.prompt, expected.omitted, expected.failed],
      );
      if (expected.estimate >= 0) assert.equal(report.estimatedTokens, expected.estimate);
      const outcome = `${report.failedLimit}${report.omitted.length}${report.noteInjected ? "cut" : "whole"}`;
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }),
    { seed: 7, numRuns: 4_000 },
  );
  // Each end of the ladder is reached often enough for the comparison to mean something.
  for (const outcome of ["0whole", "minimum0whole", "0cut", "1cut", "2cut", "3cut", "rendered3cut"]) {
    assert.ok((seen.get(outcome) ?? 0) >= 50, `${outcome}: ${seen.get(outcome)}`);
  }
});
