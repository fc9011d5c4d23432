import { InvalidArgumentError, Option } from "commander";
import { ExitError, exitCodes } from "../io.js";
import { type Door, RefusedError } from "./door.js";
import { openInProcess } from "./in-process.js";
import { openOverGrpc } from "./over-grpc.js";

/** The option that chooses the door. */
export function serverOption(): Option {
  return new Option("--server <host:port>", "ask this server (absent: the answer is made in this process)").argParser(
    parseAddress,
  );
}

/**
 * Opens the door to a server, or in this process, and hands it to the work. A refusal becomes exit code 1, with the status and every
 * violation for stderr.
 */
export async function withDoor<Result>(
  server: string | undefined,
  work: (door: Door) => Promise<Result>,
): Promise<Result> {
  const door = server === undefined ? openInProcess() : openOverGrpc(server);
  try {
    return await work(door);
  } catch (error) {
    throw error instanceof RefusedError ? new ExitError(exitCodes.refused, describe(error)) : error;
  } finally {
    door.close();
  }
}

function describe({ status, message, violations }: RefusedError): string {
  if (violations.length === 0) {
    return `${status}: ${message}`;
  }
  const lines = violations.map(({ field, description }) => `  ${field === "" ? "" : `${field}: `}${description}`);
  return [`${status}: the request is refused`, ...lines].join("\n");
}

function parseAddress(text: string): string {
  const port = /^(?:[^\s:/[\]]+|\[[\da-fA-F:.]+\]):(\d{1,5})$/.exec(text)?.[1];
  if (port === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new InvalidArgumentError("It must be HOST:PORT, such as 127.0.0.1:50551 or [::1]:50551.");
  }
  return text;
}
