import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Whether two paths lead to one file, by whatever name: also through links, and where there is none as yet. What is no file, such as
 * `/dev/null`, may be written to twice, and is the same as nothing.
 */
export function isSameFile(a: string, b: string): boolean {
  const identity = identityOf(a);
  return identity !== undefined && identity === identityOf(b);
}

function identityOf(path: string): string | undefined {
  const stats = statOf(path);
  if (stats === undefined) return join(realFolder(dirname(resolve(path))), basename(path));
  return stats.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
}

function statOf(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Whoever reads or writes it will say why that cannot be.
    return undefined;
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // A folder that cannot be reached has no other name to be found out.
    return folder;
  }
}
