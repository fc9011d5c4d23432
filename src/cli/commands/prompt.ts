import { writeFile } from "node:fs/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { PromptReport } from "../../../gen/acms/v1/prompt.js";
import { FitPromptRequest } from "../../../gen/acms/v1/prompt_service.js";
import { printProtoJson } from "../../proto-json/index.js";
import { type DoorOptions, serverOption, withDoor } from "../door/with-door.js";
import { type PromptFile, parsePromptFile, policyForms, readPromptSections } from "../input/prompt-files.js";
import { isSameFile } from "../input/same-file.js";
import { type CliIo, createCommand, ExitError, exitCodes, writeLines, writeText } from "../io.js";

interface PromptOptions extends DoorOptions {
  readonly budget: number;
  readonly margin?: number;
  readonly layout?: string;
  readonly out?: string;
  readonly metadata?: string;
}

/** A flag for each section of the layout `review`. */
const sectionFlags: readonly (readonly [name: string, flag: string, meaning: string])[] = [
  ["instructions", "--instructions <file>", "what to do; never cut"],
  ["roadmap", "--roadmap <file>", "where the work leads; never cut"],
  ["project", "--project <file>", "what the project is; first of all cut to 40 lines"],
  ["plans", "--plan <file>", "a plan, shortened with the others in proportion; may come several times"],
  ["context", "--context <file>", "dropped first"],
  ["research", "--research <file>", "dropped second"],
  ["requirements", "--requirements <file>", "dropped last"],
];

/** `acms prompt`: files in, a prompt that fits its budget out. */
export function promptCommand(io: CliIo): Command {
  const files: PromptFile[] = [];
  const command = createCommand(io, "prompt")
    .summary("fit the sections of a prompt into a budget")
    .description(
      "Makes a prompt of files, a section each, and trims it where it is over the budget. The prompt goes to the standard " +
        "output, and a report on what was cut, as JSON, to the standard error.",
    )
    .requiredOption("--budget <tokens>", "tokens that the prompt may take", parseNumber)
    .option("--margin <percent>", "per cent of the budget that stay free (absent: 10)", parseNumber)
    .addOption(new Option("--layout <name>", "review, or plain: the sections as they are named here (absent: review)"));
  for (const [section, flag, meaning] of sectionFlags) {
    command.addOption(
      new Option(flag, meaning).argParser((file) => {
        files.push({ section, file, isLabelled: section === "plans" });
      }),
    );
  }
  return command
    .addOption(
      new Option(
        "--section <name=file[:policy]>",
        `a section by name; ${policyForms} is what may be done to it; may come several times`,
      ).argParser((text) => {
        files.push(parseSection(text));
      }),
    )
    .option("--out <file>", "write the prompt there instead")
    .option("--metadata <file>", "write the report there instead")
    .addOption(serverOption())
    .addHelpText(
      "after",
      "\nA file named - is the standard input.\n" +
        "Exit codes: 0 fitted, 1 refused (the status and every violation are on stderr), 2 wrong use, 3 no prompt fits (it " +
        "is then empty, and the report has the figures).\n" +
        "\nExample: acms prompt --budget 8000 --instructions task.md --plan plan.md --context notes.md",
    )
    .action((options: PromptOptions) => run(io, files, options));
}

async function run(io: CliIo, files: readonly PromptFile[], options: PromptOptions): Promise<void> {
  const { budget, margin: marginPercent, layout = "" } = options;
  checkFiles(files, options);
  const sections = await readPromptSections(io, files);
  const request = { ...FitPromptRequest.fromPartial({}), sections, layout, budget, marginPercent };
  const { prompt, report } = await withDoor(io, options, (door) => door.fitPrompt(request));
  if (options.out === undefined) await writeText(io.stdout, prompt);
  else await writeOutput(options.out, prompt);
  const json = jsonOf(report ?? PromptReport.fromPartial({}));
  if (options.metadata === undefined) await writeLines(io.stderr, [json]);
  else await writeOutput(options.metadata, `${json}\n`);
  if (report?.hardFailed) throw new ExitError(exitCodes.nothingFits);
}

/** Each file has one part to play: what is written must not take the place of what is read, or of what else is written. */
function checkFiles(files: readonly PromptFile[], { out, metadata }: PromptOptions): void {
  if (files.length === 0) {
    const flags = sectionFlags.map(([, flag]) => flag.split(" ")[0]).join(", ");
    throw new ExitError(
      exitCodes.wrongUse,
      `error: there is nothing to make a prompt of; ${flags} and --section name files`,
    );
  }
  const outputs = [
    ...(out === undefined ? [] : [{ flag: "--out", file: out }]),
    ...(metadata === undefined ? [] : [{ flag: "--metadata", file: metadata }]),
  ];
  const inputs = files
    .filter(({ file }) => file !== "-")
    .map(({ file, section }) => ({ flag: `the section ${section}`, file }));
  for (const [i, output] of outputs.entries()) {
    const other = [...outputs.slice(i + 1), ...inputs].find(({ file }) => isSameFile(output.file, file));
    if (other === undefined) continue;
    const both = `${output.flag} ${JSON.stringify(output.file)} and ${other.flag} ${JSON.stringify(other.file)}`;
    throw new ExitError(exitCodes.wrongUse, `error: ${both} are one file; each needs its own`);
  }
}

function jsonOf(report: PromptReport): string {
  const bytes = PromptReport.encode(report).finish();
  return JSON.stringify(printProtoJson("acms.v1.PromptReport", bytes, { withDefaults: true }), undefined, 2);
}

async function writeOutput(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ExitError(exitCodes.wrongUse, `error: cannot write ${JSON.stringify(file)}: ${message}`);
  }
}

function parseSection(text: string): PromptFile {
  const file = parsePromptFile(text);
  if (file === undefined) {
    throw new InvalidArgumentError(`It must be NAME=FILE, with ${policyForms} after it or nothing.`);
  }
  return file;
}

/** Only what the contract can carry at all is wrong use here; which numbers make sense is the service's to say. */
function parseNumber(text: string): number {
  const number = Number(text);
  if (!/^-?\d+$/.test(text) || Math.abs(number) > 2_147_483_647) {
    throw new InvalidArgumentError("It must be a whole number, at most 2147483647.");
  }
  return number;
}
