/** A vector of length 1 with the same direction; what comes in is finite and not all 0. */
export function unitVector(vector: readonly number[]): Float64Array {
  const unit = Float64Array.from(vector);
  // Squares of what is very large or small have no place in a double, so the largest number becomes 1 first.
  let largest = 0;
  for (let i = 0; i < unit.length; i++) largest = Math.max(largest, Math.abs(unit[i]!));
  for (let i = 0; i < unit.length; i++) unit[i] = unit[i]! / largest;
  const length = Math.sqrt(dot(unit, unit));
  for (let i = 0; i < unit.length; i++) unit[i] = unit[i]! / length;
  return unit;
}

/** The cosine of the angle between two unit vectors, from 0 to 1: what points away from another is as unlike it as can be. */
export function cosine(a: Float64Array, b: Float64Array): number {
  return Math.min(1, Math.max(0, dot(a, b)));
}

/** The products are added up in order, so that the sum is the same on every machine. */
function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
