import { type Command, InvalidArgumentError } from "commander";
import type { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import { type Door, RefusedError } from "../door/door.js";
import type { CliIo } from "../io.js";
import { furtherViolations } from "./further-violations.js";
import { overrideRequest, type RequestOverrides } from "./override-request.js";
import { nameOf, readInput } from "./read-input.js";
import { readRequest } from "./read-request.js";

/** Adds the input and the flags that say what a request says, for every command that reads one. */
export function addRequestOptions(command: Command): Command {
  return command
    .argument("<file>", "the request or the fragments; - is the standard input")
    .option("--budget <tokens>", "the request's max_tokens", parseTokens)
    .option("--reserved <tokens>", "the request's reserved_tokens", parseTokens)
    .option("--strategy <name>", "a strategy that ranks; may come several times", collect)
    .option("--profile <name>", "the components that run: direct, or fusion, which knows variants")
    .option("--packer <name>", "the packer, in place of the profile's")
    .option("--query <text>", "what the prompt is for");
}

/**
 * Reads the request that a file and flags make up. Where it is not all right, whoever answers requests is asked what else is wrong.
 *
 * @throws RefusedError with every fault
 */
export async function readRequestOf(
  io: CliIo,
  file: string,
  overrides: RequestOverrides,
  door: Pick<Door, "assemble">,
): Promise<AssembleRequest> {
  const input = { text: await readInput(io, file), name: nameOf(file) };
  const { request, violations } = readRequest(input, overrides.budget !== undefined);
  const changed = overrideRequest(request, overrides);
  if (violations.length === 0) return changed;
  const all = [...violations, ...(await furtherViolations(door, changed, violations))];
  throw new RefusedError("INVALID_ARGUMENT", "the request is refused", { violations: all });
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
