import { compareAge } from "../../order/by-age.js";
import type { Orderer } from "../../stages.js";
import { gatherUnits } from "./units.js";

/** Oldest first, in input order where times are equal; a group stands where its oldest member does. */
export const chronological: Orderer = { order: (selected) => gatherUnits([...selected].sort(compareAge)).flat() };
