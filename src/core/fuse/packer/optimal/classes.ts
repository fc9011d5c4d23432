/** A multiple-choice knapsack on plain numbers: of every class exactly one choice is taken, so that the values sum to the most that fits. */

/**
 * Classes in one row of choices: those of class c stand from `starts[c]` to `starts[c + 1]`, and none is dominated: tokens and values
 * rise together. The first costs no tokens; mostly it is the empty choice, which is `EMPTY` and worth nothing.
 */
export interface Classes {
  readonly count: number;
  readonly starts: Int32Array;
  /** Price of each choice; whole. */
  readonly tokens: Float64Array;
  /** Value of each choice; whole, their sum below 2^51. */
  readonly values: Float64Array;
  /** What each choice stands for, in the words of whoever made the classes. */
  readonly ids: Int32Array;
}

/** The id of a choice that takes nothing. */
export const EMPTY = -1;

/**
 * Which of two sets of equal value and tokens is better. A set is better where it holds the earliest thing in which the two differ; a
 * place is where a thing stands in that order.
 */
export interface TieOrder {
  /** The place of the earliest thing that a class has to choose from. */
  placeOf(classNumber: number): number;
  /** The place of the earliest thing in which two choices of one class differ, -1 for none, and whether the first of them holds it. */
  firstDifference(a: number, b: number): { readonly place: number; readonly firstHolds: boolean };
  /** Below 0 where the first place is earlier. */
  comparePlaces(a: number, b: number): number;
}

/** Collects choices class by class and keeps of each class those that no other dominates. */
export interface ClassBuilder {
  /** Adds a choice to the class that is open. Of choices that are equal in tokens and value the better one stays. */
  add(tokens: number, value: number, id: number): void;
  /** Closes the class, with the empty choice beside those that were added, and opens the next. */
  close(): void;
  build(): Classes;
}

/** Opens a builder. `isBetter` tells equal choices apart by their ids. */
export function createClassBuilder(
  expectedChoices: number,
  isBetter: (id: number, than: number) => boolean,
): ClassBuilder {
  let tokens = new Float64Array(expectedChoices + 16);
  let values = new Float64Array(expectedChoices + 16);
  let ids = new Int32Array(expectedChoices + 16);
  let starts = new Int32Array(1_024);
  let count = 0;
  let start = 0;
  let end = 0;
  const put = (at: number, t: number, v: number, id: number): void => {
    tokens[at] = t;
    values[at] = v;
    ids[at] = id;
  };
  const reserve = (): void => {
    if (end < tokens.length) return;
    tokens = grown(tokens, Float64Array);
    values = grown(values, Float64Array);
    ids = grown(ids, Int32Array);
  };
  /** Insertion keeps the open class in order of tokens, and its values rising. */
  const insert = (t: number, v: number, id: number): void => {
    reserve();
    let at = end;
    while (at > start && tokens[at - 1]! > t) at--;
    if (at > start && values[at - 1]! >= v) {
      if (values[at - 1] === v && tokens[at - 1] === t && isBetter(id, ids[at - 1]!)) ids[at - 1] = id;
      return;
    }
    if (at > start && tokens[at - 1] === t) at--;
    let next = at;
    while (next < end && values[next]! <= v) next++;
    if (next === at) for (let i = end; i > at; i--) put(i, tokens[i - 1]!, values[i - 1]!, ids[i - 1]!);
    else for (let i = next; i < end; i++) put(i + at + 1 - next, tokens[i]!, values[i]!, ids[i]!);
    put(at, t, v, id);
    end += at + 1 - next;
  };
  return {
    add: insert,
    close: () => {
      // A choice without tokens is never worse than none, and holds what none does not.
      if (end === start || tokens[start]! > 0) insert(0, 0, EMPTY);
      if (count + 2 > starts.length) starts = grown(starts, Int32Array);
      starts[++count] = end;
      start = end;
    },
    build: () => ({
      count,
      starts: starts.subarray(0, count + 1),
      tokens: tokens.subarray(0, end),
      values: values.subarray(0, end),
      ids: ids.subarray(0, end),
    }),
  };
}

/** The same classes without the choices that alone take more than the capacity. */
export function withinCapacity(classes: Classes, capacity: number): Classes {
  if (greatest(classes.tokens) <= capacity) return classes;
  const starts = new Int32Array(classes.count + 1);
  const keep = (_: number, choice: number): boolean => classes.tokens[choice]! <= capacity;
  for (let c = 0; c < classes.count; c++) {
    let end = classes.starts[c + 1]!;
    while (classes.tokens[end - 1]! > capacity) end--;
    starts[c + 1] = starts[c]! + end - classes.starts[c]!;
  }
  return {
    count: classes.count,
    starts,
    tokens: classes.tokens.filter(keep),
    values: classes.values.filter(keep),
    ids: classes.ids.filter(keep),
  };
}

function greatest(numbers: Float64Array): number {
  let most = 0;
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! > most) most = numbers[i]!;
  return most;
}

/** The same numbers in an array of twice the room. */
export function grown<T extends Float64Array | Int32Array>(array: T, type: new (length: number) => T): T {
  const larger = new type(array.length * 2);
  larger.set(array);
  return larger;
}

/** The greatest number that divides all of some rows without rest; 0 where all are 0. Stops as soon as it is 1. */
export function commonDivisor(rows: readonly ArrayLike<number>[]): number {
  let divisor = 0;
  for (const row of rows) {
    for (let i = 0; i < row.length && divisor !== 1; i++) {
      let rest = row[i]!;
      while (rest > 0) {
        const smaller = divisor % rest;
        divisor = rest;
        rest = smaller;
      }
    }
  }
  return divisor;
}
