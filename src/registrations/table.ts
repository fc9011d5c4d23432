import { type Change, sizeOf } from "./change.js";
import { TooManyRegistrationsError } from "./errors.js";

/** How much a table may hold. A table that holds more already keeps it, and takes what makes it no larger. */
export interface TableLimits {
  readonly maxPerNamespace: number;
  readonly maxBytes: number;
}

type Namespace = ReadonlyMap<string, Uint8Array>;

const EMPTY: Namespace = new Map();

/** Registrations by namespace and name. A namespace that was handed out never changes: a change puts another one in its place. */
export class Table {
  readonly #namespaces = new Map<string, Namespace>();
  #bytes = 0;

  /** How many bytes its registrations take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The registrations of a namespace by name, in the order in which the names came. */
  namespace(namespace: string): Namespace {
    return this.#namespaces.get(namespace) ?? EMPTY;
  }

  /** Changes that make this table from an empty one. */
  *changes(): Generator<Change> {
    for (const [namespace, values] of this.#namespaces) {
      for (const [name, value] of values) yield { namespace, name, value };
    }
  }

  /** Begins to change the table; nothing is seen of it until the edit is applied. One edit at a time. */
  edit(limits: TableLimits = { maxPerNamespace: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }): Edit {
    return new Edit(this, limits, (touched, bytes) => {
      for (const [namespace, values] of touched) {
        if (values.size === 0) this.#namespaces.delete(namespace);
        else this.#namespaces.set(namespace, values);
      }
      this.#bytes = bytes;
    });
  }
}

/** Changes to a table that are yet to be seen. */
export class Edit {
  readonly #table: Table;
  readonly #limits: TableLimits;
  readonly #publish: (touched: ReadonlyMap<string, Namespace>, bytes: number) => void;
  readonly #touched = new Map<string, Map<string, Uint8Array>>();
  #bytes: number;

  constructor(
    table: Table,
    limits: TableLimits,
    publish: (touched: ReadonlyMap<string, Namespace>, n: number) => void,
  ) {
    this.#table = table;
    this.#limits = limits;
    this.#publish = publish;
    this.#bytes = table.bytes;
  }

  /** Makes a change. False where it deletes what is not there; throws a `TooManyRegistrationsError` and leaves all as it was. */
  make({ namespace, name, value }: Change): boolean {
    const values = this.#touched.get(namespace) ?? this.#table.namespace(namespace);
    const before = values.get(name);
    if (value === undefined && before === undefined) return false;
    const grown =
      (value === undefined ? 0 : sizeOf(namespace, name, value)) -
      (before === undefined ? 0 : sizeOf(namespace, name, before));
    const { maxPerNamespace, maxBytes } = this.#limits;
    if (before === undefined && values.size >= maxPerNamespace) {
      throw new TooManyRegistrationsError("registrations", values.size + 1, maxPerNamespace);
    }
    if (grown > 0 && this.#bytes + grown > maxBytes) {
      throw new TooManyRegistrationsError("bytes", this.#bytes + grown, maxBytes);
    }
    this.#bytes += grown;
    const own = this.#own(namespace);
    if (value === undefined) own.delete(name);
    else own.set(name, value);
    return true;
  }

  /** Makes the changes of this edit seen. */
  apply(): void {
    this.#publish(this.#touched, this.#bytes);
  }

  #own(namespace: string): Map<string, Uint8Array> {
    const own = this.#touched.get(namespace) ?? new Map(this.#table.namespace(namespace));
    this.#touched.set(namespace, own);
    return own;
  }
}
