import { type Command, InvalidArgumentError, Option } from "commander";
import { AssembleResponse } from "../../../gen/acms/v1/assembly_service.js";
import { Decision } from "../../../gen/acms/v1/trace.js";
import { type DoorOptions, namespaceOption, serverOption, withDoor } from "../door/with-door.js";
import { countDropped } from "../explain/count-dropped.js";
import { explain } from "../explain/explanation.js";
import { type RequestOverrides, traceNames } from "../input/override-request.js";
import { addRequestOptions, readRequestOf } from "../input/request-options.js";
import { type CliIo, createCommand, writeLines } from "../io.js";
import { assemblyText } from "../output/assembly-text.js";
import { explanationText } from "../output/explanation-text.js";
import { writeForPeople } from "../output/for-people.js";
import { type Format, formatFor, formatOption } from "../output/format.js";
import { jsonLines } from "../output/json-lines.js";
import { terminalOf } from "../output/terminal.js";

interface AssembleOptions extends RequestOverrides, DoorOptions {
  readonly format?: Format;
  readonly all?: true;
  readonly explain?: string;
}

/** The most fragments that each list of the text shows without `--all`. */
const usualLimit = 10;

/** `acms assemble <file>`: a request in, the payload that fits its budget out. */
export function assembleCommand(io: CliIo): Command {
  const command = createCommand(io, "assemble")
    .summary("assemble a payload that fits a budget")
    .description(
      "Reads an AssembleRequest in ProtoJSON and writes the AssembleResponse. With --budget it reads JSON lines of " +
        "ContextFragment as well, as `acms fragments` writes them. What a flag says replaces what the request says.",
    );
  return addRequestOptions(command)
    .addOption(new Option("--trace <level>", "how much of the decisions comes back").choices(traceNames))
    .option("--plan-id <ulid>", "the plan that the payload is for")
    .addOption(serverOption())
    .addOption(namespaceOption())
    .addOption(formatOption())
    .option("--all", "show lists in full in the text")
    .addOption(
      new Option(
        "--explain <id>",
        "tell the whole story of one fragment instead, by its id or as #0 by its place; as text, or its Decision as json",
      ).argParser(onlyOne),
    )
    .addHelpText(
      "after",
      "\nExit codes: 0 assembled, 1 refused (the status and every violation are on stderr), 2 wrong use.\n" +
        '\nExample: acms fragments . --query "how are budgets split" | acms assemble --budget 8000 -',
    )
    .action((file: string, options: AssembleOptions) => run(io, file, options));
}

async function run(io: CliIo, file: string, options: AssembleOptions): Promise<void> {
  const { explain: wanted } = options;
  if (wanted !== undefined) return runExplain(io, file, { ...options, explain: wanted });
  const isText = formatFor(io, options.format) === "text";
  const view = await withDoor(io, options, async (door) => {
    const request = await readRequestOf(io, file, options, door);
    const response = await door.assemble(request);
    return { request, response, ...(isText && { counted: await countDropped(door, request, response.payload) }) };
  });
  if (isText) {
    const limit = options.all ? Number.POSITIVE_INFINITY : usualLimit;
    await writeForPeople(io, assemblyText({ ...view, terminal: terminalOf(io), limit }));
  } else {
    const bytes = AssembleResponse.encode(view.response).finish();
    await writeLines(io.stdout, jsonLines("acms.v1.AssembleResponse", bytes));
  }
}

/** A story is for people, wherever it is written; programs ask for its decision by name. */
async function runExplain(io: CliIo, file: string, options: AssembleOptions & { explain: string }): Promise<void> {
  const { request, explanation } = await withDoor(io, options, async (door) => {
    const request = await readRequestOf(io, file, options, door);
    return { request, explanation: await explain(door, request, options.explain) };
  });
  if (options.format === "json") {
    await writeLines(io.stdout, jsonLines("acms.v1.Decision", Decision.encode(explanation.decision).finish()));
  } else {
    await writeForPeople(io, explanationText({ request, explanation, terminal: terminalOf(io) }));
  }
}

/** Each story takes assemblies of its own; a second one is a second command. */
function onlyOne(id: string, before: string | undefined): string {
  if (before !== undefined) throw new InvalidArgumentError("It may come once.");
  return id;
}
