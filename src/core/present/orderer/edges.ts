import type { Fragment } from "../../model/fragment.js";
import type { Orderer } from "../../stages.js";
import { gatherUnits } from "./units.js";

/**
 * The best at both ends, since models read the middle of a long context with the least care ("lost in the middle"): the first given stays
 * first, the second is last, the third second, the fourth last but one. A group stands where its best member does, and counts once.
 */
export const edges: Orderer = {
  order: (selected) => {
    const start: (readonly Fragment[])[] = [];
    const end: (readonly Fragment[])[] = [];
    gatherUnits(selected).forEach((unit, rank) => {
      (rank % 2 === 0 ? start : end).push(unit);
    });
    return [...start, ...end.reverse()].flat();
  },
};
