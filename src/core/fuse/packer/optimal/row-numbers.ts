/** Rows of small whole numbers, equal ones once. */

/** So many different rows have a slot of their own each; where there can be more, a map finds them. */
const MOST_SLOTS = 4_096;

export class RowNumbers {
  /** The row that is being made; what stands behind its end means nothing. */
  readonly draft: number[] = [];
  /** All rows end to end; what stands behind the last means nothing. */
  readonly #all: number[] = [];
  #widths: readonly number[] = [];
  #count = 0;
  readonly #slots = new Int32Array(MOST_SLOTS);
  #hasSlots = true;
  #numbers = new Map<number | string, number>();

  /** Forgets all rows; from now on they have one number below each of the widths. */
  clear(widths: readonly number[]): void {
    let most = 1;
    for (const width of widths) most *= width;
    this.#widths = widths;
    this.#count = 0;
    this.#hasSlots = most <= MOST_SLOTS;
    if (this.#hasSlots) this.#slots.fill(-1, 0, most);
    else this.#numbers = new Map();
  }

  get count(): number {
    return this.#count;
  }

  /** The number at a place of a row. */
  at(row: number, place: number): number {
    return this.#all[row * this.#widths.length + place]!;
  }

  /** The number of the row that was made: a new one, or that of its equal. */
  numberOfDraft(): number {
    const { draft } = this;
    const widths = this.#widths;
    let key = 0;
    for (let i = 0; i < widths.length; i++) key = key * widths[i]! + draft[i]!;
    if (this.#hasSlots) {
      if (this.#slots[key] === -1) this.#slots[key] = this.#add();
      return this.#slots[key]!;
    }
    // Beyond what a number tells apart, the row itself is the key.
    const exact = key <= Number.MAX_SAFE_INTEGER ? key : draft.slice(0, widths.length).join();
    const known = this.#numbers.get(exact);
    if (known !== undefined) return known;
    this.#numbers.set(exact, this.#count);
    return this.#add();
  }

  #add(): number {
    const width = this.#widths.length;
    const first = this.#count * width;
    for (let i = 0; i < width; i++) this.#all[first + i] = this.draft[i]!;
    return this.#count++;
  }
}
