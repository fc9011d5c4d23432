import { invalidRequest, type Violation } from "../errors.js";

/** Collects the faults of a request, so that all of them are reported at once. */
export interface Faults {
  add(field: string, description: string): void;
  readonly found: readonly Violation[];
  /** Throws the one error that names every fault, if there is any. */
  throwIfAny(): void;
}

/** Makes an empty collection of faults. */
export function createFaults(): Faults {
  const found: Violation[] = [];
  return {
    found,
    add: (field, description) => {
      found.push({ field, description });
    },
    throwIfAny: () => {
      if (found.length > 0) throw invalidRequest(found);
    },
  };
}
