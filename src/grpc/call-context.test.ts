import assert from "node:assert/strict";
import { test } from "node:test";
import { Metadata } from "@grpc/grpc-js";
import { ContextError } from "../core/index.js";
import { namespaceOf } from "./call-context.js";
import { startTestServer } from "./server.fixture.js";
import { frame, rawCall } from "./wire.fixture.js";

function metadataWith(...values: string[]): Metadata {
  const metadata = new Metadata();
  for (const value of values) metadata.add("acms-namespace", value);
  return metadata;
}

test("a namespace is the name that the metadata has, and empty where it has none", () => {
  assert.equal(namespaceOf(metadataWith()), "");
  assert.equal(namespaceOf(metadataWith("team a")), "team a");
  assert.equal(namespaceOf(metadataWith("n".repeat(128))), "n".repeat(128));
});

const refused: Record<string, { readonly values: string[]; readonly why: RegExp }> = {
  "an empty name": { values: [""], why: /^is empty; allowed is one name of 1 to 128 characters/ },
  "a blank name": { values: ["  "], why: /^is blank; / },
  "a name that is too long": { values: ["n".repeat(129)], why: /^has 129 characters; / },
  "two names": { values: ["A", "B"], why: /given 2 times; allowed is one name/ },
  "two names that arrive as one": { values: ["A, B"], why: /^has a comma, or is given 2 times; / },
};

for (const [what, { values, why }] of Object.entries(refused)) {
  test(`${what} is no namespace`, () => {
    assert.throws(
      () => namespaceOf(metadataWith(...values)),
      (error: ContextError) => {
        assert.equal(error.reason, "INVALID_REQUEST");
        assert.equal(error.violations[0]?.field, "metadata.acms-namespace");
        assert.match(error.violations[0]?.description ?? "", why);
        return error instanceof ContextError;
      },
    );
  });
}

test("two namespaces over the wire are refused, not glued into a third", async (t) => {
  const server = await startTestServer(t);
  const headers = { "acms-namespace": ["A", "B"] };
  const path = "/acms.v1.StrategyService/ListStrategies";
  const { failure } = await rawCall(server.address, { path, headers, body: frame(Buffer.alloc(0)) });
  assert.deepEqual(
    failure.violations.map(({ field }) => field),
    ["metadata.acms-namespace"],
  );
});
