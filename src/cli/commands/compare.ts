import { type Command, InvalidArgumentError, Option } from "commander";
import { CompareStrategiesResponse } from "../../../gen/acms/v1/assembly_service.js";
import { type DoorOptions, namespaceOption, serverOption, withDoor } from "../door/with-door.js";
import { type NamedChoice, parseNames, variantsOf } from "../input/compared-variants.js";
import type { RequestOverrides } from "../input/override-request.js";
import { addRequestOptions, readRequestOf } from "../input/request-options.js";
import { type CliIo, createCommand, ExitError, exitCodes, writeLines } from "../io.js";
import { comparisonText } from "../output/comparison-text.js";
import { writeForPeople } from "../output/for-people.js";
import { type Format, formatFor, formatOption } from "../output/format.js";
import { jsonLines } from "../output/json-lines.js";
import { terminalOf } from "../output/terminal.js";

interface CompareOptions extends RequestOverrides, DoorOptions {
  readonly format?: Format;
  readonly all?: true;
}

/** The most differences that the text shows without `--all`. */
const usualLimit = 20;

const choiceFlags: readonly (readonly [kind: NamedChoice["kind"], flag: string, meaning: string])[] = [
  ["strategy", "--strategies <names>", "compare these strategies: a,b,c"],
  ["profile", "--profiles <names>", "compare these profiles: direct,fusion"],
  ["packer", "--packers <names>", "compare these packers: in_order,greedy_knapsack,optimal"],
];

/** `acms compare <file>`: one input assembled in several ways, side by side. */
export function compareCommand(io: CliIo): Command {
  const choices: NamedChoice[] = [];
  const command = createCommand(io, "compare")
    .summary("assemble one input in several ways and show where they differ")
    .description(
      "Reads what `acms assemble` reads, assembles it once for each name in the lists below, in their order, and writes the " +
        "CompareStrategiesResponse. What the request or another flag says holds for all.",
    );
  for (const [kind, flag, meaning] of choiceFlags) {
    command.addOption(
      new Option(flag, meaning).argParser((text) => {
        choices.push(...namesIn(text).map((name) => ({ kind, name })));
      }),
    );
  }
  return addRequestOptions(command)
    .addOption(serverOption())
    .addOption(namespaceOption())
    .addOption(formatOption())
    .option("--all", "show all differences in the text")
    .addHelpText(
      "after",
      "\nExit codes: 0 compared (a variant that failed is part of the answer), 1 refused (the status and every violation are on " +
        "stderr), 2 wrong use.\n" +
        "\nExample: acms fragments . | acms compare --budget 8000 --strategies relevance,recency --packers optimal -",
    )
    .action((file: string, options: CompareOptions) => run(io, file, choices, options));
}

async function run(io: CliIo, file: string, choices: readonly NamedChoice[], options: CompareOptions): Promise<void> {
  if (choices.length === 0) {
    throw new ExitError(
      exitCodes.wrongUse,
      "error: there is nothing to compare; --strategies, --profiles and --packers name it",
    );
  }
  const { assemble, response } = await withDoor(io, options, async (door) => {
    const assemble = await readRequestOf(io, file, options, door);
    return {
      assemble,
      response: await door.compareStrategies({ assemble, variants: variantsOf(choices, assemble) }),
    };
  });
  if (formatFor(io, options.format) === "json") {
    const bytes = CompareStrategiesResponse.encode(response).finish();
    await writeLines(io.stdout, jsonLines("acms.v1.CompareStrategiesResponse", bytes));
  } else {
    const limit = options.all ? Number.POSITIVE_INFINITY : usualLimit;
    await writeForPeople(io, comparisonText({ request: assemble, response, terminal: terminalOf(io), limit }));
  }
}

function namesIn(text: string): string[] {
  const names = parseNames(text);
  if (names === undefined) throw new InvalidArgumentError("It must be one name or several, with a comma between them.");
  return names;
}
