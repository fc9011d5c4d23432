import { ContextError } from "../core/index.js";
import { broken } from "./broken.js";

/** Messages in one heartbeat interval that no question called for; more are a flood. */
const MAX_UNCALLED = 1_000;

/**
 * Intervals without a message after which a host is lost. One that freezes just after a message is noticed within two, the delay of a timer
 * included, and one that speaks once an interval may be late by nearly another.
 */
const SILENT_INTERVALS = 1.9;

/** Sees whether a host still speaks, and that it does not speak without end. One timer, which a message only has to prove wrong. */
export class Liveness {
  readonly #intervalMs: number;
  readonly #onSilence: (error: ContextError) => void;
  #heardMs = performance.now();
  #uncalled = 0;
  #uncalledSinceMs = this.#heardMs;
  #timer: NodeJS.Timeout;

  /** `onSilence` is told once nearly two intervals have passed without a message. */
  constructor(intervalMs: number, onSilence: (error: ContextError) => void) {
    this.#intervalMs = intervalMs;
    this.#onSilence = onSilence;
    this.#timer = this.#watch(intervalMs * SILENT_INTERVALS);
  }

  /** A message came. */
  heard(): void {
    this.#heardMs = performance.now();
  }

  /** It was one that nothing called for: every host sends some, and a broken one no end of them, at which this throws. */
  countUncalled(): void {
    const nowMs = performance.now();
    if (nowMs - this.#uncalledSinceMs > this.#intervalMs) {
      this.#uncalledSinceMs = nowMs;
      this.#uncalled = 0;
    }
    if (++this.#uncalled > MAX_UNCALLED) {
      throw broken(`more than ${MAX_UNCALLED} messages that nothing called for came within a heartbeat interval`);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #watch(afterMs: number): NodeJS.Timeout {
    const timer = setTimeout(
      () => {
        const leftMs = this.#intervalMs * SILENT_INTERVALS - (performance.now() - this.#heardMs);
        if (leftMs > 0) this.#timer = this.#watch(leftMs);
        else this.#onSilence(heartbeatMissed(this.#intervalMs));
      },
      Math.max(1, afterMs),
    );
    timer.unref();
    return timer;
  }
}

function heartbeatMissed(intervalMs: number): ContextError {
  const silence = `${SILENT_INTERVALS} heartbeat intervals of ${intervalMs} ms`;
  return new ContextError("HEARTBEAT_MISSED", `the host said nothing for ${silence}`, {
    metadata: { interval_ms: String(intervalMs) },
    retryAfterMs: intervalMs,
  });
}
