/**
 * - `DAMAGED`: the file of registrations is not as it was written. It is left as it is.
 * - `IN_USE`: another server works with the folder.
 * - `UNUSABLE`: the folder cannot be read or written.
 * - `CLOSED`: the registrations were closed before.
 */
export type RegistrationsErrorKind = "DAMAGED" | "IN_USE" | "UNUSABLE" | "CLOSED";

/**
 * Registrations that cannot be opened or changed. A change that fails with it has not happened; only where the disk failed so that it
 * took neither the change nor its removal can the change be there once the server is started anew.
 */
export class RegistrationsError extends Error {
  readonly kind: RegistrationsErrorKind;

  constructor(kind: RegistrationsErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "RegistrationsError";
    this.kind = kind;
  }
}

/** A registration beyond a limit: of the registrations of one namespace, or of the bytes of all of them. */
export class TooManyRegistrationsError extends Error {
  /** What is limited. */
  readonly unit: "registrations" | "bytes";
  /** How many there would be. */
  readonly count: number;
  /** How many there may be. */
  readonly limit: number;

  constructor(unit: "registrations" | "bytes", count: number, limit: number) {
    const whose = unit === "registrations" ? "the namespace" : "the registrations of all namespaces";
    super(`${whose} would hold ${count} ${unit}; at most ${limit} are allowed`);
    this.name = "TooManyRegistrationsError";
    this.unit = unit;
    this.count = count;
    this.limit = limit;
  }
}

/** What the system says went wrong. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
