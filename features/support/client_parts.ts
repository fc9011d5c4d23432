/** Components and strategies as a client would write them: a few honest lines each. */
import { FragmentField } from "../../gen/acms/v1/hosted_component.js";
import { DeduplicatorOutput, ScorerOutput, StrategyOutput } from "../../gen/acms/v1/hosted_stage.js";
import type { ClientPart } from "./hosting.js";

/** The positions of a list, the last first. */
const backwards = ({ length }: readonly unknown[]): number[] => Array.from({ length }, (_, i) => length - 1 - i);

/** Ranks the last given fragment first. */
export const lastFirst: ClientPart = {
  kind: "strategy",
  declared: { confidence: 0.5, explanation: "Ranks fragments from the last given to the first." },
  answer: ({ fragments }) => StrategyOutput.fromPartial({ nominated: backwards(fragments) }),
};

/** Nominates nothing, and is as confident as any. */
export const wantNothing: ClientPart = {
  kind: "strategy",
  declared: { confidence: 0.8, explanation: "Ranks nothing." },
  answer: () => StrategyOutput.fromPartial({}),
};

/** Ranks by depth, the deepest first, with the depth as the score. */
export const deepestFirst: ClientPart = {
  kind: "strategy",
  declared: { needs: [FragmentField.FRAGMENT_FIELD_DETAIL_DEPTH] },
  answer: ({ fragments }) => {
    const depthOf = (i: number): number => fragments[i]!.detailDepth ?? 0;
    const nominated = [...fragments.keys()].sort((a, b) => depthOf(b) - depthOf(a));
    return StrategyOutput.fromPartial({ nominated, scores: nominated.map((i) => depthOf(i) / 9) });
  },
};

/** Chooses what the request names. */
export const asNamed: ClientPart = {
  kind: "strategySelector",
  answer: ({ hint, strategies }) => ({ candidates: strategies.filter(({ strategy }) => hint.includes(strategy)) }),
};

/** Chooses nothing. */
export const chooseNone: ClientPart = { kind: "strategySelector", answer: () => ({ candidates: [] }) };

/** Gives half of the tokens away, in equal shares. */
export const halfOfIt: ClientPart = {
  kind: "budgetAllocator",
  answer: ({ tokens, candidates }) => ({ tokens: candidates.map(() => Math.floor(tokens / 2 / candidates.length)) }),
};

/** Asks no strategy, and nominates the last given fragment first. */
export const nominateLastFirst: ClientPart = {
  kind: "strategyExecutor",
  answer: ({ allocations, fragments }) => ({
    nominations: allocations.map(() => StrategyOutput.fromPartial({ nominated: backwards(fragments) })),
  }),
};

/** Keeps the first fragment of each node. */
export const onePerNode: ClientPart = {
  kind: "deduplicator",
  declared: { needs: [FragmentField.FRAGMENT_FIELD_UKO_NODE] },
  answer: ({ fragments }) => {
    const survivorOf = fragments.map(({ ukoNode }) => fragments.findIndex((other) => other.ukoNode === ukoNode));
    const kept = survivorOf.filter((survivor, i) => survivor === i);
    const duplicates = survivorOf.flatMap((survivor, copy) => (survivor === copy ? [] : [{ copy, survivor }]));
    return DeduplicatorOutput.fromPartial({ kept, duplicates });
  },
};

/** Lets the shallowest of each node stand for the others. */
export const shallowestPerNode: ClientPart = {
  kind: "depthResolver",
  answer: ({ fragments }) => {
    const depthOf = (i: number): number => fragments[i]!.detailDepth ?? 0;
    const nodes = [...new Set(fragments.map(({ ukoNode }) => ukoNode))];
    const resolutions = nodes.map((node) => {
      const same = [...fragments.keys()].filter((i) => fragments[i]!.ukoNode === node);
      const [fragment, ...alternatives] = same.sort((a, b) => depthOf(a) - depthOf(b));
      return { fragment: fragment!, alternatives: alternatives.reverse() };
    });
    return { resolutions };
  },
};

/** Scores fragments from the last given to the first. */
export const lastBest: ClientPart = {
  kind: "scorer",
  declared: { needs: [FragmentField.FRAGMENT_FIELD_RELEVANCE_SCORE] },
  answer: ({ fragments }) =>
    ScorerOutput.fromPartial({ scores: fragments.map((_, i) => (i + 1) / fragments.length), baseline: 0 }),
};

/** Takes the cheapest fragments first. */
export const cheapestFirst: ClientPart = {
  kind: "packer",
  answer: ({ tokenCounts, tokens }) => {
    let left = tokens;
    const chosen = [...tokenCounts.keys()]
      .sort((a, b) => tokenCounts[a]! - tokenCounts[b]!)
      .filter((i) => {
        const fits = tokenCounts[i]! <= left;
        if (fits) left -= tokenCounts[i]!;
        return fits;
      });
    return { chosen };
  },
};

/** Takes everything, whatever there is to spend. */
export const takeAll: ClientPart = {
  kind: "packer",
  answer: ({ tokenCounts }) => ({ chosen: [...tokenCounts.keys()] }),
};

/** Reads from the last to the first. */
export const readBackwards: ClientPart = {
  kind: "orderer",
  answer: ({ fragments }) => ({ order: backwards(fragments) }),
};

/** Loses every fragment, which no orderer may do. */
export const loseAll: ClientPart = { kind: "orderer", answer: () => ({ order: [] }) };

/** Writes how many fragments there are. */
export const countFragments: ClientPart = {
  kind: "preambleGenerator",
  answer: ({ fragments }) => ({ text: `Custom preamble: ${fragments.length} fragments` }),
};

/** Keeps so many characters of each content. */
export function keepCharacters(characters: number): ClientPart {
  return {
    kind: "skeletonCompressor",
    answer: ({ fragments }) => ({
      outline: fragments.map(({ content }, fragment) => ({
        fragment,
        content: content.slice(0, characters),
        detailDepth: undefined,
      })),
    }),
  };
}

/** Counts words. */
export const countWords: ClientPart = {
  kind: "tokenCounter",
  answer: ({ texts }) => ({ counts: texts.map((text) => text.split(/\s+/).filter((word) => word !== "").length) }),
};
