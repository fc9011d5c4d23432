import assert from "node:assert/strict";
import { type DataTable, Given, Then, When } from "@cucumber/cucumber";
import type { ContextFragment } from "../../gen/acms/v1/fragment.js";
import type { StageRole } from "../../src/core/index.js";
import {
  asNamed,
  chooseNone,
  countFragments,
  halfOfIt,
  keepCharacters,
  loseAll,
  nominateLastFirst,
  onePerNode,
} from "../support/client_parts.js";
import type { ClientPart } from "../support/hosting.js";
import { compress } from "../support/stage_calls.js";
import { camelCase } from "../support/tables.js";
import type { AcmsWorld } from "../support/world.js";

Given(
  "a client's strategy selector {string} that chooses what is named",
  async function (this: AcmsWorld, name: string) {
    await this.host(name, asNamed);
  },
);

Given("a client's strategy selector {string} that chooses nothing", async function (this: AcmsWorld, name: string) {
  await this.host(name, chooseNone);
});

Given("a client's budget allocator {string} that gives away half", async function (this: AcmsWorld, name: string) {
  await this.host(name, halfOfIt);
});

Given(
  "a client's strategy executor {string} that nominates the last fragment first",
  async function (this: AcmsWorld, name: string) {
    await this.host(name, nominateLastFirst);
  },
);

Given(
  "a client's deduplicator {string} that keeps one fragment a node",
  async function (this: AcmsWorld, name: string) {
    await this.host(name, onePerNode);
  },
);

Given("a client's orderer {string} that loses every fragment", async function (this: AcmsWorld, name: string) {
  await this.host(name, loseAll);
});

Given(
  "a client's preamble generator {string} that counts the fragments",
  async function (this: AcmsWorld, name: string) {
    await this.host(name, countFragments);
  },
);

Given(
  "a client's skeleton compressor {string} that keeps {int} characters",
  async function (this: AcmsWorld, name: string, characters: number) {
    await this.host(name, keepCharacters(characters));
  },
);

When("the client compresses the fragments to {int} tokens", async function (this: AcmsWorld, tokens: number) {
  await compress(this, tokens);
});

When(
  "the client compresses the fragments to {int} tokens with {string}",
  async function (this: AcmsWorld, tokens: number, component: string) {
    await compress(this, tokens, component);
  },
);

Then("the client's {stage} was asked once", function (this: AcmsWorld, role: StageRole) {
  assert.equal(this.askedOf(camelCase(role) as ClientPart["kind"]).length, 1);
});

Then("the client's {stage} was never asked", function (this: AcmsWorld, role: StageRole) {
  assert.deepEqual(this.askedOf(camelCase(role) as ClientPart["kind"]), []);
});

Then("the client's budget allocator had {int} tokens to split", function (this: AcmsWorld, tokens: number) {
  assert.equal(this.askedOf("budgetAllocator")[0]?.tokens, tokens);
});

Then(
  "the client's budget allocator saw {string} at a confidence of {float}",
  function (this: AcmsWorld, strategy: string, confidence: number) {
    assert.deepEqual(this.askedOf("budgetAllocator")[0]?.candidates, [{ strategy, confidence }]);
  },
);

Then("the client's skeleton compressor had {int} tokens", function (this: AcmsWorld, tokens: number) {
  assert.equal(this.askedOf("skeletonCompressor")[0]?.maxTokens, tokens);
});

Then("the client's skeleton compressor was given {names}", function (this: AcmsWorld, contents: string[]) {
  const parents = this.askedOf("skeletonCompressor")[0]?.fragments;
  assert.deepEqual(
    parents?.map(({ content }) => content),
    contents,
  );
});

Then("the compressed fragments are those that were given", function (this: AcmsWorld) {
  const { fragments } = this.answer("outline");
  const given = this.request.fragments;
  assert.deepEqual(
    fragments.map(({ fragmentId, ukoNode, content, tokenCount }) => [fragmentId, ukoNode, content, tokenCount]),
    given.map(({ fragmentId, ukoNode, content, tokenCount }) => [fragmentId, ukoNode, content, tokenCount]),
  );
});

Then("the compressed fragments are {names}", function (this: AcmsWorld, contents: string[]) {
  assert.deepEqual(
    this.answer("outline").fragments.map(({ content }) => content),
    contents,
  );
});

Then("the compressed fragments are:", function (this: AcmsWorld, table: DataTable) {
  const columns = table.raw()[0] ?? [];
  const rows = this.answer("outline").fragments.map((fragment) =>
    columns.map((column) => String(fragment[camelCase(column) as keyof ContextFragment])),
  );
  assert.deepEqual(rows, table.rows());
});

Then("the compressed fragments take {int} tokens", function (this: AcmsWorld, tokens: number) {
  assert.equal(this.answer("outline").totalTokens, tokens);
});
