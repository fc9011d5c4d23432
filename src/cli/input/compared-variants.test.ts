import assert from "node:assert/strict";
import { test } from "node:test";
import { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import { parseNames, variantsOf } from "./compared-variants.js";

test("names are parted at commas, and none is empty", () => {
  assert.deepEqual(parseNames("relevance, recency"), ["relevance", "recency"]);
  assert.equal(parseNames("relevance,"), undefined);
  assert.equal(parseNames(""), undefined);
});

test("each name is a variant that leaves the rest of the request as it is", () => {
  const window = { $case: "slidingWindow" as const, value: { windowSize: 3, windowMode: 0 } };
  const request = AssembleRequest.fromPartial({
    strategies: [{ name: "sliding_window", confidence: 0.9, config: window }],
    pipeline: { profile: "fusion", scorer: "pass_through", packer: "in_order" },
  });
  const [own, other, profile, packer] = variantsOf(
    [
      { kind: "strategy", name: "sliding_window" },
      { kind: "strategy", name: "recency" },
      { kind: "profile", name: "direct" },
      { kind: "packer", name: "optimal" },
    ],
    request,
  );
  assert.deepEqual(own?.strategies, request.strategies);
  assert.deepEqual(other?.strategies, [{ name: "recency", confidence: undefined, config: undefined }]);
  assert.deepEqual([own?.pipeline, other?.pipeline], [undefined, undefined]);
  assert.deepEqual(profile?.pipeline, { ...request.pipeline, profile: "direct" });
  assert.deepEqual(packer?.pipeline, { ...request.pipeline, packer: "optimal" });
  assert.deepEqual([profile?.strategies, packer?.label], [[], "optimal"]);
});
