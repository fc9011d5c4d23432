import assert from "node:assert/strict";
import { type DataTable, Given, Then, When } from "@cucumber/cucumber";
import { ContextFragment, Provenance, Role } from "../../gen/acms/v1/fragment.js";
import { camelCase, fieldsOf, fragmentsOf } from "../support/tables.js";
import { ULID } from "../support/ulid.js";
import type { AcmsWorld } from "../support/world.js";

Given("these fragments:", function (this: AcmsWorld, table: DataTable) {
  this.request.fragments = fragmentsOf(table);
});

Given("{int} messages of {int} tokens", function (this: AcmsWorld, count: number, tokenCount: number) {
  this.request.fragments = Array.from({ length: count }, (_, i) => {
    const message = { ukoNode: `chat://room/${i + 1}`, content: `message ${i + 1}`, tokenCount };
    return ContextFragment.fromPartial({ ...message, role: Role.ROLE_USER });
  });
});

Given("these parent fragments:", function (this: AcmsWorld, table: DataTable) {
  this.request.parentFragments = fragmentsOf(table);
});

Given("no fragments", function (this: AcmsWorld) {
  this.request.fragments = [];
});

Given("a fragment that is valid but for {word} {string}", function (this: AcmsWorld, field: string, value: string) {
  const valid = { ukoNode: "project://app/main.py", content: "hello", tokenCount: 10 };
  this.request.fragments = [ContextFragment.fromPartial({ ...valid, ...fieldsOf([[field, value]]) })];
});

Given("a fragment with {int} entries of metadata", function (this: AcmsWorld, count: number) {
  const metadata = new Map(Array.from({ length: count }, (_, i) => [`key-${i}`, `value-${i}`]));
  this.request.fragments = [ContextFragment.fromPartial({ ukoNode: "project://app/main.py", tokenCount: 1, metadata })];
});

When(
  "the client moves its fragment {string} to the resource {string}",
  function (this: AcmsWorld, content: string, resourceUri: string) {
    fragmentOf(this.request.fragments, content).provenance = Provenance.fromPartial({ resourceUri });
  },
);

Then("the fragment {string} comes back with:", function (this: AcmsWorld, content: string, table: DataTable) {
  const fragment = fragmentOf(this.fragments, content);
  const expected = fieldsOf(table.raw());
  const actual = Object.fromEntries(
    Object.keys(expected).map((field) => [field, fragment[field as keyof ContextFragment]]),
  );
  assert.deepEqual(actual, expected);
});

Then("the fragment {string} has an id that the server made", function (this: AcmsWorld, content: string) {
  assert.match(fragmentOf(this.fragments, content).fragmentId, ULID);
});

Then("the fragment {string} carries:", function (this: AcmsWorld, content: string, table: DataTable) {
  const fragment = fragmentOf(this.fragments, content);
  for (const field of table.raw().flat()) {
    assert.notEqual(fragment[camelCase(field) as keyof ContextFragment], undefined, `${field} is absent`);
  }
});

Then("the fragment comes back with {int} entries of metadata", function (this: AcmsWorld, count: number) {
  const [fragment] = this.payload.fragments;
  assert.deepEqual([fragment?.metadata.size, fragment?.metadata], [count, this.request.fragments[0]?.metadata]);
});

function fragmentOf(fragments: readonly ContextFragment[], content: string): ContextFragment {
  const found = fragments.find((fragment) => fragment.content === content);
  assert(found, `there is no fragment ${content} among ${fragments.map((fragment) => fragment.content).join(", ")}`);
  return found;
}
