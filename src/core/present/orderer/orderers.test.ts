/** What holds for every orderer that comes with the product. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { builtInRegistry } from "../../built-in.js";
import { fragmentsOf, testRun } from "../../drafts.fixture.js";
import type { Fragment, FragmentDraft } from "../../model/fragment.js";
import { compareTotal } from "../../order/total-order.js";
import { randomRequests, SHAPES, withPermutation } from "../../random-requests.fixture.js";

const registry = builtInRegistry();
const names = registry.componentNames("orderer");

const places = fc.array(fc.constantFrom("", "L9", "L10", "L010", "§2.1"), { minLength: 12, maxLength: 12 });

function placed(drafts: readonly FragmentDraft[], locations: readonly string[]): Fragment[] {
  const withPlaces = drafts.map((draft, i) => {
    const provenance = { resourceUri: "", resourceType: "", location: locations[i % 12]!, mergedFrom: [] };
    return { ...draft, provenance, requires: [] };
  });
  return fragmentsOf(...withPlaces);
}

/** As a strategy hands them over: in an order that the input does not decide, groups together. */
function ranked(fragments: readonly Fragment[]): Fragment[] {
  const sorted = [...fragments].sort(compareTotal);
  const byGroup = (groupId: string) => sorted.filter((one) => one.groupId === groupId).sort(byTime);
  const seen = new Set<string>();
  return sorted.flatMap((fragment) => {
    if (fragment.groupId === "") return [fragment];
    if (seen.has(fragment.groupId)) return [];
    seen.add(fragment.groupId);
    return byGroup(fragment.groupId);
  });
}

const byTime = (a: Fragment, b: Fragment) => a.createdAt.seconds - b.createdAt.seconds;

async function order(name: string, selected: readonly Fragment[]): Promise<readonly Fragment[]> {
  return registry.component("orderer", name, {}).order(selected, { previous: [] }, testRun());
}

/** What a payload shows of a fragment, without its place in the input and ids that the server made. */
const shown = ({ fragmentId, idGiven, inputIndex: _, ...fields }: Fragment): unknown => ({
  ...fields,
  id: idGiven ? fragmentId : "",
});

for (const name of names) {
  describe(`the orderer ${name}`, () => {
    for (const [shape, fields] of Object.entries(SHAPES)) {
      test(`answers with what it is given, groups together and oldest first: ${shape}`, () =>
        fc.assert(
          fc.asyncProperty(randomRequests(fields), places, async ({ fragments }, locations) => {
            const given = Object.freeze(ranked(placed(fragments, locations)));
            const ordered = await order(name, given);
            assert.equal(ordered.length, given.length);
            assert.deepEqual(new Set(ordered), new Set(given));
            for (const groupId of ["g", "h"]) {
              const at = ordered.flatMap((one, i) => (one.groupId === groupId ? [i] : []));
              assert.deepEqual(
                at,
                at.map((_, i) => at[0]! + i),
                `${groupId} is torn`,
              );
              const members = at.map((i) => ordered[i]!);
              assert.deepEqual(members, [...members].sort(byTime));
            }
          }),
          { seed: 7, numRuns: 150 },
        ));
    }

    // Equal times are put in order by the input, which this orderer says of itself.
    if (name === "chronological") return;
    test("any order of the input gives one order", () =>
      fc.assert(
        fc.asyncProperty(withPermutation(randomRequests(SHAPES["groups, some with ids"]!)), async ([one, other]) => {
          const of = async (drafts: readonly FragmentDraft[]) =>
            (await order(name, ranked(placed(drafts, Array(12).fill("L1"))))).map(shown);
          assert.deepEqual(await of(other.fragments), await of(one.fragments));
        }),
        { seed: 7, numRuns: 200 },
      ));
  });
}

test("the names are those of the contract", () => {
  assert.deepEqual([...names].sort(), ["chronological", "edges", "source", "stable", "strategy"]);
});
