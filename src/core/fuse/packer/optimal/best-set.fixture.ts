/**
 * The best set by trying all of them, and what makes a set possible, both read from the fragments' own fields: nothing here is shared with
 * the packers, so that they do not agree because they err alike. Sets are bits of a number.
 */
import type { Fragment } from "../../../model/fragment.js";
import { compareTotal } from "../../../order/total-order.js";
import type { PackingInput } from "../../packing.js";
import type { Objective } from "./pool.js";

export interface Judge {
  /** The set of the greatest value, of equals with the fewest tokens, of equals with the earliest fragment in which they differ. */
  readonly best: number;
  /** Value of the best set, with what is committed. */
  readonly bestValue: number;
  readonly committed: number;
  /** True for a set that may stand beside what is committed, whatever its tokens. */
  isPossible(set: number): boolean;
  tokensOf(set: number): number;
  /** Without what is committed. */
  valueOf(set: number): number;
}

const bit = (i: number): number => 1 << i;
const has = (set: number, i: number): boolean => ((set >>> i) & 1) === 1;

function keyOf({ variantKey, groupId, role, ukoNode, provenance }: Fragment): string | undefined {
  if (variantKey !== "") return `given ${groupId} ${variantKey}`;
  return role !== 0 || groupId !== "" ? undefined : `node ${ukoNode} ${provenance.location}`;
}

function deeperFirst(a: Fragment, b: Fragment): number {
  return b.detailDepth - a.detailDepth || b.relevanceScore - a.relevanceScore || compareTotal(a, b);
}

/** Tries every set of up to twenty fragments. `isAllowed` says what else a set of input positions must be, beside what is committed. */
export function judgeOf(
  input: PackingInput,
  objective: Objective,
  isAllowed: (fragments: readonly Fragment[]) => boolean = () => true,
): Judge {
  const { fragments, out, scores, baseline } = input;
  const isThere = ({ inputIndex }: Fragment): boolean => out[inputIndex] === 0;
  const bitsOf = (some: readonly Fragment[]): number => some.reduce((set, { inputIndex }) => set | bit(inputIndex), 0);
  const committed = bitsOf([...input.committed]);
  const sameKey = fragments.map((one) =>
    keyOf(one) === undefined ? [one] : fragments.filter((other) => isThere(other) && keyOf(other) === keyOf(one)),
  );
  const needs = fragments.map((one) => needsOf(one, fragments, bitsOf));
  const helps = needs.map((all) => all.reduce((set, enough) => set | enough, 0));
  const worths = fragments.map(({ tokenCount }, i) => {
    const worth = scores[i]! < 0 ? 0 : Math.max(0, Math.round((scores[i]! - baseline) * 1e12));
    return worth * tokenCount ** (objective.valueExponent ?? 0);
  });
  const wanted = bitsOf(
    fragments.filter(
      ({ inputIndex, relevanceScore }) => scores[inputIndex]! >= 0 && relevanceScore >= (objective.minRelevance ?? 0),
    ),
  );
  const isPossible = (set: number): boolean => {
    for (let i = 0; i < fragments.length; i++) {
      if (!has(set, i)) continue;
      if (!needs[i]!.every((enough) => (enough & (set | committed)) !== 0)) return false;
      if (sameKey[i]!.some(({ inputIndex: j }) => j !== i && has(set | committed, j))) return false;
    }
    return (
      isCalledFor(set, wanted, helps) && isAllowed(fragments.filter(({ inputIndex: i }) => has(set | committed, i)))
    );
  };
  const open = fragments.filter(
    (one) => isThere(one) && !has(committed, one.inputIndex) && (bitsOf(sameKey[one.inputIndex]!) & committed) === 0,
  );
  const ranks = ranksOf(fragments, sameKey);
  const best = { set: 0, tokens: 0, value: 0 };
  const tryAll = (at: number, set: number, tokens: number, value: number): void => {
    if (tokens > input.tokens) return;
    if (at < open.length) {
      const { inputIndex: i, tokenCount } = open[at]!;
      tryAll(at + 1, set, tokens, value);
      tryAll(at + 1, set | bit(i), tokens + tokenCount, value + worths[i]!);
      return;
    }
    const order = value - best.value || best.tokens - tokens;
    if (order < 0 || (order === 0 && !isEarlier(set, best.set, ranks)) || !isPossible(set)) return;
    Object.assign(best, { set, tokens, value });
  };
  tryAll(0, 0, 0, 0);
  const sum = (set: number, column: readonly number[]): number =>
    column.reduce((total, number, i) => (has(set, i) ? total + number : total), 0);
  return {
    best: best.set,
    bestValue: (best.value + sum(committed, worths)) / 1e12,
    committed,
    isPossible,
    tokensOf: (set) =>
      sum(
        set,
        fragments.map(({ tokenCount }) => tokenCount),
      ),
    valueOf: (set) => sum(set, worths) / 1e12,
  };
}

/** What a fragment needs: sets of which one member each is enough. */
function needsOf(one: Fragment, all: readonly Fragment[], bitsOf: (some: readonly Fragment[]) => number): number[] {
  const required = one.requires.map((id) => bitsOf(all.filter(({ fragmentId }) => fragmentId === id)));
  if (one.groupId === "") return required;
  const group = all.filter(({ groupId }) => groupId === one.groupId);
  const parts = group.map((member) =>
    bitsOf(
      group.filter((other) => other === member || (member.variantKey !== "" && other.variantKey === member.variantKey)),
    ),
  );
  return [...required, ...parts];
}

/** True where everything is wanted, or helps something that is, or helps what helps it. */
function isCalledFor(set: number, wanted: number, helps: readonly number[]): boolean {
  let called = set & wanted;
  for (let before = -1; before !== called; ) {
    before = called;
    helps.forEach((helped, i) => {
      if (has(called, i)) called |= helped & set;
    });
  }
  return called === set;
}

/** The rank of each fragment in the total order; a key stands where its deepest does, the deeper first. */
function ranksOf(fragments: readonly Fragment[], sameKey: readonly (readonly Fragment[])[]): number[] {
  const deepest = fragments.map((one, i) => {
    const key = sameKey[i]!;
    return key.includes(one) ? [...key].sort(deeperFirst)[0]! : one;
  });
  const order = [...fragments].sort(
    (a, b) => compareTotal(deepest[a.inputIndex]!, deepest[b.inputIndex]!) || deeperFirst(a, b),
  );
  return fragments.map((one) => order.indexOf(one));
}

/** True where the first set holds the earliest fragment in which the two differ. */
function isEarlier(a: number, b: number, ranks: readonly number[]): boolean {
  let earliest = -1;
  ranks.forEach((rank, i) => {
    if (has(a ^ b, i) && (earliest < 0 || rank < ranks[earliest]!)) earliest = i;
  });
  return earliest >= 0 && has(a, earliest);
}
