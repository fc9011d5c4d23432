/** Selection without sorting: both searches look only at the part of a row in which their answer lies, so they are linear on average. */

/**
 * The weighted break: the greatest key at which the weights of all greater and equal keys exceed `room`; 0 where they never do. The rows
 * are changed.
 */
export function breakKey(keys: Float64Array, weights: Float64Array, room: number): number {
  let low = 0;
  let high = keys.length;
  let left = room;
  while (low < high) {
    const pivot = middleOf(keys, low, high);
    // Greater keys go to the front, smaller ones to the end, equal ones stay between.
    let front = low;
    let back = high;
    let frontWeight = 0;
    let equalWeight = 0;
    for (let i = low; i < back; ) {
      const key = keys[i]!;
      if (key > pivot) {
        frontWeight += weights[i]!;
        swap(keys, i, front);
        swap(weights, i++, front++);
      } else if (key < pivot) {
        swap(keys, i, --back);
        swap(weights, i, back);
      } else {
        equalWeight += weights[i++]!;
      }
    }
    if (frontWeight > left) {
      high = front;
    } else if (frontWeight + equalWeight > left) {
      return pivot;
    } else {
      left -= frontWeight + equalWeight;
      low = back;
    }
  }
  return 0;
}

/** The key at a rank, 0 being the smallest; the row is changed. */
export function keyAtRank(keys: Float64Array, rank: number): number {
  let low = 0;
  let high = keys.length;
  for (;;) {
    const pivot = middleOf(keys, low, high);
    let front = low;
    let back = high;
    for (let i = low; i < back; ) {
      const key = keys[i]!;
      if (key < pivot) swap(keys, i++, front++);
      else if (key > pivot) swap(keys, i, --back);
      else i++;
    }
    if (rank < front) high = front;
    else if (rank < back) return pivot;
    else low = back;
  }
}

/** The median of the first, the middle and the last key. */
function middleOf(keys: Float64Array, low: number, high: number): number {
  const a = keys[low]!;
  const b = keys[(low + high) >>> 1]!;
  const c = keys[high - 1]!;
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function swap(row: Float64Array, i: number, j: number): void {
  const kept = row[i]!;
  row[i] = row[j]!;
  row[j] = kept;
}
