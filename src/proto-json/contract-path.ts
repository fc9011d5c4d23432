import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { describeGiven } from "./describe.js";

/**
 * The way to a value of a document in the names of the contract, such as `fragments[3].token_count`.
 *
 * @param steps the document's own keys and positions
 */
export function contractPath(type: DescMessage, steps: readonly (string | number)[]): string {
  let path = "";
  let message: DescMessage | undefined = type;
  let map: DescField | undefined;
  for (const step of steps) {
    if (typeof step === "number") {
      path += `[${step}]`;
    } else if (map !== undefined) {
      path += `[${describeGiven(step)}]`;
      map = undefined;
    } else {
      const field = fieldOf(message, step);
      path = joinPath(path, field?.name ?? quoteOdd(step));
      map = field?.fieldKind === "map" ? field : undefined;
      message = field?.message;
    }
  }
  return path;
}

/** The field with a name of the contract or of ProtoJSON. */
export function fieldOf(type: DescMessage | undefined, key: string): DescField | undefined {
  return type?.fields.find((candidate) => candidate.name === key || candidate.jsonName === key);
}

/** A path that goes on to a field. */
export function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** A key as a path shows it: in quotes, and shortened, where it is none that the contract could have. */
export function quoteOdd(key: string): string {
  return /^\w{1,64}$/.test(key) ? key : describeGiven(key);
}
