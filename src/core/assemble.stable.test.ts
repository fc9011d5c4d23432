/** Conversations that outgrow their budget, turn by turn, each turn with the payload before it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contentHash } from "./context-hash.js";
import { assembled, budgetOf, fragmentDraft, idsOf, pipelineDraft, requestDraft } from "./drafts.fixture.js";
import type { FragmentDraft } from "./model/fragment.js";
import type { Payload } from "./model/payload.js";
import type { RequestDraft } from "./model/request.js";
import type { Registry } from "./registry.js";

const messages = (count: number): FragmentDraft[] =>
  Array.from({ length: count }, (_, i) =>
    fragmentDraft({
      fragmentId: `m${i + 1}`,
      ukoNode: "chat://1",
      content: `message ${i + 1}`,
      tokenCount: 100,
      role: 2,
      createdAt: { seconds: 1_000 + i, nanos: 0 },
    }),
  );

const previousOf = ({ fragments }: Payload) => ({
  fragments: fragments.map(({ fragmentId, content }) => ({ fragmentId, contentHash: contentHash(content) })),
});

const codesOf = ({ warnings }: Payload) => warnings.map(({ code }) => code);

/** Turns of a conversation that begins with so many messages, each with the payload before it. */
async function talk(turns: number, fields: Partial<RequestDraft>, registry?: Registry): Promise<Payload[]> {
  const payloads: Payload[] = [];
  for (let turn = 0; turn <= turns; turn++) {
    const last = payloads.at(-1);
    const draft = requestDraft({ budget: budgetOf(5_000), ...fields, fragments: messages(100 + turn) });
    payloads.push(await assembled({ ...draft, ...(last && { previous: previousOf(last) }) }, registry));
  }
  return payloads;
}

/** The numbers of the turns after which nothing of the payload before is left in place, or not all of it. */
const breaksIn = (payloads: readonly Payload[]): number[] =>
  payloads.flatMap(({ stablePrefixTokens }, turn) =>
    turn > 0 && stablePrefixTokens !== payloads[turn - 1]!.totalTokens ? [turn] : [],
  );

const recency = [{ name: "recency" }];
const window = [
  { name: "sliding_window", config: { $case: "slidingWindow" as const, value: { windowSize: 200, windowMode: 1 } } },
];
const stable = { pipeline: pipelineDraft({ orderer: "stable" }) };

for (const [name, fields] of Object.entries<Partial<RequestDraft>>({
  recency: { ...stable, strategies: recency },
  "a window": { ...stable, strategies: window },
  "recency in fusion": { pipeline: pipelineDraft({ orderer: "stable", profile: "fusion" }), strategies: recency },
  "recency packed for value": {
    pipeline: pipelineDraft({ orderer: "stable", packer: "optimal" }),
    strategies: recency,
  },
})) {
  test(`in nineteen turns the prefix breaks once: ${name}`, async () => {
    const payloads = await talk(19, fields);
    assert.deepEqual(breaksIn(payloads), [1]);
    assert.deepEqual(payloads.map(codesOf), [[], ["cut_to_low_water_mark"], ...Array(18).fill([])]);
    assert.deepEqual(
      payloads.map(({ totalTokens }) => totalTokens),
      [5_000, 3_000, ...Array.from({ length: 18 }, (_, i) => 3_100 + 100 * i)],
    );
    payloads.slice(1).forEach(({ fragments }, i) => {
      assert.deepEqual(idsOf(fragments), idsOf(messages(101 + i).slice(71)), "and what is there has no hole");
    });
  });
}

test("under another orderer the marks do not act, and it breaks at every turn", async () => {
  const payloads = await talk(5, { pipeline: pipelineDraft({ orderer: "chronological" }), strategies: recency });
  assert.deepEqual(breaksIn(payloads), [1, 2, 3, 4, 5]);
  assert.ok(payloads.every(({ totalTokens }) => totalTokens === 5_000));
});
