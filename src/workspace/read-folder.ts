import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type IgnoreRules, inheritedRules, isIgnored, rulesWithin } from "./ignore-rules.js";
import { readText } from "./read-text.js";

/** A text file of the folder. */
export interface SourceFile {
  /** Path below the folder, with `/` on every platform. */
  readonly path: string;
  readonly text: string;
  readonly modifiedAt: Date;
}

/** Something in the folder that becomes no fragment. What .gitignore names is not even reported. */
export interface SkippedFile {
  readonly path: string;
  readonly reason: "binary" | "link" | "too long" | "name too long" | "unreadable";
  /** The file system's words, where it refused. */
  readonly detail?: string;
}

/** What a folder holds, each list ordered by the UTF-8 bytes of the path. */
export interface FolderContent {
  readonly files: readonly SourceFile[];
  readonly skipped: readonly SkippedFile[];
}

/**
 * Reads all text files below a folder that no .gitignore names: neither one in the folder and below, nor one of the repository around it.
 * Links are not followed: what they point to inside the folder is there under its own name, and the rest is not the folder's.
 *
 * @throws the file system's error where the folder itself cannot be read
 */
export function readFolder(folder: string): FolderContent {
  const found: Found = { files: [], skipped: [] };
  const rules = rulesWithin(folder, inheritedRules(folder));
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    visit({ folder, path: entry.name, entry, rules }, found);
  }
  return { files: found.files.sort(byPath), skipped: found.skipped.sort(byPath) };
}

interface Found {
  readonly files: SourceFile[];
  readonly skipped: SkippedFile[];
}

interface Visit {
  readonly folder: string;
  readonly path: string;
  readonly entry: Dirent;
  readonly rules: IgnoreRules;
}

function visit({ folder, path, entry, rules }: Visit, found: Found): void {
  const absolute = join(folder, path);
  if (entry.name === ".git" || isIgnored(rules, absolute, entry.isDirectory())) {
    return;
  }
  try {
    if (entry.isSymbolicLink()) {
      found.skipped.push({ path, reason: "link" });
    } else if (entry.isDirectory()) {
      const within = rulesWithin(absolute, rules);
      for (const inner of readdirSync(absolute, { withFileTypes: true })) {
        visit({ folder, path: `${path}/${inner.name}`, entry: inner, rules: within }, found);
      }
    } else if (entry.isFile()) {
      const { mtime, size } = statSync(absolute);
      const read = readText(absolute, size);
      if ("text" in read) {
        found.files.push({ path, text: read.text, modifiedAt: mtime });
      } else {
        found.skipped.push({ path, reason: read.skipped });
      }
    }
  } catch (error) {
    // One file that is gone or closed to us must not cost the others.
    found.skipped.push({ path, reason: "unreadable", detail: error instanceof Error ? error.message : String(error) });
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));
}
