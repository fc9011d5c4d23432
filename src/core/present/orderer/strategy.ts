import type { Orderer } from "../../stages.js";

/** As the strategies ranked: the first strategy's choices in its order, then the next's. */
export const strategyOrder: Orderer = { order: (selected) => selected };
