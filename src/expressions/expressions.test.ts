import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fragmentDraft, fragmentsOf, NOON } from "../core/drafts.fixture.js";
import type { FragmentDraft } from "../core/index.js";
import { createExpressions, type ExpressionEngine } from "./expressions.js";

const never = new AbortController().signal;

function inputOf(...drafts: Partial<FragmentDraft>[]) {
  return { fragments: fragmentsOf(...drafts.map(fragmentDraft)), query: "", asOf: NOON };
}

/** Not the limit that a server has: a machine that is busy with other tests may take long over a harmless expression. */
const PATIENT = { timeMs: 20_000, workers: 2 };

describe("expressions", () => {
  let expressions: ExpressionEngine;
  before(() => {
    expressions = createExpressions(PATIENT);
  });
  after(() => expressions.close());

  test("a filter says who is nominated, and a score is asked of those alone", async () => {
    const input = inputOf({ metadata: new Map([["rank", "3"]]) }, {}, { metadata: new Map([["rank", "2"]]) });
    const found = await expressions.evaluate(
      { where: "has(fragment.metadata.rank)", score: "double(fragment.metadata.rank)" },
      input,
      never,
    );
    assert.deepEqual(found, { nominated: Uint8Array.of(1, 0, 1), scores: Float64Array.of(3, 0, 2) });
  });

  test("an absent or empty expression takes no part", async () => {
    const input = inputOf({ relevanceScore: 0.25 });
    assert.deepEqual(await expressions.evaluate({ where: "", score: "fragment.relevance_score" }, input, never), {
      nominated: undefined,
      scores: Float64Array.of(0.25),
    });
    assert.deepEqual(await expressions.evaluate({ where: "fragment.pinned" }, input, never), {
      nominated: Uint8Array.of(0),
      scores: undefined,
    });
    assert.deepEqual(await expressions.evaluate({}, input, never), { nominated: undefined, scores: undefined });
  });

  test("both expressions see what either needs, the whole metadata too", async () => {
    const input = inputOf({ metadata: new Map([["a", "1"]]) }, { metadata: new Map([["b", "22"]]) });
    const pair = {
      where: "size(fragment.metadata) == 1",
      score: 'has(fragment.metadata.b) ? size(fragment.metadata["b"]) : 0',
    };
    const found = await expressions.evaluate(pair, input, never);
    assert.deepEqual(found, { nominated: Uint8Array.of(1, 1), scores: Float64Array.of(0, 2) });
  });

  test("no fragments are no trouble", async () => {
    assert.deepEqual(await expressions.evaluate({ score: "1" }, inputOf(), never), {
      nominated: undefined,
      scores: new Float64Array(),
    });
  });

  test("a check says what is wrong and where", async () => {
    assert.equal(await expressions.check("fragment.pinned", "boolean", never), undefined);
    const fault = await expressions.check("true &&\n fragment.pined", "boolean", never);
    assert.deepEqual(fault?.position, { line: 2, column: 11 });
    assert.match(fault.description, /^at 2:11: there is no field fragment\.pined; known are /);
  });

  test("the same source may be right for one use and wrong for another", async () => {
    assert.equal(await expressions.check("1", "number", never), undefined);
    assert.notEqual(await expressions.check("1", "boolean", never), undefined);
  });

  test("an expression is not blank, and has at most 4,096 characters", async () => {
    const of = (characters: number) => `"${"😀".repeat(characters - 6)}"==""`;
    assert.equal(await expressions.check(of(4_096), "boolean", never), undefined);
    assert.deepEqual(await expressions.check(of(4_097), "boolean", never), {
      description: "has 4097 characters; at most 4096 are allowed",
    });
    assert.deepEqual(await expressions.check(" \n", "boolean", never), {
      description: "is blank; an expression is needed",
    });
  });

  test("what fails for a fragment names its position, the part and the place", async () => {
    const input = inputOf({ metadata: new Map([["a", "1"]]) }, {});
    const found = await expressions.evaluate({ where: "true", score: "int(fragment.metadata.a)" }, input, never);
    assert.deepEqual(found, {
      part: "score",
      index: 1,
      fault: {
        description: 'at 1:23: there is no key "a"; has() and in ask whether there is',
        position: { line: 1, column: 23 },
      },
    });
  });

  test("what nobody checked is checked", async () => {
    const found = await expressions.evaluate({ where: "1 +", score: "1" }, inputOf({}), never);
    assert.ok(found.fault !== undefined && found.part === "where");
  });

  test("who has gone away is not answered", async () => {
    const gone = AbortSignal.abort(new Error("gone"));
    await assert.rejects(expressions.check("true", "boolean", gone), /gone/);
    const going = new AbortController();
    const found = expressions.evaluate({ score: "fragment.requires.size()" }, inputOf({}), going.signal);
    going.abort(new Error("gone meanwhile"));
    await assert.rejects(found, /gone meanwhile/);
    assert.ok("scores" in (await expressions.evaluate({ score: "1" }, inputOf({}), never)));
  });
});

test("what is closed takes no more, and fails what waits", async () => {
  const expressions = createExpressions({ workers: 1 });
  const waiting = expressions.check("true", "boolean", never);
  const failure = assert.rejects(waiting, /closed|ended/);
  await expressions.close();
  await failure;
  await assert.rejects(expressions.check("true", "boolean", never), /closed/);
});

test("threads do not keep a process alive, and waiting for one does", async () => {
  const code = `import { createExpressions } from ${JSON.stringify(new URL("./expressions.ts", import.meta.url).href)};
    const expressions = createExpressions(${JSON.stringify(PATIENT)});
    const found = await expressions.evaluate({ score: "1 + 1" }, { fragments: [{}], query: "", asOf: { seconds: 0, nanos: 0 } }, new AbortController().signal);
    console.log(found.scores[0]);`;
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const args = ["--import", "tsx", "--input-type=module", "--eval", code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 60_000 });
  assert.equal(stdout, "2\n");
});
