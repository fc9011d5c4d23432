/**
 * Registrations outlive the server in a journal of our own rather than in an embedded database. Of those that Node 20 installs without
 * a compiler, each fails on one of the two promises that matter here, checked with one flipped bit in a file of 300 acknowledged writes:
 * - classic-level 3.0.0 opens without a word and has 243 of them: LevelDB leaves out what it cannot read of its log.
 * - lmdb 3.5.6 opens without a word and hands out the wrong value, and lets a second process in. Its binaries take 15 MB.
 * - better-sqlite3 has no binary in its package, and `node:sqlite` is not in Node 20.
 * What there is to keep is small, read once and written rarely, which a journal does in few lines that name the byte that is wrong.
 */
import { resolve } from "node:path";
import type { Change } from "./change.js";
import { RegistrationsError, reasonOf } from "./errors.js";
import { createFolder } from "./folder.js";
import { type FolderLock, lockFolder } from "./folder-lock.js";
import { type Journal, openJournal } from "./journal.js";
import { Table } from "./table.js";

/** What is registered, by namespace and name. The store does not look into a value. */
export interface Registrations {
  /**
   * Registers a value, in place of the one that was there. Once it resolves the value is on the disk, where there is one, and in
   * `list`. Changes happen in the order of their calls. The value may be changed afterwards.
   *
   * Rejects with a `TooManyRegistrationsError` or a `RegistrationsError`, and with a `RangeError` for a namespace or name of more than
   * 128 characters; nothing has changed then.
   */
  put(namespace: string, name: string, value: Uint8Array): Promise<void>;
  /** Deletes a registration, as `put` does; false where there is none. */
  delete(namespace: string, name: string): Promise<boolean>;
  /** The registrations of a namespace as they are now, empty where there is none. Later changes do not show; the values must not be changed. */
  list(namespace: string): ReadonlyMap<string, Uint8Array>;
  /** Finishes the changes that were asked for and lets go of the folder. Later changes are refused; `list` goes on. */
  close(): Promise<void>;
}

/** What the owner of registrations may choose. */
export interface RegistrationsOptions {
  /** The most registrations of a namespace. Default: 1,000. */
  readonly maxPerNamespace?: number;
  /** The most bytes of all registrations, names included. Default: 256 MiB. */
  readonly maxBytes?: number;
  /** The file is written anew beyond this size, where less than half of it is still of use. Default: 1 MiB. */
  readonly rewriteAboveBytes?: number;
  /** Told of what went wrong and did no harm, such as a last write that was cut short. Default: a warning of the process. */
  readonly warn?: (message: string) => void;
}

const DEFAULT_OPTIONS: Required<RegistrationsOptions> = {
  maxPerNamespace: 1_000,
  maxBytes: 256 * 1024 * 1024,
  rewriteAboveBytes: 1024 * 1024,
  warn: (message) => process.emitWarning(message),
};

const MAX_NAME_CHARACTERS = 128;

/**
 * Opens the registrations that a folder keeps; the folder is made where it does not exist. No folder, or an empty name: they are kept
 * in memory only. Rejects with a `RegistrationsError`.
 */
export async function openRegistrations(
  dataDir: string | undefined,
  options: RegistrationsOptions = {},
): Promise<Registrations> {
  const all = { ...DEFAULT_OPTIONS, ...options };
  if (dataDir === undefined || dataDir === "") return new Store(new Table(), undefined, all);
  const folder = resolve(dataDir);
  let lock: FolderLock | undefined;
  try {
    await createFolder(folder);
    lock = await lockFolder(folder);
    const { journal, changes } = await openJournal(folder, all.warn);
    const table = new Table();
    const edit = table.edit();
    for (const change of changes) edit.make(change);
    edit.apply();
    return new Store(table, { journal, lock }, all);
  } catch (error) {
    await lock?.release();
    if (error instanceof RegistrationsError) throw error;
    throw new RegistrationsError("UNUSABLE", `cannot keep registrations in ${folder}: ${reasonOf(error)}`, error);
  }
}

/** Registrations that are kept in memory only. */
export function memoryRegistrations(options: RegistrationsOptions = {}): Registrations {
  return new Store(new Table(), undefined, { ...DEFAULT_OPTIONS, ...options });
}

/** Where changes go so that they last. */
interface Disk {
  readonly journal: Journal;
  readonly lock: FolderLock;
}

/** A change that somebody waits for. */
interface Waiting {
  readonly change: Change;
  resolve(happened: boolean): void;
  reject(error: unknown): void;
}

class Store implements Registrations {
  readonly #table: Table;
  readonly #disk: Disk | undefined;
  readonly #options: Required<RegistrationsOptions>;
  #waiting: Waiting[] = [];
  #work: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  /** No rewriting up to this size, since it failed before. */
  #tooFullBelow = 0;

  constructor(table: Table, disk: Disk | undefined, options: Required<RegistrationsOptions>) {
    this.#table = table;
    this.#disk = disk;
    this.#options = options;
  }

  async put(namespace: string, name: string, value: Uint8Array): Promise<void> {
    await this.#change({ namespace, name, value: new Uint8Array(value) });
  }

  delete(namespace: string, name: string): Promise<boolean> {
    return this.#change({ namespace, name, value: undefined });
  }

  list(namespace: string): ReadonlyMap<string, Uint8Array> {
    return this.#table.namespace(namespace);
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#work;
      try {
        await this.#disk?.journal.close();
      } finally {
        await this.#disk?.lock.release();
      }
    })();
    return this.#closed;
  }

  async #change(change: Change): Promise<boolean> {
    if (this.#closed !== undefined) throw new RegistrationsError("CLOSED", "the registrations are closed");
    for (const text of [change.namespace, change.name]) {
      const characters = [...text].length;
      if (characters > MAX_NAME_CHARACTERS) {
        throw new RangeError(`a name of ${characters} characters came, and at most ${MAX_NAME_CHARACTERS} are allowed`);
      }
    }
    const happened = new Promise<boolean>((resolve, reject) => this.#waiting.push({ change, resolve, reject }));
    this.#work ??= this.#workOff();
    return happened;
  }

  /** Whoever asks while a write is under way is served by the next one, all at once. */
  async #workOff(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0));
      await this.#rewriteIfWorthwhile();
    }
    this.#work = undefined;
  }

  async #commit(waiting: readonly Waiting[]): Promise<void> {
    const edit = this.#table.edit(this.#options);
    const settled = waiting.map(({ change, resolve, reject }) => {
      try {
        const happened = edit.make(change);
        return { change, happened, settle: () => resolve(happened) };
      } catch (error) {
        return { change, happened: false, settle: () => reject(error) };
      }
    });
    const changes = settled.filter(({ happened }) => happened).map(({ change }) => change);
    try {
      if (changes.length > 0) await this.#disk?.journal.append(changes);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      return;
    }
    edit.apply();
    for (const { settle } of settled) settle();
  }

  async #rewriteIfWorthwhile(): Promise<void> {
    const journal = this.#disk?.journal;
    const { rewriteAboveBytes, warn } = this.#options;
    if (journal === undefined) return;
    if (journal.bytes <= Math.max(rewriteAboveBytes, 2 * this.#table.bytes, this.#tooFullBelow)) return;
    try {
      await journal.rewrite(this.#table.changes());
      this.#tooFullBelow = 0;
    } catch (error) {
      this.#tooFullBelow = 2 * journal.bytes;
      warn(`the file of registrations could not be written anew, and goes on to grow: ${reasonOf(error)}`);
    }
  }
}
