import { proportional } from "./choose/budget-allocator/proportional.js";
import { sequential } from "./choose/strategy-executor/sequential.js";
import { byConfidence } from "./choose/strategy-selector/by-confidence.js";
import { contentHash, crossNode } from "./fuse/deduplicator/content-hash.js";
import { createNearDuplicate } from "./fuse/deduplicator/near-duplicate.js";
import { keepAll } from "./fuse/deduplicator/pass-through.js";
import { maxDepth } from "./fuse/depth-resolver/max-depth.js";
import { keepAllDepths } from "./fuse/depth-resolver/pass-through.js";
import { createDiverse } from "./fuse/packer/diverse.js";
import { createGreedyKnapsack } from "./fuse/packer/greedy-knapsack.js";
import { inOrder } from "./fuse/packer/in-order.js";
import { createOptimal } from "./fuse/packer/optimal.js";
import { createRelaxation } from "./fuse/packer/relaxation.js";
import { nominationScore } from "./fuse/scorer/pass-through.js";
import { createWeightedComposite } from "./fuse/scorer/weighted-composite.js";
import { chronological } from "./present/orderer/chronological.js";
import { edges } from "./present/orderer/edges.js";
import { source } from "./present/orderer/source.js";
import { stable } from "./present/orderer/stable.js";
import { strategyOrder } from "./present/orderer/strategy.js";
import { noPreamble } from "./present/preamble-generator/empty.js";
import { provenancePreamble } from "./present/preamble-generator/provenance.js";
import { depthReduction } from "./present/skeleton-compressor/depth-reduction.js";
import { unchanged } from "./present/skeleton-compressor/unchanged.js";
import { direct } from "./profiles/direct.js";
import { fusion } from "./profiles/fusion.js";
import { Registry } from "./registry.js";
import { createPriorityContext } from "./strategies/priority-context.js";
import { recency } from "./strategies/recency.js";
import { relevance } from "./strategies/relevance.js";
import { createSlidingWindow, DEFAULT_WINDOW } from "./strategies/sliding-window.js";
import { tiered } from "./strategies/tiered.js";

/** Everything that comes with the product, under its names. */
export function builtInRegistry(): Registry {
  return new Registry()
    .addComponent("strategy_selector", "by_confidence", () => byConfidence)
    .addComponent("budget_allocator", "proportional", () => proportional)
    .addComponent("strategy_executor", "sequential", () => sequential)
    .addComponent("deduplicator", "pass_through", () => keepAll)
    .addComponent("deduplicator", "content_hash", () => contentHash)
    .addComponent("deduplicator", "cross_node", () => crossNode)
    .addComponent("deduplicator", "near_duplicate", createNearDuplicate)
    .addComponent("depth_resolver", "pass_through", () => keepAllDepths)
    .addComponent("depth_resolver", "max_depth", () => maxDepth)
    .addComponent("scorer", "pass_through", () => nominationScore)
    .addComponent("scorer", "weighted_composite", createWeightedComposite)
    .addComponent("packer", "in_order", () => inOrder)
    .addComponent("packer", "greedy_knapsack", createGreedyKnapsack)
    .addComponent("packer", "relaxation", createRelaxation)
    .addComponent("packer", "optimal", createOptimal)
    .addComponent("packer", "diverse", createDiverse)
    .addComponent("orderer", "strategy", () => strategyOrder)
    .addComponent("orderer", "source", () => source)
    .addComponent("orderer", "chronological", () => chronological)
    .addComponent("orderer", "edges", () => edges)
    .addComponent("orderer", "stable", () => stable)
    .addComponent("preamble_generator", "empty", () => noPreamble)
    .addComponent("preamble_generator", "provenance", () => provenancePreamble)
    .addComponent("skeleton_compressor", "unchanged", () => unchanged)
    .addComponent("skeleton_compressor", "depth_reduction", () => depthReduction)
    .addStrategy(relevance)
    .addStrategy(recency)
    .addStrategy(tiered)
    .addStrategy(createSlidingWindow(DEFAULT_WINDOW))
    .addStrategy(createPriorityContext({ rules: undefined }))
    .addProfile(direct)
    .addProfile(fusion);
}
