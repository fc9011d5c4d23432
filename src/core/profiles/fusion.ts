import { direct } from "./direct.js";
import type { Profile } from "./profile.js";

/** Copies are merged, depths resolved, everything is scored by one measure, and the packer takes the best. */
export const fusion: Profile = {
  name: "fusion",
  components: {
    ...direct.components,
    deduplicator: "content_hash",
    depth_resolver: "max_depth",
    scorer: "weighted_composite",
    packer: "greedy_knapsack",
    skeleton_compressor: "depth_reduction",
  },
  skeletonSharesBudget: true,
};
