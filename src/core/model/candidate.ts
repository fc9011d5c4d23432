/** A strategy that takes part in an assembly. */
export interface Candidate {
  readonly strategy: string;
  /** Its weight beside others: finite, 0 or more. */
  readonly confidence: number;
}

/** A candidate with its share of the budget. */
export interface Allocation extends Candidate {
  readonly tokens: number;
}
