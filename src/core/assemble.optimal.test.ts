/** The packers that pack for a value, against every subset of small pools, with a check of what may be packed that shares no code with them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assembled, budgetOf, fragmentDraft, idsOf, pipelineDraft, requestDraft } from "./drafts.fixture.js";
import type { FragmentDraft } from "./model/fragment.js";
import type { Payload } from "./model/payload.js";

type Dice = (sides: number) => number;

/** Small numbers from a seed, so that a failure comes again. */
function createDice(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x7fffffff) * sides);
  };
}

const pick = <T>(dice: Dice, values: readonly T[]): T => values[dice(values.length)]!;

/** What the pools of a family have beside scores and prices. */
const FAMILIES: Record<string, (dice: Dice, ids: readonly string[]) => Partial<FragmentDraft>> = {
  "round prices": (dice) => ({ tokenCount: 10 * dice(5) }),
  "equal scores": () => ({ relevanceScore: 0.5 }),
  variants: (dice) => (dice(2) === 0 ? { ukoNode: `X${dice(2)}`, detailDepth: dice(10) } : {}),
  "groups with alternatives": (dice) =>
    dice(5) < 2
      ? { groupId: pick(dice, ["g", "h"]), variantKey: pick(dice, ["", "k", "l"]), detailDepth: dice(10) }
      : {},
  "requirements and cycles": (dice, ids) => ({
    ...(dice(3) === 0 ? { ukoNode: `X${dice(2)}`, detailDepth: dice(10) } : {}),
    ...(dice(5) < 2 ? { requires: [pick(dice, ids)] } : {}),
    ...(dice(5) === 0 ? { groupId: "g" } : {}),
  }),
};

function createPool(
  dice: Dice,
  family: (dice: Dice, ids: readonly string[]) => Partial<FragmentDraft>,
): FragmentDraft[] {
  const ids = [..."abcdefghij"].slice(0, 3 + dice(7));
  return ids.map((id) =>
    fragmentDraft({
      fragmentId: id,
      ukoNode: `node ${id}`,
      content: `content of ${id}`,
      tokenCount: pick(dice, [0, 1, 3, 5, 7, 10, 12, 20]),
      relevanceScore: pick(dice, [0, 0.1, 0.3, 0.5, 0.7, 0.9, dice(1_000) / 1_000]),
      ...family(dice, ids),
    }),
  );
}

/** The key under which at most one fragment may be packed; nothing where it has no alternative. */
function keyOf({ variantKey, groupId, ukoNode }: FragmentDraft): string | undefined {
  if (variantKey !== "") return `${groupId} ${variantKey}`;
  return groupId === "" ? ukoNode : undefined;
}

/** Says what is wrong with a set of fragments, or nothing. */
function faultOf(
  pool: readonly FragmentDraft[],
  isIn: (fragment: FragmentDraft) => boolean,
  tokens: number,
): string | undefined {
  const chosen = pool.filter(isIn);
  if (chosen.reduce((sum, { tokenCount }) => sum + tokenCount!, 0) > tokens) return "over the budget";
  const keys = chosen.map(keyOf).filter((key) => key !== undefined);
  if (new Set(keys).size < keys.length) return "two variants of one key";
  for (const { groupId, requires } of chosen) {
    if (!requires.every((id) => chosen.some(({ fragmentId }) => fragmentId === id))) return "a requirement is missing";
    const group = groupId === "" ? [] : pool.filter((other) => other.groupId === groupId);
    const isCovered = (member: FragmentDraft): boolean =>
      group.some(
        (other) =>
          isIn(other) && (other === member || (member.variantKey !== "" && other.variantKey === member.variantKey)),
      );
    if (!group.every(isCovered)) return "a group is torn";
  }
  return undefined;
}

const scoreOf = (fragments: readonly FragmentDraft[]): number =>
  fragments.reduce((sum, { relevanceScore }) => sum + relevanceScore!, 0);

function bestValue(pool: readonly FragmentDraft[], tokens: number): number {
  let best = 0;
  for (let set = 0; set < 1 << pool.length; set++) {
    const isIn = (fragment: FragmentDraft): boolean => ((set >> pool.indexOf(fragment)) & 1) === 1;
    const value = scoreOf(pool.filter(isIn));
    if (value > best && faultOf(pool, isIn, tokens) === undefined) best = value;
  }
  return best;
}

function pack(packer: string, fragments: readonly FragmentDraft[], tokens: number, options?: object): Promise<Payload> {
  const pipeline = pipelineDraft({ packer, ...(options && { options }) });
  return assembled(requestDraft({ fragments, budget: budgetOf(tokens), trace: 3, pipeline }));
}

async function checkPool(
  pool: readonly FragmentDraft[],
  tokens: number,
  packer: string,
  options?: object,
): Promise<Payload> {
  const payload = await pack(packer, pool, tokens, options);
  const ids = idsOf(payload.fragments);
  const chosen = pool.filter(({ fragmentId }) => ids.includes(fragmentId));
  const about = `${packer} in ${tokens}: ${ids} of ${JSON.stringify(pool)}`;
  assert.equal(
    faultOf(pool, (fragment) => chosen.includes(fragment), tokens),
    undefined,
    about,
  );
  const { value, upperBound, gap } = payload.packing!;
  assert.ok(Math.abs(value - scoreOf(chosen)) < 1e-9, about);
  assert.ok(upperBound >= bestValue(pool, tokens) - 1e-9, about);
  assert.ok(gap >= 0 && Math.abs(gap - (upperBound === 0 ? 0 : (upperBound - value) / upperBound)) < 1e-9, about);
  return payload;
}

for (const [what, family] of Object.entries(FAMILIES)) {
  test(`the optimal packer finds the best value and proves it: ${what}`, async () => {
    const dice = createDice(3);
    for (let round = 0; round < 120; round++) {
      const pool = createPool(dice, family);
      const tokens = 1 + dice(pool.reduce((sum, { tokenCount }) => sum + tokenCount!, 5));
      const { packing } = await checkPool(pool, tokens, "optimal");
      assert.ok(Math.abs(packing.value - bestValue(pool, tokens)) < 1e-9, JSON.stringify({ tokens, pool }));
      assert.equal(packing.provenOptimal, true);
    }
  });

  test(`the relaxation packs what may be packed, and its bound holds: ${what}`, async () => {
    const dice = createDice(4);
    for (let round = 0; round < 60; round++) {
      const pool = createPool(dice, family);
      await checkPool(pool, 1 + dice(pool.reduce((sum, { tokenCount }) => sum + tokenCount!, 5)), "relaxation");
    }
  });

  test(`a search cut short by its limit has a bound that holds, and no false proof: ${what}`, async () => {
    const dice = createDice(5);
    for (let round = 0; round < 60; round++) {
      const pool = createPool(dice, family);
      const tokens = 1 + dice(pool.reduce((sum, { tokenCount }) => sum + tokenCount!, 5));
      const { packing } = await checkPool(pool, tokens, "optimal", { packerStepLimit: 1 });
      const isBest = Math.abs(packing.value - bestValue(pool, tokens)) < 1e-9;
      assert.ok(isBest || !packing.provenOptimal, JSON.stringify({ tokens, pool }));
    }
  });
}

test("the same set comes out whatever the order of the input", async () => {
  const dice = createDice(6);
  for (let round = 0; round < 60; round++) {
    const pool = createPool(dice, FAMILIES.variants!);
    const tokens = 1 + dice(60);
    const expected = idsOf((await pack("optimal", pool, tokens)).fragments);
    const turned = [...pool].reverse();
    assert.deepEqual(
      idsOf((await pack("optimal", turned, tokens)).fragments),
      expected,
      JSON.stringify({ tokens, pool }),
    );
  }
});

test("without a limit in sight a large pool is packed to a proof", async () => {
  const dice = createDice(7);
  const fragments = Array.from({ length: 2_000 }, (_, i) =>
    fragmentDraft({
      fragmentId: `f${i}`,
      ukoNode: `node ${i >> 1}`,
      content: `content ${i}`,
      detailDepth: i % 2 === 0 ? 9 : 2,
      tokenCount: (i % 2 === 0 ? 400 : 60) + dice(300),
      relevanceScore: (i % 2 === 0 ? 0.4 : 0.2) + dice(500) / 1_000,
    }),
  );
  const { packing } = await pack("optimal", fragments, 60_000);
  assert.equal(packing.provenOptimal, true);
});

test("a search that its time ends answers with the best that it found, and says so", async () => {
  const dice = createDice(8);
  // Prices of one parity and worth that follows them: no bound settles this before the search does.
  const fragments = Array.from({ length: 300 }, (_, i) => {
    const tokenCount = 2 * (100 + dice(900));
    return fragmentDraft({
      fragmentId: `f${i}`,
      ukoNode: `node ${i}`,
      content: `c${i}`,
      tokenCount,
      relevanceScore: tokenCount / 2_000,
    });
  });
  const search = (packerTimeLimit: { seconds: number; nanos: number }): Promise<Payload> =>
    pack("optimal", fragments, 50_001, { packerTimeLimit });
  const codes = ({ warnings }: Payload): string[] => warnings.map(({ code }) => code);
  const short = await search({ seconds: 0, nanos: 1_000 });
  assert.deepEqual(codes(short), ["search_timed_out"]);
  assert.ok(short.totalTokens > 49_000 && short.totalTokens <= 50_001, String(short.totalTokens));
  const long = await search({ seconds: 3_600, nanos: 0 });
  assert.deepEqual(codes(long), []);
  assert.ok(short.packing.value <= long.packing.value);
});

test("keys with more variants than a byte counts, which require one another, are packed within the limit of steps", async () => {
  const dice = createDice(5);
  const keys = Array.from({ length: 8 }, (_, key) => `k${key}`);
  const fragments = keys.flatMap((key) =>
    Array.from({ length: 300 }, (_, variant) => {
      const other = pick(dice, keys);
      return fragmentDraft({
        fragmentId: `${key}v${variant}`,
        ukoNode: key,
        variantKey: key,
        detailDepth: variant % 10,
        tokenCount: 10 + dice(500),
        relevanceScore: dice(100) / 100,
        requires: other === key ? [] : [`${other}v${dice(300)}`],
      });
    }),
  );
  const options = { packerStepLimit: 200_000 };
  const pack = (given: readonly FragmentDraft[]): Promise<Payload> =>
    assembled(
      requestDraft({
        fragments: [...given],
        budget: budgetOf(800),
        pipeline: pipelineDraft({ packer: "optimal", options }),
      }),
    );

  const payload = await pack(fragments);
  const ids = new Set(idsOf(payload.fragments));
  for (const { fragmentId, requires = [] } of fragments) {
    if (ids.has(fragmentId!))
      assert.ok(
        requires.every((id) => ids.has(id)),
        `${fragmentId} lacks what it requires`,
      );
  }
  assert.equal(new Set(payload.fragments.map(({ variantKey }) => variantKey)).size, ids.size);
  assert.ok(payload.packing.steps <= 2 * options.packerStepLimit);
  assert.ok(payload.packing.value <= payload.packing.upperBound);
  assert.deepEqual(idsOf((await pack([...fragments].reverse())).fragments), idsOf(payload.fragments));
});

test("a web of requirements too wide to list comes out the same whatever the order of the input", async () => {
  const dice = createDice(17);
  const ids = Array.from({ length: 150 }, (_, i) => `f${i}`);
  const fragments = ids.map((fragmentId) =>
    fragmentDraft({
      fragmentId,
      ukoNode: `n${dice(90)}`,
      detailDepth: dice(9),
      tokenCount: 50 + dice(500),
      relevanceScore: dice(50) / 50,
      requires: [...new Set(Array.from({ length: dice(4) }, () => pick(dice, ids)))].filter((id) => id !== fragmentId),
    }),
  );
  const pack = (given: readonly FragmentDraft[]): Promise<Payload> =>
    assembled(
      requestDraft({ fragments: [...given], budget: budgetOf(13_000), pipeline: pipelineDraft({ packer: "optimal" }) }),
    );

  const payload = await pack(fragments);
  assert.ok(payload.packing.gap <= 0.01);
  for (const given of [[...fragments].reverse(), [...fragments].sort(() => dice(3) - 1)]) {
    assert.deepEqual(idsOf((await pack(given)).fragments), idsOf(payload.fragments));
  }
});
