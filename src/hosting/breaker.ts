/**
 * Spares a component that fails again and again: after so many failures in a row it is paused, and then one question at a time tries whether it
 * is well again.
 */
export class Breaker {
  readonly #limits: { readonly pauseAfterFailures: number; readonly pauseMs: number };
  #inRow = 0;
  /** What `#inRow` was before the newest success: an answer may turn out to be none only after it came. */
  #before = 0;
  #pausedUntilMs = 0;
  #isTrying = false;

  constructor(limits: { readonly pauseAfterFailures: number; readonly pauseMs: number }) {
    this.#limits = limits;
  }

  /** How long no question may be asked, or 0 where one may. Asking after a pause makes this question the one that tries. */
  enter(nowMs: number): number {
    if (!this.isPaused()) return 0;
    const leftMs = this.#pausedUntilMs - nowMs;
    if (leftMs > 0) return leftMs;
    if (this.#isTrying) return this.#limits.pauseMs;
    this.#isTrying = true;
    return 0;
  }

  /** True from too many failures on until a question succeeds. */
  isPaused(): boolean {
    return this.#inRow >= this.#limits.pauseAfterFailures;
  }

  succeeded(): void {
    this.#before = this.#inRow;
    this.#inRow = 0;
    this.#isTrying = false;
  }

  failed(nowMs: number): void {
    this.#inRow++;
    this.#isTrying = false;
    if (this.isPaused()) this.#pausedUntilMs = nowMs + this.#limits.pauseMs;
  }

  /** The question says nothing about the component: it was never asked, or its caller left. */
  left(): void {
    this.#isTrying = false;
  }

  /** The newest success was none: the answer broke its contract. */
  rejected(nowMs: number): void {
    this.#inRow = this.#before;
    this.failed(nowMs);
  }
}
