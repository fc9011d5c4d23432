/** Requests with right answers, which hold for every door of the service: one file each under `features/vectors`. */
import { readdirSync, readFileSync } from "node:fs";
import { AssembleRequest } from "../../gen/acms/v1/assembly_service.js";
import type { ContextPayload } from "../../gen/acms/v1/payload.js";
import { Outcome, Reason } from "../../gen/acms/v1/trace.js";
import { type JsonValue, parseProtoJson } from "../../src/proto-json/index.js";

/** A request in ProtoJSON, and what is known of the right answer. */
export interface Vector {
  readonly name: string;
  /** What it shows, for a person. */
  readonly about: string;
  readonly request: { readonly [field: string]: JsonValue };
  readonly expect: Expectation;
}

/** What an answer must be; what is absent does not matter. */
interface Expectation {
  /** Ids of the payload's fragments, in any order. */
  readonly selected?: readonly string[];
  /** Ids of the payload's fragments, in this order. */
  readonly order?: readonly string[];
  /** How many fragments the payload has. */
  readonly count?: number;
  readonly totalTokens?: number;
  readonly remainingTokens?: number;
  readonly budgetUsed?: number;
  /** By fragment id. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** By fragment id. */
  readonly tokensMissing?: Readonly<Record<string, number>>;
  readonly provenOptimal?: boolean;
  readonly upperBound?: number;
  readonly stablePrefixTokens?: number;
  /** Codes of the warnings. */
  readonly warnings?: readonly string[];
  /** The status with which the request is refused. */
  readonly error?: string;
  /** Parts of the message of the refusal. */
  readonly messageHas?: readonly string[];
  /** Every order of the input has the same answer. */
  readonly permutations?: boolean;
}

/** What a door answers: a payload, or a refusal. */
export type Answer = ContextPayload | { readonly status: string; readonly message: string };

/** A way to have a request assembled. */
export type Assemble = (request: JsonValue) => Promise<Answer>;

const folder = new URL("../vectors/", import.meta.url);

/** All vectors, by name. */
export function readVectors(): readonly Vector[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.sort().map((file) => {
    const vector = readJson(file) as Vector;
    if (`${vector.name}.json` !== file) throw new Error(`the vector in ${file} has the name ${vector.name}`);
    return vector;
  });
}

/** The request of a vector as a message. */
export function messageOf(request: JsonValue): AssembleRequest {
  return AssembleRequest.decode(parseProtoJson("acms.v1.AssembleRequest", request));
}

/** Every fault of every vector at a door, each with the name of its vector. */
export async function checkVectors(assemble: Assemble): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const vector of readVectors()) {
    for (const fault of await faultsOf(vector, assemble)) faults.push(`${vector.name}: ${fault}`);
  }
  return faults;
}

/** What is wrong with one vector at a door; nothing where all is right. */
export async function faultsOf({ request, expect }: Vector, assemble: Assemble): Promise<string[]> {
  const faults = [];
  const hashes = new Set<string>();
  for (const one of expect.permutations === true ? reordered(request) : [request]) {
    const answer = await assemble(one);
    faults.push(...("status" in answer ? refusalFaults(answer, expect) : payloadFaults(answer, expect)));
    if ("contextHash" in answer) hashes.add(answer.contextHash);
    if (faults.length > 0) return faults;
  }
  if (hashes.size > 1) faults.push(`the orders of the input have ${hashes.size} context hashes`);
  return faults;
}

function refusalFaults(
  { status, message }: { status: string; message: string },
  { error, messageHas = [] }: Expectation,
) {
  if (error === undefined) return [`refused: ${status}: ${message}`];
  const faults = difference("error", status, error);
  for (const part of messageHas) if (!message.includes(part)) faults.push(`the message lacks ${part}: ${message}`);
  return faults;
}

/** How each expectation is read from a payload, in the form in which it stands in the file; nothing: it is of another kind. */
const readings: Readonly<
  Record<keyof Expectation, ((payload: ContextPayload, expected: never) => unknown) | undefined>
> = {
  selected: (payload, expected: readonly string[]) => {
    const ids = idsOf(payload);
    // In the order of the file, so that a difference can be read.
    return [...expected.filter((id) => ids.includes(id)), ...ids.filter((id) => !expected.includes(id))];
  },
  order: idsOf,
  count: ({ fragments }) => fragments.length,
  totalTokens: ({ totalTokens }) => totalTokens,
  remainingTokens: ({ remainingTokens }) => remainingTokens,
  budgetUsed: ({ budgetUsed }) => budgetUsed,
  reasons: (payload, expected: object) => ofDecisions(payload, expected, ({ reason }) => Reason[reason]),
  tokensMissing: (payload, expected: object) =>
    ofDecisions(payload, expected, ({ tokensMissing, tokensMissingExact }) =>
      tokensMissingExact ? tokensMissing : `${tokensMissing}, an estimate`,
    ),
  provenOptimal: ({ packing }) => packing?.provenOptimal,
  upperBound: ({ packing }) => packing?.upperBound,
  stablePrefixTokens: ({ stablePrefixTokens }) => stablePrefixTokens,
  warnings: ({ warnings }) => warnings.map(({ code }) => code),
  error: () => "none",
  messageHas: undefined,
  permutations: undefined,
};

function payloadFaults(payload: ContextPayload, expect: Expectation): string[] {
  const faults = Object.entries(expect).flatMap(([key, expected]) => {
    if (!Object.hasOwn(readings, key)) return [`nobody knows how to check ${key}`];
    const read = readings[key as keyof Expectation] as
      | ((payload: ContextPayload, expected: unknown) => unknown)
      | undefined;
    return read === undefined ? [] : difference(key, read(payload, expected), expected);
  });
  const tokens = payload.fragments.reduce((sum, { tokenCount = 0 }) => sum + tokenCount, 0);
  faults.push(...difference("the sum of the tokens", tokens, payload.totalTokens));
  if (tokens > payload.availableTokens)
    faults.push(`${tokens} tokens are over the budget of ${payload.availableTokens}`);
  const selected = payload.decisions.filter(({ outcome }) => outcome === Outcome.OUTCOME_SELECTED);
  return [...faults, ...difference("the decisions that say selected", selected.length, payload.fragments.length)];
}

function idsOf({ fragments }: ContextPayload): string[] {
  return fragments.map(({ fragmentId }) => fragmentId);
}

function ofDecisions(
  { decisions }: ContextPayload,
  expected: object,
  read: (decision: ContextPayload["decisions"][number]) => unknown,
): Record<string, unknown> {
  const ids = Object.keys(expected);
  return Object.fromEntries(
    ids.map((id) => {
      const decision = decisions.find(({ fragmentId }) => fragmentId === id);
      return [id, decision === undefined ? "no decision" : read(decision)];
    }),
  );
}

function difference(what: string, actual: unknown, expected: unknown): string[] {
  const [came, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  return came === wanted ? [] : [`${what}: ${came} came, ${wanted} is right`];
}

/** The most fragments of which every order is tried. */
const MAX_PERMUTED = 6;

function* reordered(request: Vector["request"]): Generator<Vector["request"]> {
  const { fragments } = request;
  if (!Array.isArray(fragments) || fragments.length > MAX_PERMUTED) {
    throw new Error(`only up to ${MAX_PERMUTED} fragments are tried in every order`);
  }
  for (const permuted of permutationsOf(fragments)) yield { ...request, fragments: permuted };
}

function* permutationsOf<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [i, first] of items.entries()) {
    for (const rest of permutationsOf(items.toSpliced(i, 1))) yield [first, ...rest];
  }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8"));
}
