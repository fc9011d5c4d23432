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
  assert.equal(refusal(request, '{"query": 1}').isJson, true);
});

test("keys that come again in the text are refused, each at its place and beside all other faults", () => {
  const description = "given more than once in one object";
  const { violations, isJson } = refusal(
    request,
    '{"query": "a", "fragments": [{}, {"metadata": {"a b": "1", "a\\u0020b": "2"}, "tokenCount": 1, "tokenCount": 2, "tokenCount": 3},' +
      ' {"content": "\\"tier\\": {\\"tier\\"", "odd key": 1, "odd key": 2}], "query": "b", "trace": true}',
  );
  assert.equal(isJson, true);
  assert.deepEqual(violations.slice(0, 4), [
    { field: 'fragments[1].metadata["a b"]', description },
    { field: "fragments[1].token_count", description },
    { field: 'fragments[2]."odd key"', description },
    { field: "query", description },
  ]);
  assert.deepEqual(
    violations.slice(4).map(({ field }) => field),
    ['fragments[2]."odd key"', "trace"],
  );
});

test("keys are told apart by their objects, and a string of any length from what stands around it", () => {
  parseProtoJson(request, '{"fragments": [{"ukoNode": "a"}, {"ukoNode": "ukoNode"}], "query": "\\\\"}');
  parseProtoJson(request, JSON.stringify({ query: '\\"{,['.repeat(2_000_000) }));
});

test("a time that no calendar has is refused, wherever a time may stand", () => {
  const impossible = [
    "2025-02-31T00:00:00Z",
    "2023-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2025-04-31T12:00:00.5+02:00",
    "2025-01-31T24:00:00Z",
    "2025-13-01T00:00:00Z",
    "2016-12-31T23:59:60Z",
  ];
  for (const time of impossible) {
    const given = { fragments: [{ createdAt: "2024-02-29T00:00:00Z" }, { created_at: time }], asOf: time };
    for (const json of [given, JSON.stringify(given)]) {
      const description = `expected a time as RFC 3339 writes it, such as "2026-01-31T12:00:00Z", got "${time}"`;
      assert.deepEqual(refusal(request, json).violations, [
        { field: "fragments[1].created_at", description },
        { field: "as_of", description },
      ]);
    }
  }
});

test("the last day of each month is a time, in all years", () => {
  for (const time of [
    "0004-02-29T23:59:59Z",
    "2000-02-29T00:00:00Z",
    "2024-12-31T23:59:59.999999999Z",
    "9999-12-31T00:00:00Z",
  ]) {
    assert.deepEqual(printProtoJson(fragment, parseProtoJson(fragment, { createdAt: time })), { createdAt: time });
  }
});

test("a number that is too large is told as such", () => {
  const { violations } = refusal(fragment, '{"relevanceScore": 1e400}');
  assert.equal(violations[0]?.field, "relevance_score");
  assert.match(
    violations[0]?.description ?? "",
    /^expected a number, .*, got a number beyond 1\.797\S+e\+308, which is too large$/,
  );
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
