/** Seeded pools with sections: caps and floors by tier, and by a second property that overlaps with it. */
import type { Fragment, FragmentDraft } from "../../../../model/fragment.js";
import type { Section } from "../../../../model/sections.js";
import { runAtOnce } from "../../../../run-in-slices.js";
import type { PackingInput } from "../../../packing.js";
import { compileSections } from "../../../sections.js";
import { openLedger } from "../../fill.js";
import { fillFloors, withFloors } from "../../floors.js";
import type { Objective } from "../pool.js";
import { readPool } from "../pool.js";
import { createDraw, inputOf, type PoolShape, randomPool } from "../random-pools.fixture.js";

export interface CappedShape extends PoolShape {
  /** True: a second property overlaps with the tiers. */
  readonly isCrossed: boolean;
}

export interface CappedPool {
  readonly drafts: readonly FragmentDraft[];
  readonly input: PackingInput;
  readonly objective: Objective;
  readonly sections: readonly Section[];
}

/** A section of what a property holds; a cap of 0 is none. */
export function sectionOf(
  name: string,
  holds: (fragment: Fragment) => boolean,
  { floor = 0, cap = Number.POSITIVE_INFINITY }: { floor?: number; cap?: number },
): Section {
  const draft = { floorTokens: floor, capTokens: cap === Number.POSITIVE_INFINITY ? 0 : cap };
  const furtherFor = (tokens: number): number => (tokens <= cap ? 0 : Number.POSITIVE_INFINITY);
  return { name, floorTokens: floor, capTokens: cap, capShare: undefined, furtherFor, holds, draft };
}

/** What the packers for value begin with: the floors filled and committed. */
export function afterFloors(input: PackingInput, objective: Objective): PackingInput {
  const { below } = readPool(input, objective);
  const ledger = openLedger(input);
  ledger.tokens = input.tokens;
  runAtOnce(fillFloors(ledger, (fragment) => below.has(fragment)));
  return withFloors(input, ledger);
}

/** True where a set breaks no cap, read from the fragments and the sections alone. */
export function isWithinCaps(sections: readonly Section[], fragments: readonly Fragment[]): boolean {
  return sections.every(
    ({ holds, capTokens }) => fragments.filter(holds).reduce((sum, { tokenCount }) => sum + tokenCount, 0) <= capTokens,
  );
}

export function cappedPool(seed: number, shape: CappedShape): CappedPool {
  const plain = randomPool(seed, shape);
  const draw = createDraw(seed ^ 0x5eed);
  const isByKey = draw.next() < 0.5;
  const tiers = new Map<string, number>();
  const drafts = plain.drafts.map((draft): FragmentDraft => {
    const drawn = 1 + draw.below(3);
    const key = draft.variantKey || draft.ukoNode;
    const tier = isByKey ? (tiers.get(key) ?? drawn) : drawn;
    tiers.set(key, tier);
    return { ...draft, tier, metadata: new Map([["team", draw.of(["a", "a", "b"])]]) };
  });
  const { input, objective } = plain;
  const fields = {
    baseline: input.baseline,
    isOut: ({ inputIndex }: Fragment) => input.out[inputIndex] === 1,
    isNominated: ({ inputIndex }: Fragment) => input.scores[inputIndex]! >= 0,
  };
  const tokens = Math.floor(
    drafts.reduce((sum, { tokenCount }) => sum + tokenCount!, 0) * draw.of([0.1, 0.2, 0.3, 0.5, 0.8, 1]),
  );
  const again = inputOf(drafts, tokens, fields);
  const amountsOf = (holds: (fragment: Fragment) => boolean): { floor: number; cap: number } => {
    const held = again.fragments.filter(holds);
    const sum = (some: readonly Fragment[]): number => some.reduce((total, { tokenCount }) => total + tokenCount, 0);
    const pinned = sum(held.filter((fragment) => again.committed.has(fragment)));
    const cap = pinned + Math.floor((Math.min(sum(held), tokens) - pinned) * draw.of([0, 0.2, 0.4, 0.6, 0.8]));
    return { floor: draw.next() < 0.3 ? Math.floor(Math.max(0, cap) * draw.next()) : 0, cap: Math.max(pinned, cap) };
  };
  const isHot = ({ tier }: Fragment): boolean => tier === 1;
  const isCold = ({ tier }: Fragment): boolean => tier === 3;
  const isTeam = ({ metadata }: Fragment): boolean => metadata.get("team") === "a";
  const sections = [sectionOf("hot", isHot, amountsOf(isHot)), sectionOf("cold", isCold, amountsOf(isCold))];
  if (shape.isCrossed) sections.push(sectionOf("team", isTeam, amountsOf(isTeam)));
  const compiled = compileSections(sections, again.fragments)!;
  return { drafts, input: { ...again, sections: compiled }, objective, sections };
}

/** The same pool from the last fragment to the first, where that order says nothing. */
export function turnedAround({ drafts, input, sections }: CappedPool): PackingInput {
  const { fragments, tokens, baseline, out, scores } = input;
  const at = (i: number): number => fragments.length - 1 - i;
  const turned = inputOf([...drafts].reverse(), tokens, {
    baseline,
    isOut: ({ inputIndex }) => out[at(inputIndex)] === 1,
    isNominated: ({ inputIndex }) => scores[at(inputIndex)]! >= 0,
  });
  const nominations = turned.nominations.map((nomination) => ({
    ...nomination,
    // The order of a nomination is the strategy's, not the input's.
    positions: Uint32Array.from(input.nominations[0]!.positions, at),
  }));
  return { ...turned, nominations, sections: compileSections(sections, turned.fragments)! };
}
