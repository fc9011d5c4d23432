/** Seeded pools for packers for value: ties, equal scores, round prices, fragments without tokens, and everything that links fragments. */
import { fragmentsOf, scored } from "../../../drafts.fixture.js";
import type { Fragment, FragmentDraft } from "../../../model/fragment.js";
import { compareTotal } from "../../../order/total-order.js";
import { runAtOnce } from "../../../run-in-slices.js";
import { closureOf, wantedByName } from "../../closure.js";
import { linksOf, nominationOf, packingInputOf } from "../../packing.fixture.js";
import type { PackingInput } from "../../packing.js";
import { compileVariants } from "../../variants.js";
import type { Objective } from "./pool.js";

export interface RandomPool {
  readonly drafts: readonly FragmentDraft[];
  readonly input: PackingInput;
  readonly objective: Objective;
}

export interface PoolShape {
  readonly fewest: number;
  readonly most: number;
  /** Groups, requirements, variants, pins, what is out and what is not nominated. */
  readonly isLinked: boolean;
}

/** Draws from a seed (mulberry32). */
export function createDraw(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, of: <T>(items: readonly T[]): T => items[below(items.length)]! };
}

type Draw = ReturnType<typeof createDraw>;

export function randomPool(seed: number, { fewest, most, isLinked }: PoolShape): RandomPool {
  const draw = createDraw(seed);
  const count = fewest + draw.below(most - fewest + 1);
  const priceOf = draw.of(PRICES);
  const scoreOf = draw.of(SCORES);
  const nodes = draw.of([3, count]);
  const drafts = Array.from({ length: count }, (_, i) => {
    const tokens = priceOf(draw);
    const fields = isLinked ? linkedFields(i, count, nodes, draw) : { ukoNode: `node-${draw.below(50)}-${i}` };
    return scored(`f${i}`, scoreOf(draw, tokens), tokens, { createdAt: { seconds: i, nanos: 0 }, ...fields });
  });
  const isOut = drafts.map(({ pinned }) => isLinked && !pinned && draw.next() < 0.05);
  const isDropped = drafts.map(() => isLinked && draw.next() < 0.1);
  const total = drafts.reduce((sum, { tokenCount }) => sum + (tokenCount ?? 0), 0);
  const tokens = Math.floor(total * draw.of([0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1]));
  const objective = {
    valueExponent: draw.of([0, 0, 0, 1]),
    minRelevance: draw.next() < 0.15 ? draw.of([0.3, 0.5]) : 0,
  };
  const input = inputOf(drafts, tokens, {
    baseline: draw.of([0, 0, 0.3]),
    isOut: ({ inputIndex }) => isOut[inputIndex]!,
    isNominated: ({ inputIndex }) => !isDropped[inputIndex],
  });
  return { drafts, input, objective };
}

const PRICES: readonly ((draw: Draw) => number)[] = [
  ({ below }) => 1 + below(100),
  ({ below }) => 100 * (1 + below(6)),
  ({ of }) => of([0, 0, 1, 2, 3, 5]),
  () => 10,
  ({ below }) => below(1_000),
];

const SCORES: readonly ((draw: Draw, tokens: number) => number)[] = [
  ({ next }) => next(),
  () => 0.5,
  ({ of }) => of([0, 0.3, 0.5, 0.5, 1]),
  ({ below }) => below(21) / 20,
  (_, tokens) => Math.min(1, (tokens + 20) / 1_100),
];

function linkedFields(i: number, count: number, nodes: number, draw: Draw): Partial<FragmentDraft> {
  const fields: Partial<FragmentDraft> = { ukoNode: `node-${draw.below(50)}-${i}` };
  if (draw.next() < 0.4) Object.assign(fields, { ukoNode: `n${draw.below(nodes)}`, detailDepth: draw.below(3) });
  if (draw.next() < 0.3) fields.groupId = draw.of(["g", "h", "k"]);
  if (fields.groupId !== undefined && draw.next() < 0.3) fields.variantKey = draw.of(["p", "q"]);
  else if (draw.next() < 0.1) fields.variantKey = draw.of(["v", "w"]);
  if (draw.next() < 0.3) {
    const required = new Set([draw.below(count), draw.below(count)].slice(draw.below(2)));
    fields.requires = [...required].filter((other) => other !== i).map((other) => `f${other}`);
  }
  if (draw.next() < 0.07) fields.pinned = true;
  if (draw.next() < 0.1) fields.role = 3;
  return fields;
}

export interface InputFields {
  readonly baseline: number;
  isOut(fragment: Fragment): boolean;
  /** Asked of each fragment; a group is nominated where its members are. */
  isNominated(fragment: Fragment): boolean;
}

export const PLAIN: InputFields = { baseline: 0, isOut: () => false, isNominated: () => true };

/** What a packer is given for drafts, in a pipeline that keeps one variant of each key; pins are committed with what they bring. */
export function inputOf(drafts: readonly FragmentDraft[], tokens: number, fields: InputFields = PLAIN): PackingInput {
  const fragments = fragmentsOf(...drafts);
  const links = linksOf(fragments, true);
  const pins = fragments.filter(({ pinned }) => pinned).sort(compareTotal);
  const around = { links, isPresent: () => false, isOut: () => false };
  const committed = new Set(closureOf(wantedByName(...pins), Number.MAX_SAFE_INTEGER, around));
  const out = Uint8Array.from(fragments, (fragment) => Number(!committed.has(fragment) && fields.isOut(fragment)));
  const nominated = fragments.filter((fragment) => links.groupOf(fragment).every(fields.isNominated));
  const scores = new Float64Array(fragments.length).fill(-1);
  for (const { inputIndex, relevanceScore } of nominated) scores[inputIndex] = relevanceScore;
  const running = fragments.filter(({ inputIndex }) => out[inputIndex] === 0);
  return packingInputOf(fragments, tokens, {
    nominations: [nominationOf(nominated)],
    committed,
    scores,
    baseline: fields.baseline,
    links,
    variants: runAtOnce(compileVariants(running, fragments.length)),
    out,
  });
}
