import { mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Makes a folder, and the ones that it stands in, so that a loss of power does not take them again. Where it exists nothing happens. */
export async function createFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = resolve(folder); made.length >= resolve(first).length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
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
