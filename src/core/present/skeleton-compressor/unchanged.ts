import type { SkeletonCompressor } from "../../stages.js";

/** The fragments as they are; they may take more than their share, which the payload then says. */
export const unchanged: SkeletonCompressor = { compress: (parents) => parents };
