import assert from "node:assert/strict";
import { test } from "node:test";
import { ContextError } from "../errors.js";
import { createFaults } from "./faults.js";

test("without a fault nothing is thrown", () => {
  createFaults().throwIfAny();
});

test("all faults are thrown as one error, in the order in which they were found", () => {
  const faults = createFaults();
  faults.add("a", "is wrong");
  faults.add("b", "is wrong too");
  assert.throws(
    () => faults.throwIfAny(),
    (error) => {
      assert.ok(error instanceof ContextError);
      assert.equal(error.reason, "INVALID_REQUEST");
      assert.deepEqual(error.violations, [
        { field: "a", description: "is wrong" },
        { field: "b", description: "is wrong too" },
      ]);
      assert.deepEqual(error.metadata, { violations: "2" });
      assert.equal(error.message, "a: is wrong (and 1 more)");
      return true;
    },
  );
});
