import { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import type { Violation } from "../../core/index.js";
import { ProtoJsonError, parseProtoJson } from "../../proto-json/index.js";
import { RefusedError } from "../door/door.js";
import { ExitError, exitCodes } from "../io.js";

const typeName = "acms.v1.AssembleRequest";

/** A text, and how messages name where it came from. */
export interface Input {
  readonly text: string;
  readonly name: string;
}

/** What of a text is a request, and what is wrong with the rest. */
export interface ReadRequest {
  readonly request: AssembleRequest;
  readonly violations: readonly Violation[];
}

/**
 * The request of a text: a whole one in ProtoJSON, or fragments as JSON lines. Lines need a budget from outside, so without one the text is
 * taken for a whole request.
 *
 * @throws ExitError where the text is not JSON, RefusedError where nothing of it is a request
 */
export function readRequest(input: Input, hasBudget: boolean): ReadRequest {
  if (hasBudget && holdsLines(input.text)) {
    return decode(wrapLines(input), input);
  }
  return decode(input.text, input);
}

/** Lines of fragments: the first one is JSON by itself, and has nothing that only a whole request has. */
function holdsLines(text: string): boolean {
  const first = parse(firstLine(text) ?? "{}");
  return first.ok && !(isObject(first.value) && ("fragments" in first.value || "budget" in first.value));
}

function firstLine(text: string): string | undefined {
  return /\S.*/.exec(text)?.[0];
}

/** Joined as text and not as values, so that the reader sees all that is in the lines, such as a key that comes twice. */
function wrapLines({ text, name }: Input): string {
  const lines = text.split("\n").map((line, i) => ({ line, number: i + 1 }));
  const filled = lines.filter(({ line }) => line.trim() !== "");
  const faults = filled.flatMap(({ line, number }) => {
    const parsed = parse(line);
    return parsed.ok ? [] : [`  line ${number}: ${parsed.message}`];
  });
  if (faults.length > 0) {
    throw new ExitError(exitCodes.wrongUse, [`error: not every line of ${name} is JSON:`, ...faults]);
  }
  return `{"fragments":[${filled.map(({ line }) => line).join(",")}]}`;
}

function decode(json: string, { text, name }: Input): ReadRequest {
  try {
    return { request: AssembleRequest.decode(parseProtoJson(typeName, json)), violations: [] };
  } catch (error) {
    if (!(error instanceof ProtoJsonError)) {
      throw error;
    }
    if (!error.isJson) {
      const message = error.violations.map(({ description }) => description).join("; ");
      throw new ExitError(exitCodes.wrongUse, [`error: ${name}: ${message}`, ...hint(text)]);
    }
    const { rest, violations } = error;
    if (rest !== undefined) {
      return { request: AssembleRequest.decode(rest), violations };
    }
    throw new RefusedError("INVALID_ARGUMENT", error.message, { violations: error.violations, cause: error });
  }
}

function hint(text: string): string[] {
  const first = parse(firstLine(text) ?? "");
  return first.ok && isObject(first.value)
    ? ["These look like fragments, one a line: --budget TOKENS makes a request of them."]
    : [];
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

function parse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
