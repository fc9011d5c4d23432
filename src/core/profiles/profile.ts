import type { StageRole } from "../stages.js";

/** A component for each stage, under one name. */
export interface Profile {
  readonly name: string;
  readonly components: Readonly<Record<StageRole, string>>;
  /** True: the outline of the parents is paid from the same budget as the fragments, and shrinks to what the pins leave. */
  readonly skeletonSharesBudget: boolean;
}
