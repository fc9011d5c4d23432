import type { PreambleGenerator } from "../../stages.js";

/** No preamble, and no token set aside for one. */
export const noPreamble: PreambleGenerator = { generate: () => "", reservesTokens: false };
