/**
 * Expressions that mean harm. Each is answered, by a fault or by a harmless value, within the time that an expression has; meanwhile the
 * process goes on. Bounds are wide, for the tests of other files run on the same processors.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fragmentDraft, fragmentsOf, NOON } from "../core/drafts.fixture.js";
import type { Fragment } from "../core/index.js";
import { createExpressions, type ExpressionEngine } from "./expressions.js";

const never = new AbortController().signal;
const [plain] = fragmentsOf(fragmentDraft({ relevanceScore: 0.25 }));
const MANY_IDS = Array.from({ length: 1_000 }, (_, i) => `fragment-${i}`);
const long: Fragment = { ...plain!, content: `${"a".repeat(1_000_000)}!`, requires: MANY_IDS };

const over = (...fragments: Fragment[]) => ({ fragments, query: "", asOf: NOON });
const times = (count: number, fragment: Fragment) => Array<Fragment>(count).fill(fragment);

/** What each takes without a limit: from seconds to longer than anybody waits. */
const ENDLESS: [name: string, score: string, fragments: Fragment[]][] = [
  ["a pattern that goes back and forth", 'fragment.content.matches("(a+)+$") ? 1 : 0', times(20, long)],
  ["a pattern of many parts", `fragment.content.matches("${"(a?){1000}".repeat(30)}b") ? 1 : 0`, [long]],
  ["a macro in a macro", "fragment.requires.all(a, fragment.requires.all(b, a + b != '')) ? 1 : 0", times(100, long)],
  [
    "lists that double, one macro after the other",
    `[fragment.requires]${".map(x, x + x)".repeat(60)}[0].all(x, x != "") ? 1 : 0`,
    [long],
  ],
  ["a list for every pair", "size(fragment.requires.map(a, fragment.requires.map(b, a + b)))", times(100, long)],
  [
    "lists of 900 numbers, each with each",
    `${list(900)}.all(x, ${list(900)}.all(y, x < y + 2)) ? 1 : 0`,
    times(99, long),
  ],
  ["a list of 2,000 numbers for each fragment", `size(${list(2_000)})`, times(10_000, plain!)],
  ["a search for nearly everything", `${searches(40)} ? 1 : 0`, times(10, long)],
];

/** What ends by itself, as a fault or a value. */
const BOUNDED: [name: string, score: string, answer: RegExp][] = [
  ["brackets 2,000 deep", `${"(".repeat(2_000)}1${")".repeat(2_000)}`, /^at 1:33: brackets stand more than 32 deep$/],
  ["1,024 open brackets, over which the parser takes seconds", `${"(".repeat(1_024)}1`, /^at 1:33: brackets stand/],
  ["32 open brackets", `${"(".repeat(32)}1`, /^at 1:32: \( is never closed$/],
  ["a fault 32 brackets deep", `${"(".repeat(32)}1 1${")".repeat(32)}`, /^at 1:35: found 1 but expecting/],
  ["macros three deep", "[1].all(a, [a].all(b, [b].all(c, c > 0))) ? 1 : 0", /^at 1:27: macros stand more than 2 deep/],
  [
    "a text that doubles",
    `size([fragment.content]${".map(x, x + x)".repeat(40)}[0])`,
    /a text of more than 2100000 characters$/,
  ],
  [
    "a pattern of a million repetitions",
    'fragment.content.matches("((a{1,99}){1,99}){1,99}") ? 1 : 0',
    /^at 1:26: no pattern/,
  ],
  ["a text that never ends", '"""'.repeat(1_365), /^at 1:/],
  ["a number of 4,000 digits", `${"9".repeat(4_000)} - 1`, /^at 1:4002: int overflow/],
];

function searches(count: number): string {
  const search = (i: number) =>
    `(fragment.content + fragment.content).contains("${"b".repeat(i + 1)}" + fragment.content)`;
  return Array.from({ length: count }, (_, i) => search(i)).join(" || ");
}

function list(length: number): string {
  return `[${"1,".repeat(length - 1)}1]`;
}

describe("a hostile expression", () => {
  let expressions: ExpressionEngine;
  let patient: ExpressionEngine;
  before(() => {
    // So little time that no machine is too fast for what takes a tenth of a second or more.
    expressions = createExpressions({ timeMs: 20 });
    patient = createExpressions({ timeMs: 20_000, workers: 1 });
  });
  after(async () => {
    await expressions.close();
    await patient.close();
  });

  for (const [name, score, fragments] of ENDLESS) {
    test(`${name} is ended`, async () => {
      await expressions.start();
      const { fault } = await expressions.evaluate({ score }, over(...fragments), never);
      assert.match(fault?.description ?? "no fault", /^takes more than the 20 milliseconds that an expression has/);
    });
  }

  for (const [name, score, answer] of BOUNDED) {
    test(`${name}: ${answer.source}`, async () => {
      const { fault } = await patient.evaluate({ score }, over(long), never);
      assert.match(fault?.description ?? "no fault", answer);
    });
  }
});

test("while one runs, the process goes on, and others are answered", async () => {
  const expressions = createExpressions({ timeMs: 2_000, workers: 2 });
  await expressions.start();
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  const [, score, fragments] = ENDLESS[2]!;
  const order: string[] = [];
  const hostile = expressions.evaluate({ score }, over(...fragments), never).then(({ fault }) => {
    order.push(fault === undefined ? "evaluated" : "ended");
  });
  const good = expressions.evaluate({ score: "fragment.relevance_score" }, over(plain!), never).then((found) => {
    order.push(found.fault === undefined ? `answered ${found.scores}` : found.fault.description);
  });
  await Promise.all([hostile, good]);
  clearInterval(timer);
  await expressions.close();
  assert.deepEqual(order, ["answered 0.25", "ended"]);
  assert.ok(turns > 3, `${turns} turns of the event loop`);
});

test("after as many as there are threads, the next is answered by new ones", async () => {
  const expressions = createExpressions({ timeMs: 1_000, workers: 2 });
  const [, score, fragments] = ENDLESS[2]!;
  const pair = { score };
  const found = await Promise.all(times(4, plain!).map(() => expressions.evaluate(pair, over(...fragments), never)));
  assert.ok(found.every(({ fault }) => fault !== undefined));
  const next = await expressions.evaluate({ score: "fragment.relevance_score" }, over(plain!), never);
  await expressions.close();
  assert.deepEqual(next, { nominated: undefined, scores: Float64Array.of(0.25) });
});

test("one that eats memory ends its thread, not the process", async () => {
  const expressions = createExpressions({ timeMs: 60_000, workers: 1 });
  const score = 'fragment.requires.map(id, fragment.content + id).filter(text, text.contains("none")).size()';
  const { fault } = await expressions.evaluate({ score }, over({ ...long, content: long.content.repeat(2) }), never);
  const next = await expressions.evaluate({ score: "1" }, over(plain!), never);
  await expressions.close();
  assert.equal(fault?.description, "takes more than the 256 MiB of memory that an expression has for all fragments");
  assert.equal(next.fault, undefined);
});
