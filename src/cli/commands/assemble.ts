import { type Command, InvalidArgumentError, Option } from "commander";
import { AssembleResponse } from "../../../gen/acms/v1/assembly_service.js";
import { printProtoJson } from "../../proto-json/index.js";
import { serverOption, withDoor } from "../door/with-door.js";
import { overrideRequest, type RequestOverrides, traceNames } from "../input/override-request.js";
import { nameOf, readInput } from "../input/read-input.js";
import { readRequest } from "../input/read-request.js";
import { type CliIo, createCommand, writeLines } from "../io.js";
import { assemblyText } from "../output/assembly-text.js";
import { type Format, formatFor, formatOption } from "../output/format.js";
import { terminalOf } from "../output/terminal.js";

interface AssembleOptions extends RequestOverrides {
  readonly server?: string;
  readonly format?: Format;
  readonly all?: true;
}

/** The most fragments that each list of the text shows without `--all`. */
const usualLimit = 10;

/** `acms assemble <file>`: a request in, the payload that fits its budget out. */
export function assembleCommand(io: CliIo): Command {
  return createCommand(io, "assemble")
    .summary("assemble a payload that fits a budget")
    .description(
      "Reads an AssembleRequest in ProtoJSON and writes the AssembleResponse. With --budget it reads JSON lines of " +
        "ContextFragment as well, as `acms fragments` writes them. What a flag says replaces what the request says.",
    )
    .argument("<file>", "the request or the fragments; - is the standard input")
    .option("--budget <tokens>", "the request's max_tokens", parseTokens)
    .option("--reserved <tokens>", "the request's reserved_tokens", parseTokens)
    .option("--strategy <name>", "a strategy that ranks; may come several times", collect)
    .option("--profile <name>", "the components that run: direct, or fusion, which knows variants")
    .option("--packer <name>", "the packer, in place of the profile's")
    .option("--query <text>", "what the prompt is for")
    .addOption(new Option("--trace <level>", "how much of the decisions comes back").choices(traceNames))
    .option("--plan-id <ulid>", "the plan that the payload is for")
    .addOption(serverOption())
    .addOption(formatOption())
    .option("--all", "show lists in full in the text")
    .addHelpText(
      "after",
      "\nExit codes: 0 assembled, 1 refused (the status and every violation are on stderr), 2 wrong use.\n" +
        '\nExample: acms fragments . --query "how are budgets split" | acms assemble --budget 8000 -',
    )
    .action((file: string, options: AssembleOptions) => run(io, file, options));
}

async function run(io: CliIo, file: string, options: AssembleOptions): Promise<void> {
  const { request, response } = await withDoor(options.server, async (door) => {
    const input = { text: await readInput(io, file), name: nameOf(file) };
    const request = overrideRequest(readRequest(input, options.budget !== undefined), options);
    return { request, response: await door.assemble(request) };
  });
  const lines =
    formatFor(io, options.format) === "json"
      ? jsonLines(response)
      : assemblyText({
          request,
          response,
          terminal: terminalOf(io),
          limit: options.all ? Number.POSITIVE_INFINITY : usualLimit,
        });
  await writeLines(io.stdout, lines);
}

function jsonLines(response: AssembleResponse): string[] {
  const bytes = AssembleResponse.encode(response).finish();
  return [JSON.stringify(printProtoJson("acms.v1.AssembleResponse", bytes, { withDefaults: true }), undefined, 2)];
}

/** Only what the contract can carry at all is wrong use here; which numbers make sense is the service's to say. */
function parseTokens(text: string): number {
  const tokens = Number(text);
  if (!/^-?\d+$/.test(text) || Math.abs(tokens) > 2_147_483_647) {
    throw new InvalidArgumentError("It must be a whole number of tokens, at most 2147483647.");
  }
  return tokens;
}

function collect(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name];
}
