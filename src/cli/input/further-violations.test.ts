import assert from "node:assert/strict";
import { test } from "node:test";
import { AssembleRequest, AssembleResponse } from "../../../gen/acms/v1/assembly_service.js";
import { RefusedError } from "../door/door.js";
import { furtherViolations } from "./further-violations.js";

/** The fields of the faults that are told beside known ones, of those that whoever answers finds in the rest. */
async function toldBeside(known: string[], found: string[]): Promise<string[]> {
  const violationsAt = (fields: string[]) => fields.map((field) => ({ field, description: "is wrong" }));
  const door = {
    assemble: async () => {
      throw new RefusedError("INVALID_ARGUMENT", "the request is refused", { violations: violationsAt(found) });
    },
  };
  const further = await furtherViolations(door, AssembleRequest.fromPartial({}), violationsAt(known));
  return further.map(({ field }) => field);
}

test("what has nothing to do with a known fault is told", async () => {
  const found = ["budget.max_tokens", "fragments[10].tier", "fragments[1].uko_node"];
  assert.deepEqual(await toldBeside(["trace", "fragments[1].tier"], found), found);
});

test("what is at the place of a known fault, around it or in it is not", async () => {
  const found = ["budget.max_tokens", "budget", "fragments[1].provenance.location", "fragments[1].uko_node"];
  assert.deepEqual(await toldBeside(["budget.max_tokens", "fragments[1].provenance"], found), [
    "fragments[1].uko_node",
  ]);
});

test("a requirement may be missing for want of the fragment, its id, or the right name of that", async () => {
  for (const known of ["fragments[0]", "fragments[0].fragment_id", "fragments[0].fragmentID"]) {
    assert.deepEqual(await toldBeside([known], ["fragments[1].requires[0]", "query"]), ["query"], known);
  }
  assert.deepEqual(await toldBeside(["trace"], ["fragments[1].requires[0]"]), ["fragments[1].requires[0]"]);
});

test("what is judged together follows from either", async () => {
  const options = "pipeline.options";
  assert.deepEqual(await toldBeside([`${options}.low_water_mark`], [`${options}.high_water_mark`]), []);
  assert.deepEqual(await toldBeside([`${options}.scorer_weights.recency`], [`${options}.scorer_weights`]), []);
  assert.deepEqual(await toldBeside(["budget.sections[0].metadata.value"], ["budget.sections[1]"]), []);
});

test("a request that is accepted has no further faults, and a fault of the program is not taken for one", async () => {
  const request = AssembleRequest.fromPartial({});
  const accepting = { assemble: async () => AssembleResponse.fromPartial({}) };
  assert.deepEqual(await furtherViolations(accepting, request, []), []);
  const failing = { assemble: () => Promise.reject(new TypeError("inside")) };
  await assert.rejects(furtherViolations(failing, request, []), TypeError);
});
