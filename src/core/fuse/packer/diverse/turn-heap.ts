/** Turns by a key that only ever falls: the one with the highest key is at the top, of equal ones the one that comes first. */
export interface TurnHeap {
  /** The turn at the top; nothing where none is left. */
  top(): number | undefined;
  /** The highest key of the others; minus infinity where there is none. */
  secondKey(): number;
  /** Takes the top away. */
  removeTop(): void;
  /** Moves the top to its place, after its key has fallen. */
  lowerTop(): void;
}

/**
 * Makes a heap of all turns that have a key, which stays the caller's to lower; `compareEqual` must be total. O(n), and O(log n) for each
 * change.
 */
export function createTurnHeap(keys: Float64Array, compareEqual: (a: number, b: number) => number): TurnHeap {
  const heap = new Uint32Array(keys.length).map((_, turn) => turn);
  let size = heap.length;
  const isBefore = (a: number, b: number): boolean => {
    const difference = keys[b]! - keys[a]!;
    return difference < 0 || (difference === 0 && compareEqual(a, b) < 0);
  };
  const sink = (from: number): void => {
    const moved = heap[from]!;
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= size) break;
      if (child + 1 < size && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, moved)) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = moved;
  };
  for (let place = (size >>> 1) - 1; place >= 0; place--) sink(place);
  return {
    top: () => (size === 0 ? undefined : heap[0]),
    secondKey: () =>
      Math.max(...Array.from(heap.subarray(1, Math.min(3, size)), (turn) => keys[turn]!), Number.NEGATIVE_INFINITY),
    removeTop: () => {
      heap[0] = heap[--size]!;
      if (size > 0) sink(0);
    },
    lowerTop: () => sink(0),
  };
}
