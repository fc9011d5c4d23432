import assert from "node:assert/strict";
import { isServiceError, type Refusal, refusalOf } from "./refusal.js";

/** What the calls of one scenario came to: the newest answer of each kind, and every refusal. */
export class Outcomes<Answers extends object> {
  /** By kind, the newest last. */
  readonly #answers = new Map<keyof Answers, unknown>();
  readonly #refusals: { readonly refusal: Refusal; asserted: boolean }[] = [];

  /** Makes a call and keeps what it comes to; what is no refusal is thrown. */
  async record<K extends keyof Answers>(kind: K, send: () => Promise<Answers[K]>): Promise<void> {
    this.#answers.delete(kind);
    try {
      this.#answers.set(kind, await send());
    } catch (error) {
      if (!isServiceError(error)) throw error;
      this.#refusals.push({ refusal: refusalOf(error), asserted: false });
    }
  }

  /** The newest answer of some kinds; where there is none, the newest refusal is what the failing step shows. */
  newest<K extends keyof Answers>(...kinds: readonly K[]): Answers[K] {
    const kind = [...this.#answers.keys()].findLast((answered) => kinds.includes(answered as K));
    const refusal = this.#refusals.at(-1)?.refusal;
    const why = refusal === undefined ? "" : `: ${refusal.status}: ${refusal.message}`;
    assert(kind !== undefined, `there is no ${kinds.join(" or ")}${why}`);
    return this.#answers.get(kind) as Answers[K];
  }

  /** The newest refusal, which counts as asserted from now on. */
  get refusal(): Refusal {
    const newest = this.#refusals.at(-1);
    assert(newest, "no call was refused");
    newest.asserted = true;
    return newest.refusal;
  }

  /** Refusals that no step looked at. */
  get unexpected(): readonly Refusal[] {
    return this.#refusals.filter(({ asserted }) => !asserted).map(({ refusal }) => refusal);
  }
}
