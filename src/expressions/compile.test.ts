import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { faultOf, isTrue, resultOf } from "./language.fixture.js";

const NUMBERS: [expression: string, value: number][] = [
  ["1", 1],
  ["0.25 * 2.0", 0.5],
  ["-7 / 2", -3],
  ["fragment.token_count", 120],
  ["double(fragment.token_count) * 0.5", 60],
  ['fragment.role == "tool" ? 1.0 : fragment.relevance_score * 0.5', 1],
  ['fragment.role == "user" ? 1.0 : fragment.relevance_score * 0.5', 0.4],
  ['{"hot": 1.0, "warm": 0.5}[fragment.tier]', 0.5],
  ["size(fragment.requires) + fragment.detail_depth", 5],
  ["size(fragment.content)", 6],
  ["fragment.content.size()", 6],
  ["age_days", 2],
  ["1.0 / (1.0 + age_days)", 1 / 3],
  ["fragment.created_at.getHours()", 15],
  ["int(fragment.metadata.rank) + 1", 8],
  ['fragment.requires.map(id, id + "!").size() * fragment.requires.filter(id, id > "a").size()', 2],
  ["// a comment\n1", 1],
];

const TRUTHS = [
  'fragment.fragment_id == "me" && fragment.uko_node.startsWith("project://")',
  'fragment.content.matches("(?i)héllo") && fragment.content.contains("😀")',
  'fragment.provenance.location == "L1" && fragment.provenance.resource_uri == "file:a"',
  'fragment.provenance.resource_type == "code"',
  "fragment.pinned",
  'fragment.group_id == "g" && fragment.variant_key == "v"',
  "has(fragment.metadata.rank) && !has(fragment.metadata.other)",
  '"rank" in fragment.metadata && !("other" in fragment.metadata)',
  'fragment.metadata["rank"] == "7"',
  'fragment.metadata.exists(key, key == "rank") && size(fragment.metadata) == 1',
  'fragment.requires.exists(one, fragment.requires.exists_one(other, one == other)) && "b" in fragment.requires',
  'query == "the query" && query.endsWith("query")',
  'now - fragment.created_at == duration("48h") && fragment.created_at < now',
  'fragment.created_at == timestamp("2025-06-13T15:06:40Z")',
  "fragment.token_count > 119.5",
  String.raw`r"\d" == "\\d"`,
  `'''(''' != "[" // )
   && true`,
];

const FRAGMENT = {
  fragmentId: "me",
  content: "Héllo😀",
  tokenCount: 120,
  relevanceScore: 0.8,
  detailDepth: 3,
  role: 4,
  metadata: new Map([["rank", "7"]]),
  createdAt: { seconds: 1_750_000_000 - 2 * 86_400, nanos: 0 },
  provenance: { resourceUri: "file:a", resourceType: "code", location: "L1", mergedFrom: [] },
  pinned: true,
  groupId: "g",
  requires: ["a", "b"],
  variantKey: "v",
};

describe("what an expression gives", () => {
  for (const [expression, value] of NUMBERS) {
    test(expression, () => assert.equal(resultOf(expression, FRAGMENT), value));
  }
  for (const expression of TRUTHS) test(expression, () => assert.ok(isTrue(expression, FRAGMENT)));

  test("what nobody gave is empty, and an id that the server made is nobody's", () => {
    assert.ok(isTrue('fragment.fragment_id == "" && fragment.role == "" && fragment.tier == "warm"'));
    assert.ok(isTrue('fragment.group_id == "" && fragment.requires.size() == 0 && age_days == 0.0'));
  });
});

/** The start of each fault, with its line and column. */
const FAULTS: [expression: string, fault: string][] = [
  ['fragment.rol == "tool" ? 1 : 0', "at 1:10: there is no field fragment.rol; known are content, created_at, "],
  ["\n  fragment.role ==\n   'tool' ? 1.0 : fragment.nope", "at 3:28: there is no field fragment.nope"],
  ["fragment.provenance.uri", "at 1:21: there is no field fragment.provenance.uri"],
  ["fragment.role.x", "at 1:15: fragment.role is a string and has no fields"],
  ["fragment.metadata.a.b", "at 1:21: a key of metadata is a string and has no fields"],
  ["relevance_score", "at 1:1: there is no relevance_score; known are fragment, query, now, age_days"],
  ["fragment", "at 1:1: fragment stands only before the name of a field"],
  ['fragment["role"]', "at 1:1: fragment stands only before the name of a field"],
  ["has(fragment.role) ? 1 : 0", "at 1:1: has() asks for a key of metadata"],
  ["fragment.token_count * 0.5", "at 1:22: * does not take int and double; make one of them the other's type"],
  ['"ä😀" + 1', "at 1:6: + does not take string and int"],
  ["fragment.role == 4 ? 1 : 0", "at 1:15: == compares string with int, which are never equal"],
  ["1 in fragment.requires ? 1 : 0", "at 1:3: in looks for int in a list(string)"],
  ['fragment.pinned ? "a" : 1', "at 1:1: ?: chooses between string and int"],
  ["1 && true ? 1 : 0", "at 1:1: a bool is needed here, not int"],
  ["[1].map(x, x + 'a').size()", "at 1:14: + does not take int and string"],
  ["fragment.role", "at 1:10: the expression gives a string; a number (int or double) is needed"],
  ["fragment.content.lower()", "at 1:18: there is no method lower; known are all, bool, "],
  ["fragment.requires.all(id) ? 1 : 0", "at 1:19: all is a macro, as in "],
  ["fragment.requires.all(query, true) ? 1 : 0", "at 1:19: a macro cannot give query another meaning"],
  ["fragment.requires[0].all(x, true) ? 1 : 0", "at 1:22: a macro needs a list or a map, not a string"],
  ['fragment.content.matches("(a") ? 1 : 0', "at 1:26: no pattern of RE2: "],
  ["null", "at 1:1: null, bytes and unsigned numbers have no use here"],
  ["A{b: 1}.b", "at 1:1: messages such as A cannot be made here"],
  ["1 +", "at 1:3: found + but expecting end of input"],
  ['fragment.content == "abc ? 1 : 0', "at 1:18: "],
];

describe("what is wrong with an expression", () => {
  for (const [expression, fault] of FAULTS) {
    test(JSON.stringify(expression), () => {
      const found = faultOf(expression) ?? "nothing";
      assert.ok(found.startsWith(fault), found);
    });
  }

  test("a filter needs a bool, a score a number", () => {
    assert.match(faultOf("1", "boolean")!, /^at 1:1: the expression gives a int; a bool is needed/);
    assert.match(
      faultOf("true", "number")!,
      /^at 1:1: the expression gives a bool; a number \(int or double\) is needed/,
    );
  });

  test("macros may stand two deep in each other, and one after the other", () => {
    const all = (inner: string) => `fragment.requires.all(x, ${inner})`;
    assert.equal(faultOf(all(all("true")), "boolean"), undefined);
    assert.equal(faultOf("fragment.requires.map(x, x).filter(x, x != '').all(x, x != '')", "boolean"), undefined);
    assert.match(faultOf(all(all(all("true"))), "boolean")!, /^at 1:69: macros stand more than 2 deep in each other/);
  });
});

describe("what fails for a fragment", () => {
  test("a key that is not there", () => {
    assert.equal(
      resultOf("double(fragment.metadata.rank)"),
      'at 1:26: there is no key "rank"; has() and in ask whether there is',
    );
  });

  test("a score that is no finite number", () => {
    assert.equal(resultOf("1.0 / 0.0"), "gave Infinity; a finite number is needed");
    assert.equal(resultOf("double('x')"), "gave NaN; a finite number is needed");
    assert.equal(resultOf("[1, 'a'][1]"), "gave a string; a finite number is needed");
    assert.equal(resultOf("1 / size(fragment.requires)"), "at 1:3: int divide by zero");
  });

  test("a text that grows without end", () => {
    const doubled = `[fragment.content]${".map(x, x + x)".repeat(40)}.size()`;
    assert.match(String(resultOf(doubled, { content: "ab" })), /^at 1:\d+: a text of more than 2100000 characters$/);
  });
});
