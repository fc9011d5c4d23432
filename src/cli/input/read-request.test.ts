import assert from "node:assert/strict";
import { test } from "node:test";
import { RefusedError } from "../door/door.js";
import { ExitError } from "../io.js";
import { readRequest } from "./read-request.js";

const readParts = (text: string, hasBudget: boolean) => readRequest({ text, name: "input" }, hasBudget);
const read = (text: string, hasBudget: boolean) => {
  const { request, violations } = readParts(text, hasBudget);
  assert.deepEqual(violations, []);
  return request;
};
const lines = '{"ukoNode": "a"}\n\n{"uko_node": "b"}\n';

function wrongUse(text: string, hasBudget: boolean): string {
  try {
    readParts(text, hasBudget);
  } catch (error) {
    assert.ok(error instanceof ExitError && error.code === 2, String(error));
    return error.message;
  }
  return assert.fail("was accepted");
}

function violations(text: string, hasBudget: boolean): string[] {
  const { violations } = readParts(text, hasBudget);
  return violations.map(({ field, description }) => `${field}: ${description}`);
}

test("with a budget, lines are fragments; empty lines are none", () => {
  const nodes = read(lines, true).fragments.map(({ ukoNode }) => ukoNode);
  assert.deepEqual(nodes, ["a", "b"]);
  assert.deepEqual(read("", true).fragments, []);
  assert.deepEqual(read("\n \n", true).fragments, []);
});

test("with a budget, a whole request stays one, on one line or on many", () => {
  for (const text of [
    '{"query": "q", "fragments": [{"ukoNode": "a"}]}',
    '{"budget": {"maxTokens": 1}, "query": "q"}',
    '{\n  "query": "q"\n}',
  ]) {
    assert.equal(read(text, true).query, "q", text);
  }
});

test("without a budget the text is a whole request", () => {
  assert.equal(read('{"query": "q"}', false).query, "q");
});

test("lines without a budget are wrong use that says what to do", () => {
  const message = wrongUse(lines, false);
  assert.match(message, /^error: input: not JSON: /);
  assert.match(message, /--budget TOKENS makes a request of them\.$/);
});

test("every line that is not JSON is named", () => {
  assert.match(
    wrongUse('{"ukoNode": "a"}\n{a}\n{}\n]', true),
    /^error: not every line of input.*\n {2}line 2: .*\n {2}line 4: /,
  );
});

test("lines cannot break out of their list", () => {
  assert.match(wrongUse('{"ukoNode": "a"}\n{}],"query":"q","strategies":[{}', true), /line 2: /);
});

test("a text that is not JSON is wrong use with its place", () => {
  assert.match(wrongUse('{\n"query" 1}', true), /not JSON: .*line 2 column 9/);
  assert.match(wrongUse("", false), /^error: input: not JSON: /);
});

test("every fault of the contract is a violation with its path", () => {
  assert.deepEqual(violations('{"ukoNode": 1}\n{"tier": "HOT"}\n[]', true), [
    "fragments[0].uko_node: expected a string of well-formed Unicode, got 1",
    'fragments[1].tier: expected one of TIER_UNSPECIFIED, TIER_HOT, TIER_WARM, TIER_COLD, got "HOT"',
    "fragments[2]: expected an object with the fields of acms.v1.ContextFragment, got an array",
  ]);
});

test("what is right beside a fault is read, at its place", () => {
  const text = `{
    "query": "q", "trace": "LOUD", "colour": 1, "budget": {"maxTokens": 5, "reservedTokens": "x"},
    "fragments": [5, {"ukoNode": "a", "requires": ["b", 7], "metadata": {"x": 1, "y": "z"}, "vector": [1, 2]}]
  }`;
  const { request, violations } = readParts(text, false);
  assert.deepEqual(
    violations.map(({ field }) => field),
    [
      "trace",
      "colour",
      "budget.reserved_tokens",
      "fragments[0]",
      "fragments[1].requires[1]",
      'fragments[1].metadata["x"]',
    ],
  );
  assert.equal(request.query, "q");
  assert.equal(request.trace, 0);
  assert.deepEqual([request.budget?.maxTokens, request.budget?.reservedTokens], [5, 0]);
  const [first, second] = request.fragments;
  assert.deepEqual([request.fragments.length, first?.ukoNode, second?.ukoNode], [2, "", "a"]);
  assert.deepEqual([second?.requires, [...(second?.metadata ?? [])], second?.vector], [[], [["y", "z"]], [1, 2]]);
});

test("a text of which nothing can be read is refused", () => {
  for (const [text, fault] of [
    ["null", /expected an object/],
    ["[]", /expected an object/],
  ] as const) {
    assert.throws(
      () => readParts(text, text.startsWith("{")),
      (error) => {
        assert.ok(error instanceof RefusedError && error.status === "INVALID_ARGUMENT", String(error));
        assert.match(error.violations.map(({ description }) => description).join(), fault);
        return true;
      },
    );
  }
});
