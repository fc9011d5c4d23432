import type { Fragment } from "../../model/fragment.js";
import type { Reason } from "../../model/payload.js";

/**
 * Reasons by fragment, in the order in which they were given. It is a map that keeps numbers: at ten thousand drops one of objects costs
 * more than it takes to find the reasons.
 */
export class DropReasons implements ReadonlyMap<Fragment, Reason> {
  readonly #fragments: readonly Fragment[];
  /** By input position: the reason, or 0. */
  readonly #reasons: Uint8Array;
  readonly #order: number[] = [];

  /** No reasons yet, of fragments in input order. */
  constructor(fragments: readonly Fragment[]) {
    this.#fragments = fragments;
    this.#reasons = new Uint8Array(fragments.length);
  }

  get size(): number {
    return this.#order.length;
  }

  /** Gives the fragment at an input position a reason. */
  setAt(inputIndex: number, reason: Reason): void {
    if (this.#reasons[inputIndex] === 0) this.#order.push(inputIndex);
    this.#reasons[inputIndex] = reason;
  }

  get(fragment: Fragment): Reason | undefined {
    const i = fragment.inputIndex;
    return this.#fragments[i] === fragment && this.#reasons[i] !== 0 ? (this.#reasons[i] as Reason) : undefined;
  }

  has(fragment: Fragment): boolean {
    return this.get(fragment) !== undefined;
  }

  forEach(callback: (reason: Reason, fragment: Fragment, map: ReadonlyMap<Fragment, Reason>) => void): void {
    for (const [fragment, reason] of this) callback(reason, fragment, this);
  }

  *keys(): MapIterator<Fragment> {
    for (const i of this.#order) yield this.#fragments[i]!;
  }

  *values(): MapIterator<Reason> {
    for (const i of this.#order) yield this.#reasons[i] as Reason;
  }

  *entries(): MapIterator<[Fragment, Reason]> {
    for (const i of this.#order) yield [this.#fragments[i]!, this.#reasons[i] as Reason];
  }

  [Symbol.iterator](): MapIterator<[Fragment, Reason]> {
    return this.entries();
  }
}
