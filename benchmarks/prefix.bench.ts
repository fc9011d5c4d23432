import { PipelineSpec } from "../gen/acms/v1/component.js";
import { ContextFragment, Role } from "../gen/acms/v1/fragment.js";
import { createApp } from "../src/app.js";
import { contentHash, type Payload, type StrategySpecDraft, TraceLevel } from "../src/core/index.js";
import type { Figures } from "./report.js";

const FIRST_MESSAGES = 100;
const TURNS = 100;
const MESSAGE_TOKENS = 100;
const BUDGET_TOKENS = 5_000;

const ORDERERS = ["strategy", "chronological", "stable"] as const;

/** Strategies by their part of the keys: a window larger than the budget, and one that is just as large. */
const STRATEGIES: readonly (readonly [string, StrategySpecDraft])[] = [
  ["recency", { name: "recency" }],
  ["window_100", windowOf(100)],
  ["window_50", windowOf(50)],
];

/**
 * A conversation that is longer than its budget and grows by a message a turn: how often the payload no longer begins
 * with the whole of the last one, and how much of it a provider's prefix cache still holds. Nothing is timed here.
 */
export async function benchPrefix(figures: Figures): Promise<void> {
  for (const [strategy, spec] of STRATEGIES) {
    for (const orderer of ORDERERS) {
      const { breaks, kept, sent } = await converse(spec, orderer);
      figures.add(`prefix_breaks_${strategy}_${orderer}`, breaks);
      figures.add(`prefix_kept_tokens_${strategy}_${orderer}`, kept / TURNS);
      figures.add(`prefix_sent_tokens_${strategy}_${orderer}`, sent / TURNS);
    }
  }
}

/** Breaks, and tokens kept as prefix and sent, over all turns. */
async function converse(strategy: StrategySpecDraft, orderer: string) {
  let last = await assemble({ messages: FIRST_MESSAGES, strategy, orderer });
  let breaks = 0;
  let kept = 0;
  let sent = 0;
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const payload = await assemble({ messages: FIRST_MESSAGES + turn, strategy, orderer, previous: last });
    checkTurn(payload, last, FIRST_MESSAGES + turn - 1);
    breaks += payload.stablePrefixTokens < last.totalTokens ? 1 : 0;
    kept += payload.stablePrefixTokens;
    sent += payload.totalTokens;
    last = payload;
  }
  return { breaks, kept, sent };
}

const app = createApp();
const { signal } = new AbortController();

interface Turn {
  readonly messages: number;
  readonly strategy: StrategySpecDraft;
  readonly orderer: string;
  readonly previous?: Payload;
}

async function assemble({ messages, strategy, orderer, previous }: Turn): Promise<Payload> {
  const known = previous?.fragments.map(({ fragmentId, content }) => ({
    fragmentId,
    contentHash: contentHash(content),
  }));
  const draft = {
    requestId: "",
    fragments: Array.from({ length: messages }, (_, position) => createMessage(position)),
    budget: { maxTokens: BUDGET_TOKENS, reservedTokens: 0, sections: [] },
    strategies: [strategy],
    pipeline: PipelineSpec.fromPartial({ orderer }),
    query: "",
    parentFragments: [],
    trace: TraceLevel.NONE,
    contentMode: 0,
    previous: known && { fragments: known },
  };
  const { payload } = await app.assemble(draft, "", { namespace: "", signal });
  return payload;
}

function createMessage(position: number): ContextFragment {
  return ContextFragment.fromPartial({
    fragmentId: `message-${position}`,
    ukoNode: "chat://session/1",
    content: `Message ${position}.`,
    tokenCount: MESSAGE_TOKENS,
    role: Role.ROLE_USER,
    createdAt: { seconds: 1_700_000_000 + position * 60, nanos: 0 },
  });
}

/** Counts by hand what the payload says, and looks for the newest message: a start that is kept is no use without it. */
function checkTurn(
  { fragments, stablePrefixTokens, totalTokens }: Payload,
  { fragments: before }: Payload,
  newest: number,
): void {
  let same = 0;
  while (same < before.length && before[same]?.fragmentId === fragments[same]?.fragmentId) {
    same += 1;
  }
  if (stablePrefixTokens !== same * MESSAGE_TOKENS || totalTokens > BUDGET_TOKENS) {
    throw new Error(`${stablePrefixTokens} tokens are said to be kept; they are ${same * MESSAGE_TOKENS}.`);
  }
  if (!fragments.some(({ fragmentId }) => fragmentId === `message-${newest}`)) {
    throw new Error(`Message ${newest}, the newest, is missing.`);
  }
}

function windowOf(windowSize: number): StrategySpecDraft {
  return { name: "sliding_window", config: { $case: "slidingWindow", value: { windowSize, windowMode: 1 } } };
}
