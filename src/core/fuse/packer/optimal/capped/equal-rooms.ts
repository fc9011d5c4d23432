import type { Front } from "./front.js";

/** Finds, among the partial sets of one level, the one that leaves as much of every limit in the same situation. */
export class EqualRooms {
  /** By hash: the number of a set, from 1; 0: none. */
  #slots = new Int32Array(0);
  #mask = 0;

  /** Forgets all, and makes room for so many. */
  open(most: number): void {
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, most * 2)));
    if (this.#slots.length < size) this.#slots = new Int32Array(size);
    else this.#slots.fill(0, 0, size);
    this.#mask = size - 1;
  }

  /** The number of the known set that leaves as much as another; below 0 where there is none, and then the other is known. */
  find({ rooms, situations, width }: Front, set: number): number {
    const first = set * width;
    let hash = situations[set]!;
    for (let limit = 0; limit < width; limit++) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) + (rooms[first + limit]! | 0);
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    for (let slot = (hash ^ (hash >>> 13)) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const known = this.#slots[slot]! - 1;
      if (known < 0) {
        this.#slots[slot] = set + 1;
        return -1;
      }
      let isEqual = situations[known] === situations[set];
      for (let limit = 0; limit < width && isEqual; limit++) {
        isEqual = rooms[known * width + limit] === rooms[first + limit];
      }
      if (isEqual) return known;
    }
  }
}
