import assert from "node:assert/strict";
import { test } from "node:test";
import { readBudget } from "./budget.js";
import { createFaults } from "./faults.js";
import type { Section, SectionDraft } from "./sections.js";

const [HOT, COLD] = [1, 3];

function sectionOf(selector: SectionDraft["selector"], fields: Partial<SectionDraft>): SectionDraft {
  return { selector, floorTokens: 0, capTokens: 0, ...fields };
}

const tierOf = (value: number, fields: Partial<SectionDraft>): SectionDraft =>
  sectionOf({ $case: "tier", value }, fields);
const roleOf = (value: number, fields: Partial<SectionDraft>): SectionDraft =>
  sectionOf({ $case: "role", value }, fields);

function read(maxTokens: number, ...sections: SectionDraft[]): { sections: readonly Section[]; faults: string[] } {
  const faults = createFaults();
  const budget = readBudget({ maxTokens, reservedTokens: 0, sections }, faults);
  return {
    sections: budget.sections,
    faults: faults.found.map(({ field, description }) => `${field} ${description}`),
  };
}

test("every fault of the sections is named at once, with its numbers", () => {
  const { faults } = read(
    100,
    { floorTokens: 0, capTokens: 0 },
    tierOf(0, {}),
    roleOf(9, { floorTokens: -1 }),
    sectionOf({ $case: "groupId", value: "" }, { capTokens: 1.5 }),
    sectionOf({ $case: "metadata", value: { key: "", value: "a" } }, {}),
    tierOf(HOT, { floorShare: 1.5, capShare: 0.5, capTokens: 7 }),
    tierOf(HOT, {}),
  );
  assert.deepEqual(faults, [
    "budget.sections[0] selects nothing; one of tier, role, group_id and metadata is required",
    "budget.sections[1].tier is unspecified; a section names the one it is for",
    "budget.sections[2].role is 9; allowed are system (1), user (2), assistant (3) and tool (4)",
    "budget.sections[2].floor_tokens is -1; allowed are whole numbers from 0",
    "budget.sections[3].group_id is empty; a section names the one it is for",
    "budget.sections[3].cap_tokens is 1.5; allowed are whole numbers from 0",
    "budget.sections[4].metadata.key is empty; a section names the one it is for",
    "budget.sections[5].floor_share is 1.5; allowed is 0.0 to 1.0",
    "budget.sections[5].cap_share is given beside 7 tokens; allowed is one of the two",
    "budget.sections[6] selects tier hot, as budget.sections[5] does",
  ]);
});

test("floors that cannot hold together are refused with both numbers", () => {
  assert.deepEqual(read(100, tierOf(HOT, { floorTokens: 60 }), tierOf(COLD, { floorTokens: 41 })).faults, [
    "budget.sections have floors of tiers of 101 tokens in all; 100 are available",
  ]);
  assert.deepEqual(read(100, tierOf(HOT, { floorShare: 0.6 }), tierOf(COLD, { floorShare: 0.5 })).faults, [
    "budget.sections have floor shares of tiers that add up to 1.1; at most 1 is allowed",
  ]);
  assert.deepEqual(read(100, tierOf(HOT, { floorTokens: 60, capTokens: 50 })).faults, [
    "budget.sections[0] has a floor of 60 tokens, which is over its cap of 50",
  ]);
  // Sections of different kinds may hold the same fragments.
  assert.deepEqual(read(100, tierOf(HOT, { floorTokens: 60 }), roleOf(1, { floorTokens: 60 })).faults, []);
});

test("more than 64 sections are refused, and a budget at fault hides no fault of its sections", () => {
  const many = Array.from({ length: 65 }, (_, i) => sectionOf({ $case: "groupId", value: `g${i}` }, {}));
  assert.deepEqual(read(100, ...many).faults, ["budget.sections has 65 entries; at most 64 are allowed"]);
  assert.deepEqual(read(0, tierOf(9, {})).faults, [
    "budget.max_tokens is 0; allowed are whole numbers from 1",
    "budget.sections[0].tier is 9; allowed are hot (1), warm (2) and cold (3)",
  ]);
});

test("shares are of what is available; a floor and a cap of one share are equal", () => {
  const third = 1 / 3;
  assert.deepEqual(read(100, tierOf(HOT, { floorShare: third, capShare: 0 })).faults, [
    "budget.sections[0] has a floor of 33 tokens, which is over its cap of 0",
  ]);
  const { sections } = read(
    100,
    tierOf(HOT, { floorShare: third, capShare: third }),
    tierOf(2, { floorShare: third }),
    tierOf(COLD, { capShare: 0.295 }),
  );
  assert.deepEqual(
    sections.map(({ floorTokens, capTokens }) => [floorTokens, capTokens]),
    [
      [33, 33],
      [33, Number.POSITIVE_INFINITY],
      [0, 29],
    ],
  );
});

test("the tokens that a cap lacks are further available ones, or none that would do", () => {
  const { sections } = read(200, tierOf(HOT, { capShare: 0.25 }), tierOf(COLD, { capTokens: 50 }));
  assert.deepEqual(
    sections.map((section) => [section.furtherFor(50), section.furtherFor(51)]),
    [
      [0, 4],
      [0, Number.POSITIVE_INFINITY],
    ],
  );
});
