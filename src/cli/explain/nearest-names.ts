/** More characters decide nothing about what somebody meant to write, and the time grows with their square. */
const comparedCharacters = 64;

/** The names nearest to one that does not exist: those that contain it or are contained in it first, then by edits; equals in their order. */
export function nearestNames(wanted: string, names: readonly string[], most: number): string[] {
  return names
    .map((name, place) => ({ name, place, distance: distanceOf(wanted, name) }))
    .sort((a, b) => a.distance - b.distance || a.place - b.place)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Edits between two names, case aside; one that is a part of the other counts as less than any edit. */
function distanceOf(wanted: string, name: string): number {
  const a = wanted.toLowerCase().slice(0, comparedCharacters);
  const b = name.toLowerCase().slice(0, comparedCharacters);
  const isPart = a !== "" && b !== "" && (b.includes(a) || a.includes(b));
  return isPart ? Math.abs(a.length - b.length) / (comparedCharacters + 1) : edits(a, b);
}

/** The least number of characters to insert, delete or replace (Levenshtein 1966), by rows of the usual table. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
