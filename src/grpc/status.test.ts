import assert from "node:assert/strict";
import { test } from "node:test";
import { ContextError, invalidRequest } from "../core/index.js";
import { decodeDetails } from "./server.fixture.js";
import { MAX_DETAILS_BYTES, type Refusal, refusalOf, toStatus, wellFormed } from "./status.js";

const refusal = (fields: Partial<Refusal>): Refusal => ({
  reason: "INVALID_REQUEST",
  message: "no",
  metadata: {},
  violations: [],
  ...fields,
});

function detailsOf(given: Refusal) {
  return decodeDetails(toStatus(given).metadata.get("grpc-status-details-bin")[0] as Buffer);
}

test("a refusal of the core keeps its reason, message, metadata and violations", () => {
  const error = invalidRequest([{ field: "budget", description: "is absent" }]);
  assert.deepEqual(refusalOf(error, "id"), {
    reason: "INVALID_REQUEST",
    message: "budget: is absent",
    metadata: { violations: "1" },
    violations: [{ field: "budget", description: "is absent" }],
  });
});

test("whatever else was thrown becomes internal, and nothing of it is told", () => {
  for (const error of [new Error("secret"), "secret", undefined, null, new ContextError("INTERNAL", "secret")]) {
    const { reason, message, metadata } = refusalOf(error, "id");
    assert.equal(reason, "INTERNAL");
    assert.ok(!message.includes("secret"));
    assert.deepEqual(metadata, { request_id: "id" });
  }
});

test("the details of a refusal arrive as they were", () => {
  const violations = [{ field: "fragments[3].relevance_score", description: "is 1.5; allowed is 0.0 to 1.0" }];
  const details = detailsOf(refusal({ violations, metadata: { violations: "1" }, retryAfterMs: 1_250 }));
  assert.equal(details.reason, "INVALID_REQUEST");
  assert.equal(details.domain, "acms");
  assert.deepEqual(details.metadata, { violations: "1" });
  assert.deepEqual(details.violations, violations);
  assert.equal(details.retryAfterMs, 1_250);
});

test("thousands of violations are cut to 4 KB, the last one counting the rest", () => {
  const violations = Array.from({ length: 5_000 }, (_, i) => ({
    field: `fragments[${i}].relevance_score`,
    description: "is 1.5; allowed is 0.0 to 1.0",
  }));
  const details = detailsOf(refusal({ violations }));
  assert.ok(details.detailBytes <= MAX_DETAILS_BYTES);
  assert.ok(details.detailBytes > MAX_DETAILS_BYTES - 100, "and no more than need be");
  const shown = details.violations.slice(0, -1);
  assert.deepEqual(shown, violations.slice(0, shown.length), "in their order");
  const rest = details.violations.at(-1)!;
  assert.equal(rest.field, "");
  assert.match(rest.description, new RegExp(`\\b${5_000 - shown.length} more`));
});

test("violations that just fit are all shown", () => {
  for (let count = 40; count < 80; count++) {
    const violations = Array.from({ length: count }, () => ({ field: "f".repeat(30), description: "d".repeat(30) }));
    const details = detailsOf(refusal({ violations }));
    assert.ok(details.detailBytes <= MAX_DETAILS_BYTES);
    const counted = details.violations.at(-1)!.description.match(/and (\d+) more/);
    const rest = counted === null ? 0 : Number(counted[1]);
    assert.equal(details.violations.length - (counted === null ? 0 : 1) + rest, count);
  }
});

const texts = { "plain text": "x", "text of many bytes": "\u{10ffff}" };

for (const [what, character] of Object.entries(texts)) {
  test(`details are within 4 KB with a long message and long metadata of ${what}`, () => {
    const long = character.repeat(20_000);
    const violations = [{ field: long, description: long }];
    assert.ok(detailsOf(refusal({ message: long, violations })).detailBytes <= MAX_DETAILS_BYTES);
    const metadata = { strategy: long, known: long };
    assert.ok(
      detailsOf(refusal({ reason: "UNKNOWN_STRATEGY", message: long, metadata })).detailBytes <= MAX_DETAILS_BYTES,
    );
  });
}

test("a text for a status has no half of a pair, and is not cut into halves", () => {
  assert.equal(wellFormed("a\ud83db"), "a\ufffdb");
  assert.equal(wellFormed(""), "");
  const cut = wellFormed(`${"x".repeat(511)}😀😀`);
  assert.ok(cut.length <= 520);
  assert.ok(!cut.includes("\ufffd"), JSON.stringify(cut.slice(-4)));
});
