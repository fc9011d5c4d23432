import type { Fragment } from "../../../model/fragment.js";
import { compareTotal } from "../../../order/total-order.js";
import type { Slices } from "../../../run-in-slices.js";
import type { PackingInput } from "../../packing.js";
import type { Candidates, Turn } from "../candidates.js";
import type { Ledger } from "../fill.js";
import { choiceEnters, fillTurns, openWithFloors } from "../fill-by-turns.js";
import { type Compared, createLikeness, type Likeness } from "./likeness.js";
import type { Steps } from "./steps.js";
import { createTurnHeap } from "./turn-heap.js";

/** How a filling weighs scores against similarities, and how long it may compare. */
export interface Margin {
  readonly lambda: number;
  readonly steps: Steps;
}

/** A filling, and the turns in the order in which they came. */
export interface Filled {
  readonly ledger: Ledger;
  readonly order: readonly Turn[];
}

/** Values are compared to twelve decimals, as scores are. */
const VALUE_UNITS = 1e12;

/**
 * Fills by the greatest margin. A value never rises as more comes in, so one that was computed earlier is a bound: only the turn with the
 * greatest is computed anew, and where it stays the greatest, it is the turn that a full comparison would have found. What is too large
 * now is so to the end, and is not compared.
 */
export function* fillByMargin(input: PackingInput, candidates: Candidates, margin: Margin): Slices<Filled> {
  const { turns, numbers } = candidates;
  const { lambda, steps } = margin;
  const ledger = yield* openWithFloors(input, candidates, { tokens: input.tokens });
  if (lambda === 1) {
    yield* fillTurns(ledger, candidates);
    return { ledger, order: turns };
  }
  const enters = choiceEnters(ledger, numbers);
  const likeness = yield* createLikeness(inTheRunning(input, numbers));
  yield;
  for (const fragment of input.fragments) if (ledger.chosenBy[fragment.inputIndex] !== 0) likeness.add(fragment);
  yield;
  const entered = followEntries(ledger);
  const similarities = new Float64Array(turns.length);
  const compared = new Uint32Array(turns.length);
  const valueAt = valuesBy(turns, lambda);
  const values = Float64Array.from(turns, (_, turn) => valueAt(turn, 0));
  yield;
  const heap = createTurnHeap(values, (a, b) => compareTurns(turns[a]!, turns[b]!) || a - b);
  const order: Turn[] = [];
  for (let top = heap.top(); top !== undefined; top = heap.top()) {
    yield;
    const turn = turns[top]!;
    const isKnown = compared[top] === likeness.count() || steps.left < 0;
    if (!isKnown && turn.choices.some(({ tokenCount }) => tokenCount <= ledger.tokens)) {
      const next = heap.secondKey();
      const place = top;
      const isEnough = (similarity: number): boolean => valueAt(place, similarity) < next;
      const since = yield* compareTurn(turn, input, { likeness, from: compared[top]!, steps, isEnough });
      similarities[top] = Math.max(similarities[top]!, since.greatest);
      compared[top] = since.until;
      values[top] = valueAt(top, similarities[top]!);
      heap.lowerTop();
      continue;
    }
    heap.removeTop();
    order.push(turn);
    const choice = turn.choices.find(enters);
    if (choice !== undefined) for (const fragment of entered(choice)) likeness.add(fragment);
  }
  return { ledger, order };
}

/** The value of a turn at a similarity, as a whole number. */
function valuesBy(turns: readonly Turn[], lambda: number): (turn: number, similarity: number) => number {
  // Scores that count as equal must give equal values.
  const scores = Float64Array.from(turns, ({ score }) => Math.round(score * VALUE_UNITS) / VALUE_UNITS);
  return (turn, similarity) => Math.round((lambda * scores[turn]! - (1 - lambda) * similarity) * VALUE_UNITS);
}

/** Everything that may come in, or is in: what was nominated or committed, and what that may require. */
function inTheRunning({ fragments, links, out, committed }: PackingInput, numbers: Uint8Array): Fragment[] {
  return fragments.filter((fragment) => {
    const i = fragment.inputIndex;
    return (out[i] === 0 && (numbers[i] !== 0 || links.any)) || (committed.size > 0 && committed.has(fragment));
  });
}

/** Turns of one score stand in the total order already. */
function compareTurns(a: Turn, b: Turn): number {
  return a.score === b.score ? 0 : compareTotal(a.choices[0]!, b.choices[0]!);
}

interface Comparison {
  readonly likeness: Likeness;
  readonly from: number;
  readonly steps: Steps;
  isEnough(similarity: number): boolean;
}

/** The greatest similarity of a member of the turn's unit: its group, or the variants of its key. */
function* compareTurn(turn: Turn, { links, out }: PackingInput, comparison: Comparison): Generator<void, Compared> {
  const { likeness, from, steps } = comparison;
  const [lead] = turn.choices;
  const members = turn.choices.length > 1 || !links.any ? turn.choices : links.groupOf(lead!);
  if (members.length === 1) return yield* likeness.compare(lead!, from, comparison);
  let greatest = 0;
  for (const member of members) {
    // A group with a member that is out does not enter.
    if (out[member.inputIndex] === 1) continue;
    // All members are compared with as many.
    const compared = yield* likeness.compare(member, from, { steps, isEnough: () => false });
    greatest = Math.max(greatest, compared.greatest);
  }
  return { greatest, until: likeness.count() };
}

/** Says what came in with a choice that has just entered: its group, and what was required. */
function followEntries({ chosenBy, required, input }: Ledger): (choice: Fragment) => Fragment[] {
  const isKnown = Uint8Array.from(chosenBy);
  // What is in already is known; a map's keys come in the order in which they were set, new ones last.
  const requirements = required.keys();
  let seen = 0;
  for (; seen < required.size; seen++) requirements.next();
  return (choice) => {
    const all = input.links.any ? [...input.links.groupOf(choice)] : [choice];
    for (; seen < required.size; seen++) all.push(requirements.next().value!);
    const entered = all.filter(({ inputIndex: i }) => chosenBy[i] !== 0 && isKnown[i] === 0);
    for (const { inputIndex } of entered) isKnown[inputIndex] = 1;
    return entered;
  };
}
