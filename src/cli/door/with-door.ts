import { InvalidArgumentError, Option } from "commander";
import { readSettings } from "../input/settings.js";
import { type CliIo, ExitError, exitCodes } from "../io.js";
import { type Door, RefusedError } from "./door.js";
import { openInProcess, ownApp } from "./in-process.js";
import { openOverGrpc } from "./over-grpc.js";

/** What the options of the door say. */
export interface DoorOptions {
  /** The server's address. Absent: this process answers. */
  readonly server?: string;
  /** The namespace in the server. Absent: the one of all who name none. */
  readonly namespace?: string;
}

/** The option that chooses the door. */
export function serverOption(): Option {
  return new Option("--server <host:port>", "ask this server (absent: the answer is made in this process)").argParser(
    parseAddress,
  );
}

/** The option that says whose registered and hosted names hold, for commands in which names of strategies and components stand. */
export function namespaceOption(): Option {
  return new Option(
    "--namespace <name>",
    "with --server: what is registered or hosted in this namespace (absent: in the one of all who name none)",
  ).argParser(parseNamespace);
}

/**
 * Opens the door to a server, or in this process, and hands it to the work. A refusal becomes exit code 1, with the status and every
 * violation for stderr. In this process the settings of a server hold for what a request may hold, but none for the size of its message.
 */
export async function withDoor<Result>(
  io: CliIo,
  { server, namespace }: DoorOptions,
  work: (door: Door) => Promise<Result>,
): Promise<Result> {
  if (server === undefined && namespace !== undefined) {
    throw new ExitError(
      exitCodes.wrongUse,
      "error: --namespace needs --server, since names are registered and hosted in a server",
    );
  }
  const door = server === undefined ? openInProcess(ownApp(readSettings(io, {}))) : openOverGrpc(server, namespace);
  try {
    return await work(door);
  } catch (error) {
    throw error instanceof RefusedError ? new ExitError(exitCodes.refused, describe(error, server)) : error;
  } finally {
    door.close();
  }
}

function describe({ status, reason, message, violations }: RefusedError, server: string | undefined): string[] {
  if (violations.length > 0) {
    const lines = violations.map(({ field, description }) => `  ${field === "" ? "" : `${field}: `}${description}`);
    return [`${status}: the request is refused`, ...lines];
  }
  return [`${status}: ${message}`, ...adviceOn(reason, server)];
}

/** What may be done about a limit: who meets it has to know whose it is. */
function adviceOn(reason: string, server: string | undefined): string[] {
  if (reason === "TOO_MANY_FRAGMENTS") {
    return server === undefined
      ? ["  ACMS_MAX_FRAGMENTS in the environment sets the limit, for this command as for a server."]
      : ["  The limit is the server's: `acms serve --max-fragments` sets it."];
  }
  return reason === "MESSAGE_TOO_LARGE"
    ? ["  The limit is the server's: `acms serve --max-receive-bytes` sets it."]
    : [];
}

function parseAddress(text: string): string {
  const port = /^(?:[^\s:/[\]]+|\[[\da-fA-F:.]+\]):(\d{1,5})$/.exec(text)?.[1];
  if (port === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new InvalidArgumentError("It must be HOST:PORT, such as 127.0.0.1:50551 or [::1]:50551.");
  }
  return text;
}

/** What the metadata of a call can carry, without spaces at its ends, which would be lost on the way; how long it may be the server says. */
function parseNamespace(text: string): string {
  if (!/^[!-~](?:[ -~]*[!-~])?$/.test(text)) {
    throw new InvalidArgumentError("It must be of visible ASCII characters, with spaces between them at most.");
  }
  return text;
}
