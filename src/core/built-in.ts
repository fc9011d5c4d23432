import { proportional } from "./choose/budget-allocator/proportional.js";
import { sequential } from "./choose/strategy-executor/sequential.js";
import { byConfidence } from "./choose/strategy-selector/by-confidence.js";
import { keepAll } from "./fuse/deduplicator/pass-through.js";
import { keepAllDepths } from "./fuse/depth-resolver/pass-through.js";
import { inOrder } from "./fuse/packer/in-order.js";
import { nominationScore } from "./fuse/scorer/pass-through.js";
import { strategyOrder } from "./present/orderer/strategy.js";
import { noPreamble } from "./present/preamble-generator/empty.js";
import { unchanged } from "./present/skeleton-compressor/unchanged.js";
import { direct } from "./profiles/direct.js";
import { Registry } from "./registry.js";
import { recency } from "./strategies/recency.js";
import { relevance } from "./strategies/relevance.js";
import { tiered } from "./strategies/tiered.js";

/** Everything that comes with the product, under its names. */
export function builtInRegistry(): Registry {
  return new Registry()
    .addComponent("strategy_selector", "by_confidence", () => byConfidence)
    .addComponent("budget_allocator", "proportional", () => proportional)
    .addComponent("strategy_executor", "sequential", () => sequential)
    .addComponent("deduplicator", "pass_through", () => keepAll)
    .addComponent("depth_resolver", "pass_through", () => keepAllDepths)
    .addComponent("scorer", "pass_through", () => nominationScore)
    .addComponent("packer", "in_order", () => inOrder)
    .addComponent("orderer", "strategy", () => strategyOrder)
    .addComponent("preamble_generator", "empty", () => noPreamble)
    .addComponent("skeleton_compressor", "unchanged", () => unchanged)
    .addStrategy(relevance)
    .addStrategy(recency)
    .addStrategy(tiered)
    .addProfile(direct);
}
