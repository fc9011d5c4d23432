import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type DataTable, Then } from "@cucumber/cucumber";
import type { ContextFragment } from "../../gen/acms/v1/fragment.js";
import type { ContextPayload } from "../../gen/acms/v1/payload.js";
import { camelCase } from "../support/tables.js";
import { ULID } from "../support/ulid.js";
import type { AcmsWorld } from "../support/world.js";

Then("the payload holds {names}", function (this: AcmsWorld, contents: string[]) {
  assert.deepEqual(contentsOf(this.payload.fragments), contents);
});

Then("the payload is empty", function (this: AcmsWorld) {
  const { fragments, totalTokens, budgetUsed } = this.payload;
  assert.deepEqual({ fragments, totalTokens, budgetUsed }, { fragments: [], totalTokens: 0, budgetUsed: 0 });
});

Then("the payload takes {int} of {int} available tokens", function (this: AcmsWorld, total: number, available: number) {
  assert.deepEqual([this.payload.totalTokens, this.payload.availableTokens], [total, available]);
});

Then("the payload is within its budget", function (this: AcmsWorld) {
  const { withinBudget, totalTokens, availableTokens } = this.payload;
  assert(withinBudget && totalTokens <= availableTokens, `${totalTokens} of ${availableTokens} tokens`);
});

Then("{int} tokens remain", function (this: AcmsWorld, tokens: number) {
  assert.equal(this.payload.remainingTokens, tokens);
});

Then("the payload uses {float} of its budget", function (this: AcmsWorld, share: number) {
  assert.equal(this.payload.budgetUsed, share);
});

Then("the payload was ranked by {names}", function (this: AcmsWorld, strategies: string[]) {
  assert.deepEqual(this.payload.strategiesUsed, strategies);
});

Then("the payload belongs to the plan {string}", function (this: AcmsWorld, planId: string) {
  assert.equal(this.payload.planId, planId);
});

Then("the payload belongs to a plan that the server named", function (this: AcmsWorld) {
  assert.match(this.payload.planId, ULID);
});

Then("the payload has an id that the server made", function (this: AcmsWorld) {
  assert.match(this.payload.payloadId, ULID);
});

// A minute either way is allowed, so that neither a slow machine nor a corrected clock decides.
Then("the payload says that it was assembled just now", function (this: AcmsWorld) {
  const { seconds = 0 } = this.payload.assembledAt ?? {};
  assert(Math.abs(seconds - Date.now() / 1_000) < 60, `${new Date(seconds * 1_000).toISOString()} is not now`);
});

Then("the payload carries:", function (this: AcmsWorld, table: DataTable) {
  for (const field of table.raw().flat()) {
    const value = this.payload[camelCase(field) as keyof ContextPayload];
    assert.notEqual(value, undefined, `${field} is absent`);
    assert(!isEmpty(value), `${field} is empty`);
  }
});

Then("the payload has no preamble", function (this: AcmsWorld) {
  assert.deepEqual([this.payload.preamble, this.payload.preambleTokens], ["", 0]);
});

Then("the preamble is {string}", function (this: AcmsWorld, preamble: string) {
  assert.equal(this.payload.preamble, preamble);
});

Then("the preamble reads:", function (this: AcmsWorld, preamble: string) {
  assert.equal(this.payload.preamble, preamble);
});

Then("the preamble takes {int} tokens", function (this: AcmsWorld, tokens: number) {
  assert.equal(this.payload.preambleTokens, tokens);
});

Then("the introduction reads:", function (this: AcmsWorld, preamble: string) {
  assert.equal(this.answer("preamble").preamble, preamble);
});

Then("the payload maps each fragment to its provenance", function (this: AcmsWorld) {
  const { fragments, provenanceMap } = this.payload;
  assert.deepEqual(
    provenanceMap,
    new Map(fragments.map(({ fragmentId, provenance }) => [fragmentId, provenance] as const)),
  );
});

Then(
  "payload {int} names the resource {string} for {string}",
  function (this: AcmsWorld, number: number, resourceUri: string, content: string) {
    const payload = this.payloads[number - 1];
    const id = payload?.fragments.find((fragment) => fragment.content === content)?.fragmentId;
    assert.equal(payload?.provenanceMap.get(id ?? "")?.resourceUri, resourceUri);
  },
);

Then("the context hash is what anyone computes from the payload", function (this: AcmsWorld) {
  assert.equal(this.payload.contextHash, hashOf(this.payload.fragments));
});

Then("the context hash is {string}", function (this: AcmsWorld, hash: string) {
  assert.equal(this.payload.contextHash, hash);
});

Then("both payloads have one context hash and an id each", function (this: AcmsWorld) {
  const hashes = new Set(this.payloads.map(({ contextHash }) => contextHash));
  const ids = new Set(this.payloads.map(({ payloadId }) => payloadId));
  assert.deepEqual([this.payloads.length, hashes.size, ids.size], [2, 1, 2]);
});

Then("the payload holds these ids and no text:", function (this: AcmsWorld, table: DataTable) {
  const held = this.payload.fragments.map(({ fragmentId, tokenCount, content, ukoNode }) => [
    fragmentId,
    String(tokenCount),
    content + ukoNode,
  ]);
  assert.deepEqual(
    held,
    table.rows().map((row) => [...row, ""]),
  );
});

Then("the outline holds {names}", function (this: AcmsWorld, contents: string[]) {
  assert.deepEqual(contentsOf(this.payload.skeletonFragments), contents);
});

Then("there is no outline", function (this: AcmsWorld) {
  assert.deepEqual([this.payload.skeletonFragments, this.payload.skeletonTokens], [[], 0]);
});

Then("the outline takes {int} tokens beside the payload's {int}", function (this: AcmsWorld, outline: number, total) {
  assert.deepEqual([this.payload.skeletonTokens, this.payload.totalTokens], [outline, total]);
});

Then("the payload and its outline fit in {int} tokens", function (this: AcmsWorld, tokens: number) {
  const { totalTokens, skeletonTokens } = this.payload;
  assert(totalTokens + skeletonTokens <= tokens, `they take ${totalTokens} and ${skeletonTokens}`);
});

Then("no fragment of the payload has a vector", function (this: AcmsWorld) {
  assert.deepEqual(
    this.payload.fragments.filter(({ vector }) => vector.length > 0),
    [],
  );
});

Then("the payload warns of {word}", function (this: AcmsWorld, code: string) {
  assert.deepEqual(
    this.payload.warnings.map((warning) => warning.code),
    [code],
  );
});

function contentsOf(fragments: readonly ContextFragment[]): string[] {
  return fragments.map(({ content }) => content);
}

function isEmpty(value: unknown): boolean {
  if (value instanceof Map) return value.size === 0;
  return Array.isArray(value) ? value.length === 0 : value === "" || value === 0;
}

/** The context hash in a few lines of its own, from nothing but the payload. */
function hashOf(fragments: readonly ContextFragment[]): string {
  const hash = createHash("sha256");
  for (const { ukoNode, detailDepth = 0, role, content } of fragments) {
    const node = Buffer.from(ukoNode, "utf8");
    const length = Buffer.alloc(4);
    length.writeUInt32BE(node.length);
    hash.update(length).update(node).update(Buffer.of(detailDepth, role));
    hash.update(createHash("sha256").update(content, "utf8").digest());
  }
  return hash.digest("hex");
}
