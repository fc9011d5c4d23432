/** One fault in a JSON document. */
export interface JsonViolation {
  /** Path in the names of the contract, such as `fragments[3].token_count`. Empty: the document as a whole. */
  readonly field: string;
  /** What came and what is allowed. */
  readonly description: string;
}

/** JSON, or bytes, that are not the message that they should be. */
export class ProtoJsonError extends Error {
  /** Full name of the message that was expected. */
  readonly typeName: string;
  /** Every fault in document order; at least one. */
  readonly violations: readonly JsonViolation[];
  /** False where the text is not JSON at all, whatever message was expected. */
  readonly isJson: boolean;
  /** The bytes of the message without what is wrong, for whoever looks for further faults. Absent: nothing of it can be read. */
  readonly rest: Uint8Array | undefined;

  constructor(
    typeName: string,
    violations: readonly JsonViolation[],
    options: { cause?: unknown; isJson?: boolean; rest?: Uint8Array | undefined } = {},
  ) {
    super(summarize(typeName, violations), options);
    this.name = "ProtoJsonError";
    this.typeName = typeName;
    this.violations = violations;
    this.isJson = options.isJson ?? true;
    this.rest = options.rest;
  }
}

function summarize(typeName: string, violations: readonly JsonViolation[]): string {
  const [first] = violations;
  if (first === undefined) {
    return `not a valid ${typeName}`;
  }
  const place = first.field === "" ? "" : `${first.field}: `;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : "";
  return `not a valid ${typeName}: ${place}${first.description}${more}`;
}
