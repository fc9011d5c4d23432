/** Sizes and times of hosting that the server may set. */
export interface HostingLimits {
  /** The most streams that host components at once. */
  readonly maxSessions: number;
  /** The most components of one of them. */
  readonly maxComponents: number;
  /** The largest message that an answer may be; where the server receives less, `receivableAnswer` of that. */
  readonly maxAnswerBytes: number;
  /** A host says something at least this often; nearly two intervals of silence are a loss. */
  readonly heartbeatIntervalMs: number;
  /** The longest that one question may take, whatever its component declares or asks for. */
  readonly maxTimeoutMs: number;
  /** How long a question takes at most where the declaration says nothing: a strategy, and everything else. */
  readonly strategyTimeoutMs: number;
  readonly stageTimeoutMs: number;
  /** How long a component stays known after its last host was lost. */
  readonly detachedMs: number;
  /** So many failures in a row pause a component. */
  readonly pauseAfterFailures: number;
  /** How long a paused component is not asked; then one question tries whether it is well again. */
  readonly pauseMs: number;
}

export const DEFAULT_HOSTING_LIMITS: HostingLimits = {
  maxSessions: 100,
  maxComponents: 32,
  maxAnswerBytes: 4 * 1024 * 1024,
  heartbeatIntervalMs: 10_000,
  maxTimeoutMs: 30_000,
  strategyTimeoutMs: 1_000,
  stageTimeoutMs: 200,
  detachedMs: 30_000,
  pauseAfterFailures: 5,
  pauseMs: 5_000,
};

/**
 * The largest answer where messages of so many bytes are received. A message above that ends the stream with everything on it, so that the
 * answers which are only refused, each by itself, need room of their own.
 */
export function receivableAnswer(maxReceiveBytes: number): number {
  return Math.floor((maxReceiveBytes / 8) * 7);
}
