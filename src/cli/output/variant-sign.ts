/** The sign of a variant, by its position: a letter, so that a column of the differences is one character wide. */
export function signOf(position: number): string {
  return String.fromCharCode("A".charCodeAt(0) + position);
}
