/** What an expression may be; the contract states the first three. */
export const EXPRESSION_LIMITS = {
  /** The longest source, in code points. */
  characters: 4_096,
  /** How deep brackets may stand in each other. The parser takes seconds over a hundred that are open. */
  brackets: 32,
  /** How deep macros (`all`, `exists`, `exists_one`, `map`, `filter`) may stand in each other: one in another. */
  macros: 2,
  /** The longest text that an expression may make, in UTF-16 units: that of the longest content, and as much again. */
  textUnits: 2_100_000,
  /** The time for one check, and for one evaluation over all fragments. */
  timeMs: 200,
  /** The heap of a worker. */
  heapMb: 256,
} as const;
