/** Steps between two yields, each as dear as a look at one fragment: a part of a millisecond, and some in code that runs for the first time. */
export const SLICE_STEPS = 4_096;

/** A step of a walk through requirements looks fragments up in sets and maps. */
export const STEPS_PER_WALKED = 8;

/** Steps of walks between two yields. */
export const SLICE_WALKED = SLICE_STEPS / STEPS_PER_WALKED;

const NO_WALKS = { walked: 0 };

/** Counts what is done in a long piece of work, and says when it is time to yield. It goes by steps, so that no clock decides anything. */
export class Slice {
  readonly #walks: { readonly walked: number };
  #walked: number;
  #left = SLICE_STEPS;

  /** Opens a slice of work in which the steps of walks count as well, where there are any. */
  constructor(walks: { readonly walked: number } = NO_WALKS) {
    this.#walks = walks;
    this.#walked = walks.walked;
  }

  /** Counts so many steps, and what was walked since; true where the slice is over, and the next one begins. */
  isOver(steps = 1): boolean {
    const { walked } = this.#walks;
    this.#left -= steps + STEPS_PER_WALKED * (walked - this.#walked);
    this.#walked = walked;
    if (this.#left > 0) return false;
    this.#left = SLICE_STEPS;
    return true;
  }
}
