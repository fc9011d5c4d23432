import { type FileHandle, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Change, decodeChanges, encodeChanges, sizeOf } from "./change.js";
import { RegistrationsError, reasonOf } from "./errors.js";
import { syncFolder } from "./folder.js";
import { encodeFrame, MAGIC, readFrames } from "./frame.js";

/** The name of the file in its folder. */
export const JOURNAL_NAME = "registrations.journal";

/** A journal that is being written anew, until it takes the place of the old one. */
const NEW_NAME = `${JOURNAL_NAME}.new`;

/** About how large the frames of a journal are that is written anew. */
const NEW_FRAME_BYTES = 1024 * 1024;

/** A journal, and the changes that it holds, oldest first. */
export interface OpenedJournal {
  readonly journal: Journal;
  readonly changes: Change[];
}

/** Opens the journal of a folder, which its caller has locked, or makes one. `warn` is told of a last write that was cut short. */
export async function openJournal(folder: string, warn: (message: string) => void): Promise<OpenedJournal> {
  await rm(join(folder, NEW_NAME), { force: true });
  const path = join(folder, JOURNAL_NAME);
  const file = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) {
    const made = await writeJournal(folder, []);
    await syncFolder(folder);
    return { journal: new Journal(folder, made.handle, made.end), changes: [] };
  }
  const { bodies, end, damage } = readFrames(file);
  const changes = bodies.flatMap(decodeChanges);
  if (damage !== undefined) {
    const message = `${path} is damaged at byte ${damage.at} of ${file.length}: ${damage.what}. The ${changes.length} changes before are whole, what follows is not read, and the file is left as it is: put a copy in its place, or move it away to begin without registrations`;
    throw new RegistrationsError("DAMAGED", message);
  }
  const handle = await open(path, "r+");
  if (end < file.length) {
    await handle.truncate(end);
    await handle.sync();
    warn(`${path}: the last write was cut short; its ${file.length - end} bytes, which nobody was told of, are gone`);
  }
  return { journal: new Journal(folder, handle, end), changes };
}

/** A file that changes are added to. One call at a time. */
export class Journal {
  readonly #folder: string;
  #handle: FileHandle;
  #end: number;
  /** Why what is on the disk is not known any more. */
  #broken: unknown;

  constructor(folder: string, handle: FileHandle, end: number) {
    this.#folder = folder;
    this.#handle = handle;
    this.#end = end;
  }

  /** How long the file is. */
  get bytes(): number {
    return this.#end;
  }

  /** Adds changes, all or none; they are on the disk once it resolves. Rejects with a `RegistrationsError`. */
  async append(changes: readonly Change[]): Promise<void> {
    if (this.#broken !== undefined) throw this.#unusable(this.#broken);
    const frame = encodeFrame(this.#end, encodeChanges(changes));
    try {
      await writeAll(this.#handle, frame, this.#end);
    } catch (error) {
      await this.#cutBack();
      throw this.#unusable(error);
    }
    try {
      await this.#handle.datasync();
    } catch (error) {
      // The system may have dropped what it could not write and say so only once: a second attempt that succeeds proves nothing.
      this.#broken = error;
      await this.#cutBack();
      throw this.#unusable(error);
    }
    this.#end += frame.length;
  }

  /** Writes the file anew, with these changes in place of all of its own. Where it rejects, the old file goes on, or none. */
  async rewrite(changes: Iterable<Change>): Promise<void> {
    if (this.#broken !== undefined) throw this.#unusable(this.#broken);
    const made = await writeJournal(this.#folder, changes);
    const old = this.#handle;
    this.#handle = made.handle;
    this.#end = made.end;
    try {
      await syncFolder(this.#folder);
    } catch (error) {
      // After a loss of power the old file may be back, without what was added to the new one.
      this.#broken = error;
      throw this.#unusable(error);
    } finally {
      await old.close();
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** Removes what a failed write left behind. */
  async #cutBack(): Promise<void> {
    try {
      await this.#handle.truncate(this.#end);
      await this.#handle.datasync();
    } catch (error) {
      this.#broken ??= error;
    }
  }

  #unusable(cause: unknown): RegistrationsError {
    const more = this.#broken === undefined ? "" : "; nothing can be registered until the server is started anew";
    return new RegistrationsError("UNUSABLE", `cannot write to ${this.#folder}: ${reasonOf(cause)}${more}`, cause);
  }
}

/** Writes a journal under another name, and gives it the journal's name once it is complete on the disk. */
async function writeJournal(
  folder: string,
  changes: Iterable<Change>,
): Promise<{ readonly handle: FileHandle; readonly end: number }> {
  const path = join(folder, NEW_NAME);
  const handle = await open(path, "w", 0o600);
  try {
    let end = await writeAll(handle, MAGIC, 0);
    for (const some of inParts(changes)) end = await writeAll(handle, encodeFrame(end, encodeChanges(some)), end);
    await handle.sync();
    await rename(path, join(folder, JOURNAL_NAME));
    return { handle, end };
  } catch (error) {
    await handle.close();
    await rm(path, { force: true });
    throw error;
  }
}

function* inParts(changes: Iterable<Change>): Generator<Change[]> {
  let part: Change[] = [];
  let bytes = 0;
  for (const change of changes) {
    part.push(change);
    bytes += sizeOf(change.namespace, change.name, change.value ?? new Uint8Array());
    if (bytes < NEW_FRAME_BYTES) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
}

/** Writes all of the bytes at a place; resolves to where they end. */
async function writeAll(handle: FileHandle, bytes: Buffer, at: number): Promise<number> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
  return at + bytes.length;
}
