/** Components that do what their contracts forbid: each is named, and no other request notices. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInRegistry } from "./built-in.js";
import { testRun } from "./drafts.fixture.js";
import {
  answering,
  cause,
  checkCulprit,
  draft,
  packing,
  registryWith,
  stranger,
  using,
} from "./faulty-components.fixture.js";
import { NOT_NOMINATED } from "./fuse/packing.js";
import type { Fragment } from "./model/fragment.js";
import { Reason } from "./model/payload.js";
import { Registry } from "./registry.js";
import { type Nomination, STAGES, type StageContracts, type StageRole } from "./stages.js";

for (const role of STAGES) {
  const culprit = { role, component: "bad" };
  const fails: Record<string, () => unknown> = {
    throws: () => {
      throw cause;
    },
    rejects: () => Promise.reject(cause),
  };
  for (const [how, answer] of Object.entries(fails)) {
    test(`a ${role} that ${how} is named, with its error as the cause`, async () => {
      const registry = registryWith(role, answering(role, answer));
      const error = await checkCulprit(registry, { ...draft, ...using(role) }, culprit);
      assert.equal(error.cause, cause);
    });
  }

  test(`a ${role} that throws something that is no error is named`, async () => {
    const answer = () => {
      throw undefined;
    };
    await checkCulprit(registryWith(role, answering(role, answer)), { ...draft, ...using(role) }, culprit);
  });

  test(`a ${role} that answers with nothing is named`, async () => {
    const registry = registryWith(
      role,
      answering(role, () => null),
    );
    await checkCulprit(registry, { ...draft, ...using(role) }, culprit);
  });

  test(`a ${role} that cannot be made is named`, async () => {
    const registry = new Registry(builtInRegistry()).addComponent(role, "bad", () => {
      throw cause;
    });
    await checkCulprit(registry, { ...draft, ...using(role) }, culprit);
  });
}

/** What each stage may not answer, by what is wrong with it. */
const breaches: { readonly [R in StageRole]: Record<string, (...args: Parameters<never>) => unknown> } = {
  strategy_selector: {
    "chooses what does not exist": () => [{ strategy: "none", confidence: 1 }],
    "chooses a strategy twice": () => [
      { strategy: "tiered", confidence: 1 },
      { strategy: "tiered", confidence: 1 },
    ],
    "gives a confidence that is not a number": () => [{ strategy: "tiered", confidence: Number.NaN }],
    "gives a confidence below 0": () => [{ strategy: "tiered", confidence: -1 }],
    "gives an infinite confidence": () => [{ strategy: "tiered", confidence: Number.POSITIVE_INFINITY }],
  },
  budget_allocator: {
    "answers with too few shares": () => [{ strategy: "relevance", confidence: 1, tokens: 1 }],
    "answers in another order": shares(50, 50, "reversed"),
    "gives away more than there is": shares(60, 41),
    "gives a negative share": shares(101, -1),
    "gives a share that is not whole": shares(0.5, 0.5),
    "gives a share that is not a number": shares(Number.NaN, 1),
  },
  strategy_executor: {
    "answers with too few nominations": nominations((list) => list.slice(1)),
    "answers in another order": nominations((list) => list.reverse()),
    "nominates a stranger": nominations(([first, ...rest]) => [{ ...first!, fragments: [stranger] }, ...rest]),
    "nominates a copy": nominations(([first, ...rest]) => [
      { ...first!, fragments: [{ ...first!.fragments[0]! }] },
      ...rest,
    ]),
    "nominates a fragment twice": nominations(([first, ...rest]) => {
      return [{ ...first!, fragments: [first!.fragments[0]!, first!.fragments[0]!] }, ...rest];
    }),
    "raises a share": nominations(([first, ...rest]) => [{ ...first!, tokens: first!.tokens + 1 }, ...rest]),
    "makes a share not a number": nominations(([first, ...rest]) => [{ ...first!, tokens: Number.NaN }, ...rest]),
    "makes a share negative": nominations(([first, ...rest]) => [{ ...first!, tokens: -1 }, ...rest]),
    "makes a confidence not a number": nominations(([first, ...rest]) => [
      { ...first!, confidence: Number.NaN },
      ...rest,
    ]),
    "answers with too few scores": nominations(([first, ...rest]) => [{ ...first!, scores: [1] }, ...rest]),
    "answers with scores that are not numbers": nominations(([first, ...rest]) => {
      return [{ ...first!, scores: first!.fragments.map(() => Number.NaN) }, ...rest];
    }),
  },
  deduplicator: {
    "keeps a stranger": (given: Fragment[]) => ({ kept: [...given, stranger], duplicates: [] }),
    "keeps a fragment twice": (given: Fragment[]) => ({ kept: [...given, given[0]], duplicates: [] }),
    "keeps a duplicate": (given: Fragment[]) => ({
      kept: [...given],
      duplicates: [{ fragment: given[0], survivor: given[1] }],
    }),
    "names a stranger a duplicate": (given: Fragment[]) => ({
      kept: [...given],
      duplicates: [{ fragment: stranger, survivor: given[0] }],
    }),
    "names a stranger a survivor": (given: Fragment[]) => ({
      kept: given.slice(1),
      duplicates: [{ fragment: given[0], survivor: stranger }],
    }),
    "names a survivor that it does not keep": (given: Fragment[]) => ({
      kept: given.slice(2),
      duplicates: [{ fragment: given[0], survivor: given[1] }],
    }),
  },
  depth_resolver: {
    "answers with a stranger": (given: Fragment[]) => [...given.map(alone), alone(stranger)],
    "answers with a fragment twice": (given: Fragment[]) => [...given.map(alone), alone(given[0]!)],
    "loses a fragment": (given: Fragment[]) => given.slice(1).map(alone),
    "names a fragment its own alternative": (given: Fragment[]) =>
      given.map((fragment) => ({ fragment, alternatives: [fragment] })),
  },
  scorer: {
    "answers with too few scores": (given: Fragment[]) => ({ scores: new Float64Array(given.length - 1) }),
    "answers with too many scores": (given: Fragment[]) => ({ scores: new Float64Array(given.length + 1) }),
    "answers with a score that is not a number": (given: Fragment[]) => scoring(given, Number.NaN),
    "answers with a score above 1": (given: Fragment[]) => scoring(given, 1.001),
    "answers with a score below 0": (given: Fragment[]) => scoring(given, -0.001),
    "spoils the scores that it was given": (_: Fragment[], nominated: Float64Array) => ({
      scores: nominated.fill(Number.NaN),
    }),
    "answers with a baseline that is not a number": (given: Fragment[]) => ({
      ...scoring(given, 0.5),
      baseline: Number.NaN,
    }),
    "answers with parts for too few fragments": (given: Fragment[]) => ({
      ...scoring(given, 0.5),
      parts: partsOf(given.length - 1, 0.5),
    }),
    "answers with parts that are not numbers": (given: Fragment[]) => ({
      ...scoring(given, 0.5),
      parts: partsOf(given.length, Number.NaN),
    }),
  },
  packer: {
    "spends more than there is": packing(({ scores }) => ({ chosenBy: new Uint8Array(scores.length).fill(1) })),
    "answers for too few fragments": packing(() => ({ chosenBy: new Uint8Array(1) })),
    "answers for too many fragments": packing(({ scores }) => ({ chosenBy: new Uint8Array(scores.length + 1) })),
    "names a strategy that did not run": packing(() => ({ chosenBy: Uint8Array.of(77, 0, 0, 0) })),
    "names a fragment uninvited that was": packing(() => ({ chosenBy: Uint8Array.of(NOT_NOMINATED, 0, 0, 0) })),
    "drops a fragment for a reason of selected ones": packing(({ nominations: list, fragments }) => ({
      chosenBy: new Uint8Array(4),
      unreachable: new Map([[fragments[list[0]!.positions[0]!]!, Reason.CHOSEN]]),
    })),
    "drops what it selects": packing(({ nominations: list, fragments }) => ({
      chosenBy: Uint8Array.of(1, 0, 0, 0),
      unreachable: new Map([[fragments[list[0]!.positions[0]!]!, Reason.OVER_BUDGET]]),
    })),
    "says that a stranger was out of reach": packing(() => ({
      chosenBy: new Uint8Array(4),
      unreachable: new Map([[stranger, Reason.OTHER_VARIANT]]),
    })),
  },
  orderer: {
    "adds a stranger": (given: Fragment[]) => [...given, stranger],
    "answers with a fragment twice": (given: Fragment[]) => [...given, given[0]],
    "drops a fragment": (given: Fragment[]) => given.slice(1),
    "answers with copies": (given: Fragment[]) => given.map((fragment) => ({ ...fragment })),
  },
  preamble_generator: {
    "answers with a number": () => 7,
  },
  skeleton_compressor: {
    "answers with a price below 0": (given: Fragment[]) => [{ ...given[0]!, tokenCount: -1 }],
    "answers with a price that is not whole": (given: Fragment[]) => [{ ...given[0]!, tokenCount: 0.5 }],
    "answers with a price that is not a number": (given: Fragment[]) => [{ ...given[0]!, tokenCount: Number.NaN }],
  },
};

function shares(first: number, second: number, order?: "reversed") {
  return (_tokens: number, candidates: { strategy: string; confidence: number }[]) => {
    const answer = candidates.map((candidate, i) => ({ ...candidate, tokens: [first, second][i]! }));
    return order === undefined ? answer : answer.reverse();
  };
}

function scoring(given: readonly Fragment[], score: number) {
  return { scores: new Float64Array(given.length).fill(score) };
}

function partsOf(count: number, part: number) {
  const column = () => new Float64Array(count).fill(part);
  return { relevance: column(), hierarchy: column(), quality: column(), recency: column(), original: column() };
}

type ExecutorInput = Parameters<StageContracts["strategy_executor"]["execute"]>[0];

/** What honest strategies nominate, changed. */
function nominations(change: (honest: Nomination[]) => unknown) {
  return async ({ allocations, ...input }: ExecutorInput) => {
    const honest: Nomination[] = [];
    for (const { implementation, ...allocation } of allocations) {
      honest.push({ ...allocation, ...(await implementation.rank(input, testRun())) });
    }
    return change(honest);
  };
}

function alone(fragment: Fragment) {
  return { fragment, alternatives: [] };
}

for (const role of STAGES) {
  for (const [what, answer] of Object.entries(breaches[role])) {
    test(`a ${role} that ${what} is named`, async () => {
      const registry = registryWith(role, answering(role, answer as () => unknown));
      await checkCulprit(registry, { ...draft, ...using(role) }, { role, component: "bad" });
    });
  }
}
