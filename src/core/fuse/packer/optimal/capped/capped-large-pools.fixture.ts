/** Seeded pools of many keys with sections: two tiers with a cap, the third with a floor, and perhaps a cap that overlaps with them. */
import { scored, testRun } from "../../../../drafts.fixture.js";
import type { FragmentDraft } from "../../../../model/fragment.js";
import type { Section } from "../../../../model/sections.js";
import type { Packing } from "../../../packing.js";
import { compileSections } from "../../../sections.js";
import { createRelaxation } from "../../relaxation.js";
import { createDraw, inputOf } from "../random-pools.fixture.js";
import { type CappedPool, sectionOf } from "./capped-pools.fixture.js";

export interface LargeShape {
  readonly keys: number;
  /** What the tier of a fragment follows: its key, or its variant too. */
  readonly tiersBy: "key" | "variant";
  readonly isCrossed: boolean;
  /** The part of the fragments that require another one. */
  readonly requiring: number;
  /** True: a quarter of the keys are single fragments in groups, whose members are in any tiers. */
  readonly isGrouped: boolean;
}

/** Keys of three variants in three tiers; two tiers have a cap of about half of what they would take, the third a floor. */
export function largePool(seed: number, shape: LargeShape): CappedPool {
  const { keys } = shape;
  const draw = createDraw(seed * 7_919 + keys);
  let total = 0;
  const drafts = Array.from({ length: keys }, (_, k) => {
    const tokens = 200 + draw.below(3_000);
    const score = seed % 2 === 0 ? draw.next() : Math.min(1, (tokens + 200 + draw.below(600)) / 4_000);
    const tier = draw.below(3);
    const metadata = new Map([["team", draw.of(["a", "b"])]]);
    total += tokens;
    if (shape.isGrouped && draw.next() < 0.25) {
      const fields = { ukoNode: `n${k}`, tier: 1 + draw.below(3), metadata, groupId: `g${draw.below(keys / 10)}` };
      return [scored(`${k}-g`, score, Math.ceil(tokens * 0.3), fields)];
    }
    return [1, 0.35, 0.08].map((share, shallower): FragmentDraft => {
      const worth = score * [1, 0.65, 0.3][shallower]!;
      const own = shape.tiersBy === "key" ? tier : (tier + shallower) % 3;
      const fields = { ukoNode: `n${k}`, detailDepth: 9 - shallower, tier: 1 + own, metadata };
      const requires =
        shape.requiring > 0 && draw.next() < shape.requiring ? [`${draw.below(keys)}-${draw.below(3)}`] : [];
      const price = Math.max(1, Math.ceil(tokens * share * (0.8 + 0.4 * draw.next())));
      const id = `${k}-${shallower}`;
      return scored(id, worth, price, { ...fields, requires: requires.filter((other) => other !== id) });
    });
  });
  const input = inputOf(drafts.flat(), Math.floor(total * [0.05, 0.1, 0.3][seed % 3]!));
  const { chosenBy } = createRelaxation({}).pack(input, testRun()) as Packing;
  const half = (holds: Section["holds"], share: number): number => {
    const chosen = input.fragments.filter((fragment) => chosenBy[fragment.inputIndex] !== 0 && holds(fragment));
    return Math.floor(chosen.reduce((sum, { tokenCount }) => sum + tokenCount, 0) * share);
  };
  const isTier =
    (tier: number): Section["holds"] =>
    (fragment) =>
      fragment.tier === tier;
  const isTeam: Section["holds"] = ({ metadata }) => metadata.get("team") === "a";
  const sections = [
    sectionOf("hot", isTier(1), { cap: half(isTier(1), 0.5) }),
    sectionOf("warm", isTier(2), { cap: half(isTier(2), 0.5) }),
    sectionOf("cold", isTier(3), { floor: half(isTier(3), 0.3) }),
    ...(shape.isCrossed ? [sectionOf("team", isTeam, { cap: half(isTeam, 0.5) })] : []),
  ];
  const compiled = compileSections(sections, input.fragments)!;
  return { drafts: drafts.flat(), input: { ...input, sections: compiled }, objective: {}, sections };
}
