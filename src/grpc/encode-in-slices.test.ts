import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AssembleResponse,
  AssemblyServiceService,
  CompareStrategiesResponse,
} from "../../gen/acms/v1/assembly_service.js";
import { ContextFragment, Provenance } from "../../gen/acms/v1/fragment.js";
import { ContextPayload } from "../../gen/acms/v1/payload.js";
import { DeduplicateResponse, StageServiceService } from "../../gen/acms/v1/stage_service.js";
import { encodeInSlices, isLarge, type ResponseCodec } from "./encode-in-slices.js";

const MANY = 2_100;

const fragmentsOf = (count: number): ContextFragment[] =>
  Array.from({ length: count }, (_, i) =>
    ContextFragment.fromPartial({ fragmentId: `f${i}`, content: "é", tokenCount: i }),
  );

/** The bytes that slices come to, and how many there were. */
function inSlices<T extends object>(message: T, codec: ResponseCodec<T>): { bytes: Buffer; slices: number } {
  const work = encodeInSlices(message, codec);
  for (let slices = 0; ; slices++) {
    const slice = work.next();
    if (slice.done) return { bytes: slice.value, slices };
  }
}

const payload = ContextPayload.fromPartial({
  fragments: fragmentsOf(MANY),
  skeletonFragments: fragmentsOf(3),
  totalTokens: 7,
  budget: { maxTokens: 9 },
  strategiesUsed: ["relevance"],
  provenanceMap: new Map(
    fragmentsOf(MANY).map(({ fragmentId }) => [fragmentId, Provenance.fromPartial({ resourceUri: fragmentId })]),
  ),
  decisions: fragmentsOf(600).map(({ fragmentId }, inputIndex) => ({ fragmentId, inputIndex })),
});

test("a large payload is encoded in slices, and is read as it was", () => {
  const response = AssembleResponse.fromPartial({ payload, requestId: "r" });
  assert.ok(isLarge(response));
  const { bytes, slices } = inSlices(response, AssemblyServiceService.assemble);
  assert.ok(slices >= 10);
  assert.deepEqual(AssembleResponse.decode(bytes), response);
});

test("the same message becomes the same bytes", () => {
  const response = AssembleResponse.fromPartial({ payload, requestId: "r" });
  const [first, second] = [0, 1].map(() => inSlices(response, AssemblyServiceService.assemble).bytes);
  assert.deepEqual(first, second);
});

test("lists of the response itself are encoded in slices", () => {
  const response = DeduplicateResponse.fromPartial({ fragments: fragmentsOf(MANY), decisions: payload.decisions });
  assert.ok(isLarge(response));
  const { bytes, slices } = inSlices(response, StageServiceService.deduplicate);
  assert.ok(slices >= 5);
  assert.deepEqual(DeduplicateResponse.decode(bytes), response);
});

test("a message without long lists is one piece, after a turn for others", () => {
  const response = AssembleResponse.fromPartial({ payload: { fragments: fragmentsOf(500) }, requestId: "r" });
  assert.equal(isLarge(response), false);
  const { bytes, slices } = inSlices(response, AssemblyServiceService.assemble);
  assert.equal(slices, 1);
  assert.deepEqual(bytes, Buffer.from(AssembleResponse.encode(response).finish()));
  assert.equal(isLarge(AssembleResponse.fromPartial({ requestId: "r" })), false);
});

test("elements that hold long lists are pieces of their own", () => {
  const selected = fragmentsOf(1_000).map(({ fragmentId }, inputIndex) => ({ fragmentId, inputIndex, tokenCount: 1 }));
  const results = ["a", "b", "c"].map((label) => ({
    label,
    outcome: { $case: "summary" as const, value: { selected } },
  }));
  const response = CompareStrategiesResponse.fromPartial({ requestId: "r", results, keptByAll: selected });
  assert.ok(isLarge(response));
  const { bytes, slices } = inSlices(response, AssemblyServiceService.compareStrategies);
  assert.ok(slices >= 5);
  assert.deepEqual(CompareStrategiesResponse.decode(bytes), response);
});
