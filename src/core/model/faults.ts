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

/** A view of the same collection for a part of the request: its faults have paths that begin with the part's. */
export function faultsUnder(faults: Faults, path: string): Faults {
  return { ...faults, add: (field, description) => faults.add(`${path}.${field}`, description) };
}
