import type { DepthResolver } from "../../stages.js";

/** Every fragment stands for itself. */
export const keepAllDepths: DepthResolver = { resolve: () => undefined, resolves: false };
