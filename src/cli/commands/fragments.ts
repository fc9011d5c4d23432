import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type FileDepth, fileDepths, fragmentsOfFolder, type SkippedFile } from "../../workspace/index.js";
import {
  type CliIo,
  createCommand,
  ExitError,
  exitCodes,
  isSystemError,
  systemWords,
  tell,
  writeLines,
} from "../io.js";

interface FragmentsOptions {
  readonly query?: string;
  readonly depths: readonly FileDepth[];
}

/** `acms fragments <dir>`: the text files of a folder as JSON lines of ContextFragment. */
export function fragmentsCommand(io: CliIo): Command {
  return createCommand(io, "fragments")
    .summary("make fragments of a folder's text files")
    .description(
      "Writes the text files of a folder as JSON lines of ContextFragment, by path. What .gitignore names is left out.\n" +
        "Each file is one node with a variant for each depth: 0 its path, 2 its headings or declarations, 9 its full text.",
    )
    .argument("<dir>", "the folder")
    .option("--query <text>", "what the files should be relevant for (absent: no relevance)", parseQuery)
    .addOption(
      new Option("--depths <list>", `depths to show each file at, of ${fileDepths.join(", ")}`)
        .argParser(parseDepths)
        .default([9], "9"),
    )
    .action((dir: string, options: FragmentsOptions) => run(io, dir, options));
}

async function run(io: CliIo, dir: string, { query, depths }: FragmentsOptions): Promise<void> {
  const folder = resolve(dir);
  const { fragments, skipped } = readable(dir, () => {
    checkFolder(dir, folder);
    return fragmentsOfFolder(folder, { name: basename(folder), depths, ...(query === undefined ? {} : { query }) });
  });
  tell(io, report(skipped));
  await writeLines(io.stdout, jsonLines(fragments));
}

function* jsonLines(values: Iterable<unknown>): Iterable<string> {
  for (const value of values) {
    yield JSON.stringify(value);
  }
}

function readable<Result>(dir: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new ExitError(
      exitCodes.wrongUse,
      `error: cannot read the folder ${JSON.stringify(dir)}: ${systemWords(error)}`,
    );
  }
}

function checkFolder(dir: string, folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new ExitError(exitCodes.wrongUse, `error: no folder ${JSON.stringify(dir)} exists`);
  }
  if (!stats.isDirectory()) {
    throw new ExitError(exitCodes.wrongUse, `error: ${JSON.stringify(dir)} is a file, but must be a folder`);
  }
}

const reasons: Record<SkippedFile["reason"], string> = {
  binary: "binary",
  link: "link",
  "too long": "too long (at most 1,000,000 characters)",
  "name too long": "its node would have more than 2,048 characters",
  unreadable: "unreadable",
};

/** Text files that were passed over get a line each; binary files and links, of which there may be hundreds, one together. */
function report(skipped: readonly SkippedFile[]): string[] {
  const single = skipped.filter(({ reason }) => reason !== "binary" && reason !== "link");
  const lines = single.map(({ path, reason, detail }) => `skipped ${path}: ${detail ?? reasons[reason]}`);
  const counts = (["binary", "link"] as const)
    .map((reason) => [skipped.filter((file) => file.reason === reason).length, reason] as const)
    .filter(([count]) => count > 0)
    .map(([count, reason]) => `${count} ${reason}`);
  return counts.length > 0 ? [...lines, `skipped without text: ${counts.join(", ")}`] : lines;
}

function parseQuery(text: string): string {
  if (text.trim() === "") {
    throw new InvalidArgumentError("It must not be blank.");
  }
  return text;
}

function parseDepths(list: string): readonly FileDepth[] {
  const allowed = `Allowed are ${fileDepths.join(", ")}, each once, with commas between.`;
  const depths = list.split(",").map((item) => {
    const depth = fileDepths.find((known) => String(known) === item.trim());
    if (depth === undefined) {
      throw new InvalidArgumentError(`${JSON.stringify(item)} is not a depth. ${allowed}`);
    }
    return depth;
  });
  const twice = depths.find((depth, index) => depths.indexOf(depth) !== index);
  if (twice !== undefined) {
    throw new InvalidArgumentError(`${twice} comes twice. ${allowed}`);
  }
  return depths;
}
