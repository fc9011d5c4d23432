import { createHash } from "node:crypto";
import { outline } from "./outline.js";
import { type FolderContent, readFolder, type SkippedFile, type SourceFile } from "./read-folder.js";
import { countCharacters } from "./read-text.js";
import { relevances } from "./relevance.js";

/** The depths at which a file can be shown: 0 its path, 2 its outline, 9 its full text. */
export const fileDepths = [0, 2, 9] as const;
export type FileDepth = (typeof fileDepths)[number];

const longestId = 128;
const longestNode = 2048;

/** A ContextFragment as ProtoJSON writes it. */
export interface FragmentJson {
  readonly fragmentId: string;
  readonly ukoNode: string;
  readonly content: string;
  readonly tokenCount: number;
  readonly relevanceScore?: number;
  readonly detailDepth: number;
  readonly createdAt: string;
  readonly provenance: { readonly resourceUri: string; readonly resourceType: string };
}

export interface FragmentOptions {
  /** The folder's name, which becomes the authority of each node. */
  readonly name: string;
  /** The depths at which each file is shown. */
  readonly depths: readonly FileDepth[];
  /** What the files should be relevant for. Absent: the fragments have no relevance. */
  readonly query?: string;
}

export interface FolderFragments {
  /** By path and depth. */
  readonly fragments: readonly FragmentJson[];
  readonly skipped: readonly SkippedFile[];
}

/**
 * The fragments of a folder: for each text file one node, with a variant for each depth. A variant without text (the outline of a file that
 * has none, the text of an empty file) is left out. The same files give the same fragments.
 */
export function fragmentsOfFolder(folder: string, options: FragmentOptions): FolderFragments {
  return fragmentsOf(readFolder(folder), options);
}

/** The same for files that were read. */
export function fragmentsOf(content: FolderContent, { name, depths, query }: FragmentOptions): FolderFragments {
  const node = (file: { readonly path: string }) => `project://${name}/${file.path}`;
  const fits = (file: SourceFile) => countCharacters(node(file)) <= longestNode;
  const files = content.files.filter(fits);
  const tooLong = content.files.filter((file) => !fits(file));
  const scores = query === undefined ? undefined : relevances(files, query);
  const ascending = [...depths].sort((a, b) => a - b);
  return {
    fragments: files.flatMap((file) => {
      const variants = ascending.map((depth) => variant(file, node(file), depth, scores?.get(file.path)));
      return variants.filter(({ content }) => content !== "");
    }),
    skipped: [...content.skipped, ...tooLong.map(({ path }) => ({ path, reason: "name too long" }) as const)],
  };
}

function variant(file: SourceFile, ukoNode: string, depth: FileDepth, relevance: number | undefined): FragmentJson {
  const content = contentAt(file, depth);
  return {
    fragmentId: fragmentId(file.path, depth),
    ukoNode,
    content,
    tokenCount: estimateTokens(content),
    ...(relevance === undefined ? {} : { relevanceScore: relevance }),
    detailDepth: depth,
    createdAt: file.modifiedAt.toISOString(),
    provenance: { resourceUri: ukoNode, resourceType: "file" },
  };
}

function contentAt(file: SourceFile, depth: FileDepth): string {
  switch (depth) {
    case 0:
      return file.path;
    case 2:
      return outline(file.path, file.text);
    case 9:
      return file.text;
  }
}

/** The path and the depth; of a path that is too long its end, which tells most, after a hash of the whole, which keeps it unique. */
function fragmentId(path: string, depth: FileDepth): string {
  const suffix = `@${depth}`;
  if (countCharacters(path) + suffix.length <= longestId) {
    return path + suffix;
  }
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 16);
  const room = longestId - hash.length - 1 - suffix.length;
  return `${hash}~${Array.from(path).slice(-room).join("")}${suffix}`;
}

function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
