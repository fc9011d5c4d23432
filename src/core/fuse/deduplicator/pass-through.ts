import type { Deduplicator } from "../../stages.js";

/** Every fragment stays. */
export const keepAll: Deduplicator = { deduplicate: (fragments) => ({ kept: fragments, duplicates: [] }) };
