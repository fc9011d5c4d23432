import { addFault, type Place, pathIn } from "./place.js";

/** How long vectors are where the first one was read: all of a request have one length, or they could not be compared. */
export interface VectorLength {
  numbers?: number;
  /** The path of the fragment that had the first one. */
  path?: string;
}

/** The most numbers of a vector. */
export const MAX_VECTOR_NUMBERS = 4_096;

/**
 * Checks the vector of the fragment at a place, which has at least one number: at most 4,096, all finite, not all 0, as many as the first
 * vector of the request, whose length is noted where this is the first.
 */
export function checkVector(vector: readonly number[], known: VectorLength, at: Place): void {
  const { length } = vector;
  if (length > MAX_VECTOR_NUMBERS) {
    addFault(at, "vector", `has ${length} numbers; at most ${MAX_VECTOR_NUMBERS} are allowed`);
    return;
  }
  const path = pathIn(at.list, at.inputIndex);
  known.numbers ??= length;
  known.path ??= path;
  if (length !== known.numbers) {
    const numbers = length === 1 ? "1 number" : `${length} numbers`;
    addFault(at, "vector", `has ${numbers}, and that of ${known.path} has ${known.numbers}; all have the same length`);
  }
  const fault = numbersFault(vector);
  if (fault !== undefined) addFault(at, fault.field, fault.description);
}

function numbersFault(vector: readonly number[]): { field: string; description: string } | undefined {
  let isZero = true;
  let first = -1;
  let notFinite = 0;
  for (let i = 0; i < vector.length; i++) {
    if (vector[i] !== 0) isZero = false;
    if (Number.isFinite(vector[i])) continue;
    if (notFinite++ === 0) first = i;
  }
  if (isZero) {
    return { field: "vector", description: "has only zeros, which point nowhere; at least one number must be another" };
  }
  if (notFinite === 0) return undefined;
  const others = notFinite === 1 ? "" : `, one of ${notFinite} numbers that are not finite`;
  return { field: `vector[${first}]`, description: `is ${vector[first]}${others}; allowed are finite numbers` };
}
