import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentsOf, idsOf, scored } from "./drafts.fixture.js";
import { Outcome, Reason, TraceLevel } from "./model/payload.js";
import { STAGES } from "./stages.js";
import { isSelection, stageNumber, Trace } from "./trace.js";

const fragments = fragmentsOf(scored("a", 1, 1), scored("b", 1, 1), scored("c", 1, 1));
const [a, b, c] = fragments as [(typeof fragments)[0], (typeof fragments)[0], (typeof fragments)[0]];

function decided(): Trace {
  const trace = new Trace(fragments);
  trace.decide(b, "packer", Reason.OVER_BUDGET);
  trace.decide(a, "packer", Reason.CHOSEN);
  trace.decide(c, "packer", Reason.REQUIRED, a);
  return trace;
}

test("stages are numbered from 1 in running order", () => {
  assert.deepEqual(STAGES.map(stageNumber), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test("chosen, pinned and required fragments are selected, all others dropped", () => {
  const selections = Object.entries(Reason).filter(([, reason]) => isSelection(reason));
  assert.deepEqual(
    selections.map(([name]) => name),
    ["CHOSEN", "PINNED", "REQUIRED"],
  );
});

test("decisions stand in input order", () => {
  const decisions = [...decided().decisions(TraceLevel.FULL)];
  assert.deepEqual(idsOf(decisions), ["a", "b", "c"]);
  assert.deepEqual(
    decisions.map(({ inputIndex, outcome }) => [inputIndex, outcome]),
    [
      [0, Outcome.SELECTED],
      [1, Outcome.DROPPED],
      [2, Outcome.SELECTED],
    ],
  );
});

test("a level shows all decisions, the dropped ones, or none", () => {
  assert.equal(decided().decisions(TraceLevel.FULL).length, 3);
  assert.deepEqual(idsOf([...decided().decisions(TraceLevel.DROPPED)]), ["b"]);
  assert.deepEqual([...decided().decisions(TraceLevel.NONE)], []);
});

test("a decision names its stage, its reason and the fragment that it is about", () => {
  const decision = [...decided().decisions(TraceLevel.FULL)][2]!;
  assert.equal(decision.stage, 7);
  assert.equal(decision.reason, Reason.REQUIRED);
  assert.equal(decision.relatedFragmentId, "a");
});

test("what is not known is absent and not 0", () => {
  const { tokensMissing, tokensMissingExact, rank, score, detail } = [...decided().decisions(TraceLevel.FULL)][1]!;
  assert.deepEqual(
    [tokensMissing, tokensMissingExact, rank, score, detail],
    [undefined, false, undefined, undefined, ""],
  );
});

test("a fragment has the rank of the first nomination that holds it", () => {
  const trace = decided();
  trace.setRanks(Uint32Array.of(1, 0));
  trace.setRanks(Uint32Array.of(2, 1));
  assert.deepEqual(
    [...trace.decisions(TraceLevel.FULL)].map(({ rank }) => rank),
    [1, 0, 0],
  );
});

test("a score and a rank of 0 are shown", () => {
  const trace = decided();
  trace.scores = Float64Array.of(0, -1, 0.5);
  assert.deepEqual(
    [...trace.decisions(TraceLevel.FULL)].map(({ score }) => score),
    [0, undefined, 0.5],
  );
});

test("missing tokens are exact or said to be an estimate", () => {
  const trace = decided();
  for (const i of [1, 2]) trace.decideAt(i, 7, Reason.OVER_BUDGET);
  // What is not over budget lacks nothing.
  trace.setMissing(Float64Array.of(5, 15, 45), new Set([2]));
  assert.deepEqual(
    [...trace.decisions(TraceLevel.FULL)].map(({ tokensMissing, tokensMissingExact }) => [
      tokensMissing,
      tokensMissingExact,
    ]),
    [
      [undefined, false],
      [15, true],
      [45, false],
    ],
  );
});

test("a later stage overrides an earlier one", () => {
  const trace = decided();
  trace.decide(a, "packer", Reason.PINNED);
  assert.equal([...trace.decisions(TraceLevel.FULL)][0]!.reason, Reason.PINNED);
  assert.equal(trace.isDecided(a), true);
  assert.equal(new Trace(fragments).isDecided(a), false);
});
