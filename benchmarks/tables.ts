import { PACKING_TABLES } from "./packing-tables.js";
import type { Table } from "./table.js";

const SIZES = [
  { label: "100", key: "100" },
  { label: "1,000", key: "1k" },
  { label: "10,000", key: "10k" },
  { label: "100,000", key: "100k" },
];

/** What the report shows, in order. */
export const TABLES: readonly Table[] = [
  {
    title: "The core",
    note: `Parsed fragments of 400 characters in, a sealed payload with the trace of the dropped ones out; the budget is half of
all tokens. The floor is a bare loop beside it: radix sort on the score, filling, one SHA-256 for each content as it is
kept. The tuned floor hashes as the core does, in the order of the input, in which the contents lie in memory.`,
    columns: [
      { heading: "core", pattern: "core_*_ms" },
      { heading: "floor", pattern: "floor_*_ms" },
      { heading: "core / floor", pattern: "core_over_floor_*", aims: { core_over_floor_10k: "aim: at most 1.3" } },
      { heading: "tuned floor", pattern: "tuned_floor_*_ms" },
      { heading: "core / tuned floor", pattern: "core_over_tuned_floor_*" },
    ],
    rows: SIZES,
  },
  {
    title: "Growth",
    note: "Exponent of the core's time over the number of fragments: 1 is linear.",
    columns: [{ heading: "exponent", pattern: "growth_*" }],
    rows: [{ label: "1,000 to 100,000", key: "1k_to_100k" }],
  },
  {
    title: "Fusion and expressions at 10,000 fragments",
    note: `The profile \`fusion\` with all its parts, a \`provenance\` preamble and the outline of 200 parents among them, beside
\`direct\`; and one expression over all fragments, in the threads that a server has.`,
    columns: [
      { heading: "ms", pattern: "*_10k_ms" },
      {
        heading: "over direct",
        pattern: "*_over_direct_10k",
        aims: { fusion_over_direct_10k: "aim: at most 3" },
      },
    ],
    rows: [
      { label: "direct", key: "direct" },
      { label: "fusion", key: "fusion" },
      { label: "one expression", key: "expression" },
    ],
  },
  ...PACKING_TABLES,
  {
    title: "Rivals at 10,000 fragments",
    note: `Each on the job that it can do, with counts given beforehand, and the core on the same job in the same run: LangChain
keeps the newest, the others keep by priority. The budget is just what the better half costs, since all three stop at the
first miss. In its ordinary form each starts from the same fragments, makes its own objects of them, and looks their counts
up in a table, by id or text:

- LangChain: one \`HumanMessage\` a fragment, and a counter that adds up the counts of the messages it is given.
- priompt: one \`scope\` a fragment, all in one text, and a tokenizer that looks up the parts of the text it is given.
- prompt-tsx: one element a fragment that renders a \`UserMessage\`, and a tokenizer that looks up each message's text.

"Tuned" is the least that the library can take. LangChain's messages and priompt's elements exist beforehand and carry their
counts, so that no text is looked at; prompt-tsx has bare messages without elements, which a rendering writes into, so that
they cannot exist beforehand, but its table does. priompt is measured in the fork \`@impowering/priompt\`: the original is no
longer on npm. Before each turn of each, untimed, garbage is collected, and whoever answers within 150 ms runs for so long:
after the slow ones a quick one would else be measured with their heap. The tuned floor of the first table stands beside the core: a
rival can never be more times the core than it is times the floor.`,
    columns: [
      { heading: "ms", pattern: "*_10k_ms" },
      {
        heading: "times the core",
        pattern: "core_vs_*_10k",
        aims: {
          core_vs_langchain_10k: "aim: at least 55",
          core_vs_priompt_10k: "aim: at least 14",
          core_vs_prompt_tsx_10k: "aim: at least 500",
        },
      },
    ],
    rows: [
      { label: "core, newest first", key: "core_newest" },
      { label: "LangChain `trimMessages`", key: "langchain" },
      { label: "LangChain `trimMessages`, tuned", key: "langchain_tuned" },
      { label: "core, by priority", key: "core_priority" },
      { label: "the tuned floor, by priority", key: "floor_priority" },
      { label: "priompt", key: "priompt" },
      { label: "priompt, tuned", key: "priompt_tuned" },
      { label: "`@vscode/prompt-tsx`", key: "prompt_tsx" },
      { label: "`@vscode/prompt-tsx`, tuned", key: "prompt_tsx_tuned" },
    ],
  },
  {
    title: "Over loopback",
    note: `The generated client in this process, the server in another, as \`acms serve\` runs it with its defaults; all fragments
kept, with the trace of the dropped ones. The echo, in the server's process on a port of its own, decodes the same request
and encodes the same payload, made beforehand, through the same adapter. One call a turn.`,
    columns: [
      { heading: "Assemble", pattern: "wire_*_ms" },
      { heading: "echo", pattern: "wire_echo_*_ms" },
      { heading: "Assemble / echo", pattern: "wire_over_echo_*", aims: { wire_over_echo_1k: "aim: at most 1.35" } },
    ],
    rows: SIZES.slice(0, 3),
  },
  {
    title: "The trace over loopback",
    note: `The same client and server, half of the tokens kept: what it costs to be told why the dropped fragments, or all of them,
are in or out (\`TRACE_DROPPED\` is the default), over calls with \`TRACE_NONE\`, in turn in one run.`,
    columns: [
      { heading: "none", pattern: "wire_trace_none_*_ms" },
      { heading: "dropped", pattern: "wire_trace_dropped_*_ms" },
      { heading: "full", pattern: "wire_trace_full_*_ms" },
      { heading: "dropped / none", pattern: "wire_trace_dropped_over_none_*" },
      {
        heading: "full / none",
        pattern: "wire_trace_full_over_none_*",
        aims: {
          wire_trace_full_over_none_1k: "aim: at most 1.15",
          wire_trace_full_over_none_10k: "aim: at most 1.25",
        },
      },
    ],
    rows: SIZES.slice(1, 3),
  },
  {
    title: "The event loop of a server",
    note: `The longest that one piece of work holds it, in milliseconds, while \`optimal\` packs 9,999 fragments under \`fusion\`: 3,333
nodes of three variants, a tenth of the tokens to spend; plain, and linked, with a fifth of the nodes in groups and a tenth
of all fragments that require another. From the bytes of a request to those of its answer, in five servers each: the first
call of a server, and the four after it. Median and worst.`,
    columns: [
      { heading: "first call", pattern: "loop_first_*_ms" },
      { heading: "worst", pattern: "loop_first_*_max_ms" },
      { heading: "next calls", pattern: "loop_next_*_ms" },
      { heading: "worst", pattern: "loop_next_*_max_ms" },
    ],
    rows: [
      { label: "plain", key: "plain" },
      { label: "linked", key: "linked" },
    ],
  },
  {
    title: "Starts that stay, over 100 turns",
    note: `A conversation of 100 messages of 100 tokens each, of which 5,000 tokens may stay, and 100 turns with one more message each.
Every turn sends the payload before it as \`previous\`. A turn breaks the prefix where its payload no longer begins with all
of the last one; what is left of it is what a provider's prefix cache still holds. \`stable\` pays for its few breaks with
payloads that are shorter on average. Nothing is timed here, and no aim is set.`,
    columns: [
      { heading: "breaks in 100 turns", pattern: "prefix_breaks_*" },
      { heading: "tokens kept as prefix, mean", pattern: "prefix_kept_tokens_*" },
      { heading: "tokens sent, mean", pattern: "prefix_sent_tokens_*" },
    ],
    rows: [
      { key: "recency", label: "`recency`" },
      { key: "window_100", label: "`sliding_window` of 100 messages" },
      { key: "window_50", label: "`sliding_window` of 50 messages, the budget" },
    ].flatMap(({ key, label }) =>
      ["strategy", "chronological", "stable"].map((orderer) => ({
        label: `${label}, \`${orderer}\``,
        key: `${key}_${orderer}`,
      })),
    ),
  },
  {
    title: "Hosted components",
    note: `The server in this process, the host in another, over loopback. The overhead is what an assembly of 1,000 fragments takes more
with a hosted scorer that gives back what it got, without the texts, than with a built-in one that does the same. A host that is killed or
frozen has one question open; the heartbeat interval is 500 ms, and two intervals of silence are allowed. The memory is what 10,000 hosts
that came and left in order leave behind in the server, after 1,000 before them.`,
    columns: [
      {
        heading: "measured",
        pattern: "*",
        aims: {
          hosted_scorer_ms: "aim: at most 1.5",
          host_killed_max_ms: "aim: at most 50",
          host_frozen_heartbeats: "aim: at most 2",
          host_cycles_heap_mb: "aim: below 3",
          host_cycles_resident_mb: "aim: below 20",
        },
      },
    ],
    rows: [
      { label: "overhead of a hosted scorer, ms", key: "hosted_scorer_ms" },
      { label: "a killed host is noticed after, ms", key: "host_killed_ms" },
      { label: "the same at worst, ms", key: "host_killed_max_ms" },
      { label: "a frozen host is noticed after at worst, heartbeat intervals", key: "host_frozen_heartbeats" },
      { label: "one host that comes and goes, ms", key: "host_cycle_ms" },
      { label: "growth of the heap, MiB", key: "host_cycles_heap_mb" },
      { label: "growth of resident memory, MiB", key: "host_cycles_resident_mb" },
    ],
  },
];
