/** The durations that percentiles are taken from. */
const KEPT = 256;

/** How often something was asked, how often it failed, and how long its last calls took. */
export class CallStats {
  calls = 0;
  failures = 0;
  readonly #durationsMs: number[] = [];

  add(durationMs: number, failed: boolean): void {
    this.#durationsMs[this.calls % KEPT] = durationMs;
    this.calls++;
    if (failed) this.failures++;
  }

  /** How long a part of the last calls took at most, such as 0.95; nothing where there was none. */
  latencyMs(part: number): number | undefined {
    const sorted = [...this.#durationsMs].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  }
}
