import { compareInstants } from "../../model/instant.js";
import type { Orderer } from "../../stages.js";
import { gatherUnits } from "./units.js";

/**
 * Oldest first, as the strategies ranked them where times are equal, which for a window is input order; a group stands where its oldest
 * member does.
 */
export const chronological: Orderer = {
  order: (selected) => gatherUnits([...selected].sort((a, b) => compareInstants(a.createdAt, b.createdAt))).flat(),
};
