import assert from "node:assert/strict";
import { test } from "node:test";
import type { FailurePolicy } from "../model/pipeline-spec.js";
import { STAGES } from "../stages.js";
import { decideFailure } from "./decide-failure.js";
import { type ComponentRole, FAILURE_KINDS } from "./hosted-error.js";

const ROLES: readonly ComponentRole[] = [...STAGES, "strategy", "token_counter"];
const POLICIES: readonly FailurePolicy[] = ["fail", "skip", "fallback"];

/** What holds where the request says nothing, written out, so that no kind and no role is decided by accident. */
const BY_DEFAULT: Record<ComponentRole, FailurePolicy> = {
  strategy_selector: "fallback",
  budget_allocator: "fallback",
  strategy_executor: "fail",
  deduplicator: "fallback",
  depth_resolver: "fallback",
  scorer: "fallback",
  packer: "fail",
  orderer: "fallback",
  preamble_generator: "fallback",
  skeleton_compressor: "fallback",
  strategy: "fail",
  token_counter: "fail",
};

for (const kind of FAILURE_KINDS) {
  test(`${kind}: the request's policy holds for every role but a token counter`, () => {
    for (const role of ROLES) {
      for (const policy of POLICIES) {
        assert.equal(decideFailure(kind, role, policy), role === "token_counter" ? "fail" : policy, role);
      }
    }
  });

  test(`${kind}: without a policy each role has its default`, () => {
    for (const role of ROLES) {
      const expected = kind === "unknown" ? "fail" : BY_DEFAULT[role];
      assert.equal(decideFailure(kind, role, undefined), expected, role);
    }
  });
}
