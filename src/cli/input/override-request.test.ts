import assert from "node:assert/strict";
import { test } from "node:test";
import { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import { overrideRequest } from "./override-request.js";

test("a profile and a packer replace what the request says, and leave its other stages", () => {
  const request = AssembleRequest.fromPartial({ pipeline: { profile: "direct", scorer: "pass_through" } });
  const { pipeline } = overrideRequest(request, { profile: "fusion", packer: "in_order" });
  assert.deepEqual([pipeline?.profile, pipeline?.packer, pipeline?.scorer], ["fusion", "in_order", "pass_through"]);
});

test("without a flag the request stays as it is", () => {
  const request = AssembleRequest.fromPartial({ query: "why" });
  assert.deepEqual(overrideRequest(request, {}), request);
});
