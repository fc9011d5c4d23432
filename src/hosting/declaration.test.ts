import assert from "node:assert/strict";
import { test } from "node:test";
import { ComponentDeclaration, ComponentRole, type FragmentField } from "../../gen/acms/v1/hosted_component.js";
import { readDeclaration, roleFromWire, roleToWire } from "./declaration.js";
import { DEFAULT_HOSTING_LIMITS } from "./limits.js";

type Fields = Parameters<typeof ComponentDeclaration.fromPartial>[0];

const read = (fields: Fields) =>
  readDeclaration(
    ComponentDeclaration.fromPartial({ role: ComponentRole.COMPONENT_ROLE_SCORER, name: "mine", ...fields }),
    DEFAULT_HOSTING_LIMITS,
  );

test("what is absent has its default, a strategy more time than a stage", () => {
  const { concurrency, timeoutMs, confidence, needs } = read({});
  assert.deepEqual([concurrency, timeoutMs, confidence, needs], [8, 200, 1, []]);
  assert.equal(read({ role: ComponentRole.COMPONENT_ROLE_STRATEGY }).timeoutMs, 1_000);
});

test("every role has a number, and every number its role", () => {
  const numbers = Object.values(ComponentRole).filter((role): role is ComponentRole => Number(role) > 0);
  assert.equal(numbers.length, 12);
  for (const number of numbers) assert.equal(roleToWire(roleFromWire(number)!), number);
});

test("declarations are alike whatever the order of their needs and their concurrency", () => {
  const one = read({ needs: [3, 1], concurrency: 1 }).likeness;
  assert.equal(read({ needs: [1, 3], concurrency: 9 }).likeness, one);
  for (const other of [{ needs: [1] }, { pure: true, needs: [1, 3] }, { timeout: { seconds: 1 }, needs: [1, 3] }]) {
    assert.notEqual(read(other).likeness, one);
  }
});

const refused: Record<string, { readonly fields: Fields; readonly names: RegExp }> = {
  "no role": { fields: { role: 0 }, names: /role is 0; allowed are the numbers 1 to 12/ },
  "a role that there is not": { fields: { role: 13 as ComponentRole }, names: /role is 13/ },
  "an empty name": { fields: { name: "" }, names: /blank/ },
  "a blank name": { fields: { name: " \t" }, names: /blank/ },
  "a name with a control character": { fields: { name: "a\u0007" }, names: /control/ },
  "a name that is too long": { fields: { name: "n".repeat(129) }, names: /129 characters; at most 128/ },
  "a name that is too long beyond the basic plane": {
    fields: { name: "\u{1F600}".repeat(129) },
    names: /129 characters; at most 128/,
  },
  "a name that means what is built in": { fields: { name: "builtin:x" }, names: /builtin:/ },
  "a need that there is not": { fields: { needs: [17 as FragmentField] }, names: /field 17/ },
  "a need named twice": { fields: { needs: [3, 3] }, names: /field 3 twice/ },
  "too much at once": { fields: { concurrency: 1_001 }, names: /1001; allowed are 1 to 1000/ },
  "no time": { fields: { timeout: { seconds: 0 } }, names: /timeout is 0 ms/ },
  "more time than the server gives": { fields: { timeout: { seconds: 31 } }, names: /31000 ms.*30000/ },
  "a time that is none": { fields: { timeout: { nanos: 1e9 } }, names: /NaN/ },
  "a negative confidence": { fields: { confidence: -1 }, names: /confidence is -1/ },
  "a confidence without end": { fields: { confidence: Number.POSITIVE_INFINITY }, names: /Infinity/ },
  "a quality out of range": { fields: { capabilities: { qualityScore: 2 } }, names: /quality/ },
  "a long explanation": { fields: { explanation: "x".repeat(1_001) }, names: /1001 characters/ },
};

test("the length of names and explanations counts code points", () => {
  const { name, explanation } = read({ name: "\u{1F600}".repeat(128), explanation: "\u{1F600}".repeat(1_000) });
  assert.deepEqual([name.length, explanation.length], [256, 2_000]);
});

for (const [name, { fields, names }] of Object.entries(refused)) {
  test(`${name} is refused`, () => {
    assert.throws(() => read(fields), { reason: "INVALID_REQUEST", message: names });
  });
}

test("every fault is told at once", () => {
  assert.throws(() => read({ role: 0, name: "", needs: [99 as FragmentField] }), { message: /role.*name.*field 99/ });
});
