import { compile } from "./compile.js";
import { evaluate } from "./evaluate.js";
import type { FieldName } from "./fields.js";
import type { Column, PackedFragments } from "./messages.js";

/** Enough for most of it: a tenth of a second, which halves the time of the first evaluation of many fragments. */
const ROUNDS = 300;

const SAMPLES = [
  'fragment.role == "tool" ? 1.0 : fragment.relevance_score * 0.5 - 1.0 / (2.0 + age_days)',
  'has(fragment.metadata.topic) && fragment.metadata.topic.startsWith("s") ? size(fragment.content) : fragment.token_count + 1',
  'now - fragment.created_at < duration("24h") || fragment.requires.exists(id, id in ["a", "b"]) ? 1.0 : 0.0',
  'fragment.content.contains(query) || fragment.content.matches("(?i)to-?do") ? {"hot": 2.0, "warm": 1.0}[fragment.tier] : 0.0',
];

/** Evaluates made-up fragments: the first evaluation in a thread takes many times as long as the next, and its time is limited. */
export function warmUp(): void {
  const fragments = sampleFragments();
  for (const score of SAMPLES) {
    evaluate(
      { score: compile(score, "number") },
      { kind: "evaluate", where: "", score, fragments, query: "do", now: [1_000_000, 0] },
    );
  }
}

function sampleFragments(): PackedFragments {
  const rounds = Array.from({ length: ROUNDS }, (_, i) => i);
  const texts = (...choices: string[]) => rounds.map((i) => choices[i % choices.length]!);
  return {
    count: ROUNDS,
    columns: new Map<FieldName, Column>([
      ["role", texts("tool", "user", "")],
      ["tier", texts("hot", "warm")],
      ["content", texts("to do", "done", "a dog ran over a hill")],
      ["relevance_score", Float64Array.from(rounds, (i) => i / ROUNDS)],
      ["token_count", Float64Array.from(rounds)],
      ["created_at", Float64Array.from([...rounds, ...rounds], (i) => i * 500)],
      ["requires", rounds.map((i) => (i % 2 === 0 ? [] : ["a", "c"]))],
    ]),
    metadata: new Map([["topic", texts("sea", "air")]]),
  };
}
