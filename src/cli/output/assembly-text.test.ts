import assert from "node:assert/strict";
import { test } from "node:test";
import { AssembleRequest, AssembleResponse } from "../../../gen/acms/v1/assembly_service.js";
import { Outcome, Reason, TraceLevel } from "../../core/index.js";
import { openInProcess } from "../door/in-process.js";
import { type AssemblyView, assemblyText } from "./assembly-text.js";
import { widthOf } from "./fit-text.js";

const terminal = { width: 70, colour: false };

async function view(request: Parameters<typeof AssembleRequest.fromPartial>[0]): Promise<AssemblyView> {
  const whole = AssembleRequest.fromPartial(request);
  return { request: whole, response: await openInProcess().assemble(whole), terminal, limit: 2 };
}

function fragment(fragmentId: string, tokenCount: number, relevanceScore: number) {
  return { fragmentId, ukoNode: `project://app/${fragmentId}`, content: fragmentId, tokenCount, relevanceScore };
}

test("an answer shows the budget, what was kept, and what was dropped and lacks how much", async () => {
  const fragments = [fragment("a.ts", 40, 0.9), fragment("b.ts", 30, 0.8), fragment("c.ts", 50, 0.7)];
  const shown = await view({ fragments, budget: { maxTokens: 100, reservedTokens: 20, sections: [] } });
  const hash = shown.response.payload?.contextHash.slice(0, 16);
  assert.deepEqual(assemblyText(shown), [
    "70 of 80 tokens  87.5%",
    `${"█".repeat(49)}${"·".repeat(7)}${"░".repeat(14)}`,
    "█ kept 70   · free 10   ░ reserved 20",
    "value 1.700 of at most 1.800 (gap 5.6%, not proven the greatest)",
    "",
    "Kept 2 of 3  by relevance",
    "   tokens  relevance",
    "       40       0.90  a.ts",
    "       30       0.80  b.ts",
    "",
    "Dropped 1",
    "  over budget 1  What was left at its turn was not enough for it.",
    "   tokens      lacks",
    "       50         40  c.ts",
    "",
    `all counts as declared; context hash ${hash}…`,
  ]);
});

test("long lists end with how many more there are, and what the next tokens let in comes first", async () => {
  const fragments = [5, 6, 7, 200, 300, 250].map((tokens, i) => fragment(`f${i}`, tokens, 0.9 - i / 10));
  const lines = assemblyText(await view({ fragments, budget: { maxTokens: 100, reservedTokens: 0, sections: [] } }));
  assert.deepEqual(lines.slice(5), [
    "Kept 3 of 6  by relevance",
    "   tokens  relevance",
    "        5       0.90  f0",
    "        6       0.80  f1",
    "   and 1 more, 7 tokens",
    "",
    "Dropped 3",
    "  over budget 3  What was left at its turn was not enough for it.",
    "   tokens      lacks",
    "      200        118  f3",
    "      250        368  f5",
    "   and 1 more, 300 tokens",
    "",
    lines.at(-1),
  ]);
});

test("a fragment without an id goes by its node, and nobody's count is no number", async () => {
  const fragments = [
    { ukoNode: "project://app/a", content: "text" },
    { ukoNode: "project://app/b", content: "long ".repeat(100) },
  ];
  const text = assemblyText(await view({ fragments, budget: { maxTokens: 10, reservedTokens: 0, sections: [] } }));
  assert.ok(text.includes("        1       0.50  project://app/a"));
  assert.ok(text.includes("        ?        116  project://app/b"));
  assert.match(text.at(-1) ?? "", /^some counts estimated by chars4; /);
});

test("every line fits the terminal, and no name can steer it", async () => {
  const names = [`src/${"deep/".repeat(20)}file.ts`, "日本語".repeat(20), "\u001b[2Jgone\nnext"];
  const fragments = names.map((name, i) => fragment(name, 60, 0.9 - i / 10));
  const shown = assemblyText(await view({ fragments, budget: { maxTokens: 130, reservedTokens: 0, sections: [] } }));
  for (const line of shown) {
    assert.ok(widthOf(line) <= terminal.width, line);
    assert.doesNotMatch(line, /\p{Cc}/u);
  }
  assert.ok(shown.some((line) => line.includes("\\u{001b}[2Jgone\\u{000a}next")));
});

test("marks, relations, estimates and warnings are shown where there are any", () => {
  const ids = ["pin", "copy", "other"].map((fragmentId) => ({ fragmentId }));
  const request = AssembleRequest.fromPartial({ fragments: ids });
  const response = AssembleResponse.fromPartial({
    payload: {
      fragments: [{ fragmentId: "pin", tokenCount: 5 }],
      totalTokens: 5,
      availableTokens: 10,
      budgetUsed: 0.5,
      budget: { maxTokens: 10 },
      strategiesUsed: ["one", "two"],
      decisions: [
        { fragmentId: "pin", inputIndex: 0, outcome: Outcome.SELECTED, reason: Reason.PINNED },
        { inputIndex: 1, outcome: Outcome.DROPPED, reason: Reason.DUPLICATE, relatedFragmentId: "pin" },
        { inputIndex: 2, outcome: Outcome.DROPPED, reason: Reason.OVER_BUDGET, tokensMissing: 3 },
      ],
      warnings: [{ code: "preamble_cut", message: "the preamble was cut" }],
    },
  });
  const text = assemblyText({ request, response, terminal, limit: 5 });
  for (const line of [
    "Kept 1 of 3  by one, two",
    "        5             pin  pinned",
    "  duplicate 1  Another one says the same.",
    "        ?             copy  same as pin",
    "        ?         ~3  other",
    "Warnings",
    "  preamble_cut: the preamble was cut",
  ]) {
    assert.ok(text.includes(line), `${line}\n in\n${text.join("\n")}`);
  }
});

test("with a previous payload one line tells how much of the start is as it was", async () => {
  const request = {
    fragments: [fragment("a", 1_200, 0.9), fragment("b", 60, 0.8)],
    budget: { maxTokens: 2_000, reservedTokens: 0, sections: [] },
  };
  const lineOf = async (previous?: { fragments: { fragmentId: string }[] }) =>
    assemblyText(await view({ ...request, ...(previous && { previous }) })).filter((line) => /prefix/.test(line));
  assert.deepEqual(await lineOf({ fragments: [{ fragmentId: "a" }, { fragmentId: "c" }] }), [
    "Stable prefix 1,200 of 1,260 tokens",
  ]);
  assert.deepEqual(await lineOf({ fragments: [{ fragmentId: "c" }] }), ["Stable prefix 0 of 1,260 tokens"]);
  assert.deepEqual(await lineOf(), []);
});

test("without a trace the dropped are counted", async () => {
  const request = {
    fragments: [fragment("a", 50, 0.5)],
    budget: { maxTokens: 10, reservedTokens: 0, sections: [] },
    trace: TraceLevel.NONE,
  };
  const text = assemblyText(await view(request));
  assert.ok(text.includes("Dropped 1  without a trace; --trace dropped says why"));
  assert.ok(text.includes("Kept 0 of 1  by relevance"));
});

test("colour is for terminals that have it", async () => {
  const shown = await view({ fragments: [], budget: { maxTokens: 10, reservedTokens: 0, sections: [] } });
  assert.ok(!assemblyText(shown).join("").includes("\u001b"));
  assert.ok(
    assemblyText({ ...shown, terminal: { width: 60, colour: true } })
      .join("")
      .includes("\u001b[1mKept 0 of 0"),
  );
});
