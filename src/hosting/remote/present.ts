/** The stages that present, and the token counter, spoken over a stream. */
import type { OutlineFragment } from "../../../gen/acms/v1/hosted_stage.js";
import type {
  Answering,
  Fragment,
  Orderer,
  PreambleGenerator,
  SkeletonCompressor,
  TokenCounter,
} from "../../core/index.js";
import type { HostedComponent } from "../hosted-component.js";
import { AnswerFault, fragmentAt, fragmentsAtPositions } from "../wire.js";
import { asInt32 } from "./choose.js";
import { patienceOf, type RemoteFactory } from "./questions.js";

export const remoteOrderer: RemoteFactory<Orderer & Answering> = (component, stage) => ({
  order: (selected, { previous }, run) =>
    component.ask(
      { $case: "orderer", fragments: selected, value: { previous: [...previous] } },
      patienceOf(run, stage),
      ({ order }) => fragmentsAtPositions(selected, order),
    ),
  rejected: (fault, answer) => component.rejected(fault, answer),
});

export const remotePreamble: RemoteFactory<PreambleGenerator & Answering> = (component, stage) => ({
  generate: ({ selected, strategiesUsed, dropped, maxTokens }, run) =>
    component.ask(
      {
        $case: "preambleGenerator",
        fragments: selected,
        value: {
          strategiesUsed: [...strategiesUsed],
          dropped: [...dropped].sort(([a], [b]) => a - b).map(([reason, count]) => ({ reason, count })),
          maxTokens: asInt32(maxTokens),
        },
      },
      patienceOf(run, stage),
      ({ text }) => text,
    ),
  rejected: (fault, answer) => component.rejected(fault, answer),
});

export const remoteCompressor: RemoteFactory<SkeletonCompressor & Answering> = (component, stage) => ({
  compress: (parents, maxTokens, run) =>
    component.ask(
      { $case: "skeletonCompressor", fragments: parents, value: { maxTokens: asInt32(maxTokens) } },
      patienceOf(run, stage),
      ({ outline }) => outline.map((one) => outlined(one, parents)),
    ),
  rejected: (fault, answer) => component.rejected(fault, answer),
});

/** A fragment of an outline. Its tokens are the server's to count, whatever it cost before. */
function outlined({ fragment, content, detailDepth }: OutlineFragment, parents: readonly Fragment[]): Fragment {
  const parent = fragmentAt(parents, fragment);
  if (content === undefined && detailDepth === undefined) return parent;
  return { ...parent, content: content ?? parent.content, detailDepth: detailDepth ?? parent.detailDepth };
}

/** A token counter that is hosted, for one run. */
export function remoteCounter(component: HostedComponent, remainingMs: (() => number) | undefined): TokenCounter {
  return {
    name: component.name,
    estimated: component.declaration.estimates,
    count: async (texts, signal) => {
      if (texts.length === 0) return [];
      return component.ask(
        { $case: "tokenCounter", value: { texts: [...texts] } },
        patienceOf({ signal, ...(remainingMs !== undefined && { remainingMs }) }, {}),
        ({ counts }) => {
          if (counts.length !== texts.length || counts.some((count) => count < 0)) {
            throw new AnswerFault("answered with something else than a count from 0 for each text");
          }
          if (counts.some((count, i) => count > 0 && texts[i] === "")) {
            throw new AnswerFault("counted tokens in an empty text");
          }
          return counts;
        },
      );
    },
  };
}
