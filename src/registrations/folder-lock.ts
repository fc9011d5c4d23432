/**
 * One server at a time in a folder. Node has no `flock`, and a file with a process id in it cannot be trusted: the id is used again
 * after a restart, and in a container every server is process 1. So a server listens on a Unix socket in the folder. The system closes
 * it when the process ends, however it ends; who connects to the file that is left is refused and knows that its server is gone, from
 * another container on the same machine too.
 *
 * A server first listens and then gives its socket the name that others look for, so a refusal there is for good. It then looks at all
 * others: of two that start at once at least one sees the other and withdraws, and a short wait of chance lets one win where both did.
 */
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { RegistrationsError, reasonOf } from "./errors.js";

/** A folder that nobody else may use. */
export interface FolderLock {
  release(): Promise<void>;
}

const HOLDER = "server-";
const STARTER = "starting-";
const ATTEMPTS = 5;

/** The shortest that any system allows a socket's path to be, less a little. */
const MAX_PATH_BYTES = 100;

/** Locks a folder; rejects with a `RegistrationsError` where a living server has it. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const handle = await open(folder, "r");
  try {
    for (let attempt = 1; ; attempt++) {
      const lock = await attemptLock(folder, handle);
      if (typeof lock !== "string") return lock;
      if (attempt === ATTEMPTS) {
        throw new RegistrationsError(
          "IN_USE",
          `${folder} is in use by another server (${lock}); one at a time may have it`,
        );
      }
      await wait(randomInt(20, 100));
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The lock, or who has it. */
async function attemptLock(folder: string, handle: FileHandle): Promise<FolderLock | string> {
  const id = `${process.pid}-${randomBytes(6).toString("hex")}`;
  const server = await listen(folder, socketPath(folder, handle, STARTER + id));
  const release = async (): Promise<void> => {
    await rm(join(folder, HOLDER + id), { force: true });
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    const rival = (await publish(folder, id)) ? await findRival(folder, handle, id) : "one that is starting";
    if (rival === undefined) return { release: () => release().finally(() => handle.close()) };
    await release();
    return rival;
  } catch (error) {
    await release();
    throw error;
  }
}

/** What the system says where a folder takes no new files. */
const NOT_WRITABLE = ["EACCES", "EPERM", "EROFS"];

async function listen(folder: string, path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen({ path, exclusive: true });
  await once(server, "listening").catch((error) => {
    if (NOT_WRITABLE.includes(error.code)) {
      throw new RegistrationsError("UNUSABLE", `${folder} cannot be written to: ${reasonOf(error)}`, error);
    }
    throw new RegistrationsError("UNUSABLE", `cannot make the socket ${path}, a lock: ${reasonOf(error)}`, error);
  });
  return server.unref();
}

/** False where a server that has the folder by now has tidied up. */
async function publish(folder: string, id: string): Promise<boolean> {
  try {
    await rename(join(folder, STARTER + id), join(folder, HOLDER + id));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** Another living server; what dead ones left is removed. */
async function findRival(folder: string, handle: FileHandle, id: string): Promise<string | undefined> {
  const others = (await readdir(folder)).filter((name) => name !== HOLDER + id);
  for (const name of others.filter((other) => other.startsWith(HOLDER))) {
    if (await isAlive(socketPath(folder, handle, name))) return `process ${name.slice(HOLDER.length).split("-")[0]}`;
    await rm(join(folder, name), { force: true });
  }
  for (const name of others.filter((other) => other.startsWith(STARTER))) await rm(join(folder, name), { force: true });
  return undefined;
}

/** In doubt, such as without the right to connect, it is. */
async function isAlive(path: string): Promise<boolean> {
  const socket = connect({ path });
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    return !["ECONNREFUSED", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "");
  } finally {
    socket.destroy();
  }
}

/** A path of a socket in a folder; systems allow about a hundred bytes, beyond which there are ways around. */
function socketPath(folder: string, handle: FileHandle, name: string): string {
  const ways = [join(folder, name), relative(process.cwd(), join(folder, name))];
  if (process.platform === "linux") ways.push(`/proc/self/fd/${handle.fd}/${name}`);
  const path = ways.find((way) => Buffer.byteLength(way) <= MAX_PATH_BYTES);
  if (path === undefined) {
    throw new RegistrationsError(
      "UNUSABLE",
      `${folder} cannot be locked: its path has more than ${MAX_PATH_BYTES} bytes`,
    );
  }
  return path;
}
