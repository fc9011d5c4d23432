/** Watches how long the event loop of this process is held in one piece: from one of its turns to the next. */
export class LoopWatch {
  #longestMs = 0;
  #isOn = false;

  /** Begins, with nothing seen yet. */
  start(): void {
    this.#longestMs = 0;
    this.#isOn = true;
    let last = performance.now();
    const tick = (): void => {
      const now = performance.now();
      this.#longestMs = Math.max(this.#longestMs, now - last);
      last = now;
      if (this.#isOn) setImmediate(tick);
    };
    setImmediate(tick);
  }

  /** Ends, and answers the longest piece in milliseconds. */
  stop(): number {
    this.#isOn = false;
    return this.#longestMs;
  }
}
