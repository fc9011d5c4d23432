/** How much may still be looked at; below 0: more was wanted. */
export interface Steps {
  left: number;
}

/** Steps of some milliseconds. */
export const SLICE_STEPS = 2_000_000;
