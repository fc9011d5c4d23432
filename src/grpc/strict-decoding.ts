import type { MethodDefinition } from "@grpc/grpc-js";
import { ContextError, type Slices } from "../core/index.js";
import { decodeInSlices } from "./decode-in-slices.js";
import { checkEnds, strictReader } from "./strict-reader.js";

/** A request as it was decoded, or why it could not be: a decoder that throws would be answered as a fault of the server. */
export type Decoded<Request> =
  | {
      readonly request: Request;
      readonly bytes: number;
      /** Decodes what is still missing; throws a `ContextError`. Absent: the request is whole. */
      readonly more?: Slices<void>;
    }
  | { readonly fault: ContextError; readonly bytes: number; readonly buffer: Buffer };

/** A method whose requests and responses nobody looks into here. */
export type AnyMethod = MethodDefinition<unknown, unknown>;

/** The method with requests that are decoded strictly, and with the reason where they cannot be. */
export function decodingStrictly(method: AnyMethod): AnyMethod {
  return decodingBy(method, (buffer) => ({ request: decodeStrictly(method, buffer) }));
}

/** The same, with large requests that are decoded only in part. */
export function decodingLater(method: AnyMethod): AnyMethod {
  return decodingBy(method, (buffer) => {
    const { message, more } = decodeInSlices(buffer, (bytes) => decodeStrictly(method, bytes));
    return { request: message, ...(more && { more: refusingMalformed(method, more) }) };
  });
}

function decodingBy(
  method: AnyMethod,
  decode: (buffer: Buffer) => { request: object; more?: Slices<void> },
): AnyMethod {
  return {
    ...method,
    requestDeserialize: (buffer: Buffer): Decoded<unknown> => {
      const bytes = buffer.length;
      try {
        return { ...decode(buffer), bytes };
      } catch (error) {
        return { fault: malformed(method, error), bytes, buffer };
      }
    },
  };
}

function decodeStrictly(method: AnyMethod, buffer: Buffer): object {
  // The generated function hands its argument to a decoder that takes a reader as well as bytes.
  const request = method.requestDeserialize(strictReader(buffer) as unknown as Buffer) as object;
  checkEnds(buffer);
  return request;
}

function* refusingMalformed(method: AnyMethod, slices: Slices<void>): Slices<void> {
  try {
    yield* slices;
  } catch (error) {
    throw malformed(method, error);
  }
}

function malformed(method: AnyMethod, error: unknown): ContextError {
  const typeName = requestTypeOf(method.path);
  const message = `the bytes are not a message of the type ${typeName}: ${error instanceof Error ? error.message : error}`;
  return new ContextError("MALFORMED_MESSAGE", message, { metadata: { message: typeName } });
}

/** `/acms.v1.AssemblyService/Assemble` takes an `acms.v1.AssembleRequest`: the linter of the contract sees to it. */
function requestTypeOf(path: string): string {
  const [, service = "", method = ""] = path.split("/");
  return `${service.slice(0, service.lastIndexOf("."))}.${method}Request`;
}
