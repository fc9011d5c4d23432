import type { Command } from "commander";
import type { Strategy } from "../../../gen/acms/v1/strategy.js";
import { ListStrategiesResponse } from "../../../gen/acms/v1/strategy_service.js";
import { printProtoJson } from "../../proto-json/index.js";
import type { Door } from "../door/door.js";
import { type DoorOptions, namespaceOption, serverOption, withDoor } from "../door/with-door.js";
import { type CliIo, createCommand, writeLines } from "../io.js";
import { writeForPeople } from "../output/for-people.js";
import { type Format, formatFor, formatOption } from "../output/format.js";
import { strategiesText } from "../output/strategies-text.js";
import { terminalOf } from "../output/terminal.js";

interface StrategiesOptions extends DoorOptions {
  readonly format?: Format;
}

/** `acms strategies`: what ranks fragments. */
export function strategiesCommand(io: CliIo): Command {
  return createCommand(io, "strategies")
    .summary("list the strategies that rank fragments")
    .description(
      "Lists the strategies by name: how each ranks, what it can do, and its confidence, which is its share.",
    )
    .addOption(serverOption())
    .addOption(namespaceOption())
    .addOption(formatOption())
    .action((options: StrategiesOptions) => run(io, options));
}

async function run(io: CliIo, options: StrategiesOptions): Promise<void> {
  const strategies = await withDoor(io, options, allStrategies);
  if (formatFor(io, options.format) === "json") await writeLines(io.stdout, jsonLines(strategies));
  else await writeForPeople(io, strategiesText(strategies, terminalOf(io)));
}

async function allStrategies(door: Door): Promise<Strategy[]> {
  const strategies: Strategy[] = [];
  let pageToken = "";
  do {
    const page = await door.listStrategies({ pageSize: 0, pageToken });
    strategies.push(...page.strategies);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return strategies;
}

function jsonLines(strategies: Strategy[]): string[] {
  const bytes = ListStrategiesResponse.encode({ strategies, nextPageToken: "" }).finish();
  return [
    JSON.stringify(printProtoJson("acms.v1.ListStrategiesResponse", bytes, { withDefaults: true }), undefined, 2),
  ];
}
