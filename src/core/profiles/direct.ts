import type { Profile } from "./profile.js";

/** What a strategy ranks first is what comes out: nothing is merged, resolved or scored anew. */
export const direct: Profile = {
  name: "direct",
  components: {
    strategy_selector: "by_confidence",
    budget_allocator: "proportional",
    strategy_executor: "sequential",
    deduplicator: "pass_through",
    depth_resolver: "pass_through",
    scorer: "pass_through",
    packer: "in_order",
    orderer: "strategy",
    preamble_generator: "empty",
    skeleton_compressor: "unchanged",
  },
  skeletonSharesBudget: false,
};
