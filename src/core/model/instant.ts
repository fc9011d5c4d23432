/** A point in time, to the nanosecond: seconds since 1970 UTC and the nanoseconds after them, 0 to 999,999,999. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** Seconds of 0001-01-01T00:00:00Z and of 9999-12-31T23:59:59Z, the range of the wire's timestamp. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

/** Says what is wrong with an instant, or nothing. */
export function instantFault(instant: Instant): string | undefined {
  const { seconds, nanos } = instant;
  if (Number.isInteger(seconds) && seconds >= FIRST_SECOND && seconds <= LAST_SECOND) {
    return Number.isInteger(nanos) && nanos >= 0 && nanos <= 999_999_999
      ? undefined
      : `has ${nanos} nanoseconds; allowed are 0 to 999999999`;
  }
  return `is ${seconds} seconds from 1970; allowed are the years 1 to 9999`;
}

/** Orders instants, earlier first. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}

/** The instant of a number of milliseconds since 1970 UTC. */
export function instantOfMs(epochMs: number): Instant {
  const seconds = Math.floor(epochMs / 1000);
  return { seconds, nanos: Math.round((epochMs - seconds * 1000) * 1e6) };
}
