/** Something that answers a task again and again while it is timed. */
export interface Contestant {
  /** Part of the keys of the results: lower case with underscores. */
  readonly name: string;
  /** Answers the task once: the timed part. What it starts from is made before. Every call does all of the work. */
  run(): unknown;
  /** Throws unless `answer`, which `run` gave or resolved to, is right. Never timed. */
  check(answer: unknown): void;
}
