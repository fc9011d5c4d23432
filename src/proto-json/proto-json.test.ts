import assert from "node:assert/strict";
import { test } from "node:test";
import { ProtoJsonError, parseProtoJson, printProtoJson } from "./index.js";

const request = "acms.v1.AssembleRequest";
const fragment = "acms.v1.ContextFragment";

function refusal(typeName: string, json: Parameters<typeof parseProtoJson>[1]): ProtoJsonError {
  try {
    parseProtoJson(typeName, json);
  } catch (error) {
    assert.ok(error instanceof ProtoJsonError, String(error));
    return error;
  }
  return assert.fail("was accepted");
}

test("what was parsed prints as the same document", () => {
  const json = {
    planId: "",
    fragments: [
      {
        fragmentId: "a",
        ukoNode: "project://a",
        content: "text\u0000 with 🦊",
        tokenCount: 0,
        relevanceScore: 0.25,
        detailDepth: 0,
        tier: "TIER_HOT",
        metadata: { k: "v" },
        createdAt: "2026-01-31T12:00:00.000000001Z",
        provenance: { resourceUri: "file", mergedFrom: [{ resourceUri: "other" }] },
      },
    ],
    budget: { maxTokens: 100 },
  };
  assert.deepEqual(printProtoJson(request, parseProtoJson(request, json)), json);
  assert.deepEqual(printProtoJson(request, parseProtoJson(request, JSON.stringify(json))), json);
});

test("defaults are printed where they are wanted", () => {
  const { withinBudget, remainingTokens, warnings } = printProtoJson("acms.v1.ContextPayload", new Uint8Array(), {
    withDefaults: true,
  }) as Record<string, unknown>;
  assert.deepEqual(
    { withinBudget, remainingTokens, warnings },
    { withinBudget: false, remainingTokens: 0, warnings: [] },
  );
  const { tokenCount } = printProtoJson(fragment, new Uint8Array(), { withDefaults: true }) as Record<string, unknown>;
  assert.equal(tokenCount, undefined, "absent and 0 are two things where a field has presence");
});

test("contract names are accepted as well as JSON names", () => {
  const bytes = parseProtoJson(fragment, '{"uko_node": "n", "token_count": -1}');
  assert.deepEqual(printProtoJson(fragment, bytes), { ukoNode: "n", tokenCount: -1 });
});

test("an unknown field is named with its path and those that exist", () => {
  const { violations } = refusal(request, { budget: { maxTokenz: 1 } });
  assert.equal(violations.length, 1);
  assert.equal(violations[0]?.field, "budget.maxTokenz");
  assert.match(
    violations[0]?.description ?? "",
    /^unknown field; acms\.v1\.ContextBudget has max_tokens, reserved_tokens/,
  );
});

test("an unknown enum name is refused with the names that exist", () => {
  const { violations } = refusal(fragment, { tier: "lukewarm" });
  assert.deepEqual(violations, [
    { field: "tier", description: 'expected one of TIER_UNSPECIFIED, TIER_HOT, TIER_WARM, TIER_COLD, got "lukewarm"' },
  ]);
});

test("every fault is reported in document order", () => {
  const error = refusal(request, {
    fragments: [{ ukoNode: "ok" }, { content: 5, tokenCount: 1.5, metadata: { a: 1 } }, null, { requires: ["a", 2] }],
    asOf: "yesterday",
    trace: true,
  });
  assert.deepEqual(
    error.violations.map(({ field }) => field),
    [
      "fragments[1].content",
      "fragments[1].token_count",
      'fragments[1].metadata["a"]',
      "fragments[2]",
      "fragments[3].requires[1]",
      "as_of",
      "trace",
    ],
  );
  assert.equal(
    error.message,
    "not a valid acms.v1.AssembleRequest: fragments[1].content: expected a string of well-formed Unicode, got 5 (and 6 more)",
  );
});

test("wrong shapes are refused", async (t) => {
  const cases: [string, Parameters<typeof parseProtoJson>[1], string, RegExp][] = [
    ["an array for a message", [], "", /expected an object with the fields of acms.v1.AssembleRequest, got an array/],
    ["an object for a list", { fragments: {} }, "fragments", /expected an array, got an object/],
    ["a number for a map", { fragments: [{ metadata: 1 }] }, "fragments[0].metadata", /expected an object, got 1/],
    ["a text for a message", { budget: "8000" }, "budget", /expected an object .*ContextBudget, got "8000"/],
    ["a number beyond 32 bits", { budget: { maxTokens: 3e9 } }, "budget.max_tokens", /2147483647, got 3000000000/],
    ["a lone surrogate", { query: "\ud800" }, "query", /well-formed Unicode, got "\\ud800"/],
    ["both names of a field", { asOf: null, as_of: null }, "as_of", /given twice/],
    ["two of a oneof", { strategies: [{ priority: {}, expression: {} }] }, "strategies[0].expression", /only one may/],
  ];
  for (const [name, json, field, description] of cases) {
    await t.test(name, () => {
      const { violations } = refusal(request, json);
      assert.equal(violations.length, 1);
      assert.equal(violations[0]?.field, field);
      assert.match(violations[0]?.description ?? "", description);
    });
  }
});

test("numbers beyond the real ones travel as text", () => {
  assert.deepEqual(printProtoJson(fragment, parseProtoJson(fragment, { relevanceScore: "NaN" })), {
    relevanceScore: "NaN",
  });
  assert.equal(refusal(fragment, { relevanceScore: Number.NaN }).violations[0]?.field, "relevance_score");
});

test("text that is not JSON is refused with its line", () => {
  assert.match(refusal(request, '{\n  "query": "a"\n  "trace": 1}').message, /not JSON: .*line 3 column 3/);
  assert.match(refusal(request, "").message, /not JSON/);
});

test("what is no JSON at all is told apart from what is no such message", () => {
  assert.equal(refusal(request, "{").isJson, false);
  assert.equal(refusal(request, "[]").isJson, true);
  assert.equal(refusal(request, '{"query": "a", "query": "b"}').isJson, true);
});

test("a key that comes twice in the text is refused", () => {
  assert.match(refusal(request, '{"query": "a", "query": "b"}').message, /duplicate object key "query"/);
});

test("what came is shortened", () => {
  const { message } = refusal(fragment, { tokenCount: "🦊".repeat(100_000) });
  assert.ok(message.length < 400, message);
  assert.match(message, /🦊…"$/u);
});

test("endless nesting is refused, and does not exhaust the stack", () => {
  const depth = 5_000;
  const json = `${'{"provenance":'}${'{"mergedFrom":['.repeat(depth)}${"]}".repeat(depth)}}`;
  assert.match(refusal(fragment, json).message, /nested deeper than 100/);
});

test("bytes that are not the message are refused", () => {
  assert.throws(
    () => printProtoJson(request, Uint8Array.of(0x0a, 0xff)),
    (error: unknown) => {
      assert.ok(error instanceof ProtoJsonError);
      assert.match(error.message, /not a valid acms.v1.AssembleRequest: its 2 bytes cannot be read/);
      return true;
    },
  );
});

test("a message that the contract lacks is a fault of the program", () => {
  assert.throws(() => parseProtoJson("acms.v1.Nothing", {}), RangeError);
});
