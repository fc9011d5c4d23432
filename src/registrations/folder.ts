import { mkdir, open, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Makes a folder, and the ones that it stands in, so that a loss of power does not take them again. Where it exists nothing happens. */
export async function createFolder(folder: string): Promise<void> {
  for (const missing of await missingFolders(resolve(folder))) {
    await mkdir(missing, { mode: 0o700 }).catch(unlessThere);
    await syncFolder(dirname(missing));
  }
}

/**
 * The folders that do not exist yet on the way to one, the outermost first. To make them all with one `mkdir` never ends on file systems that
 * take no folders and say that the way there is missing, such as `/proc`.
 */
async function missingFolders(folder: string): Promise<string[]> {
  const found = await stat(folder).catch(unlessMissing);
  if (found?.isDirectory() === false) throw new Error(`${folder} is a file`);
  return found !== undefined || dirname(folder) === folder ? [] : [...(await missingFolders(dirname(folder))), folder];
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}

/** Another process may have made it meanwhile. */
function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

/** Waits until the names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
