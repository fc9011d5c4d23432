import type { MethodDefinition } from "@grpc/grpc-js";
import type { Refusal } from "./status.js";
import { strictReader } from "./strict-reader.js";

/** A request as it was decoded, or why it could not be: a decoder that throws would be answered as a fault of the server. */
export type Decoded<Request> =
  | { readonly request: Request; readonly bytes: number }
  | { readonly refusal: Refusal; readonly bytes: number; readonly buffer: Buffer };

/** A method whose requests and responses nobody looks into here. */
export type AnyMethod = MethodDefinition<unknown, unknown>;

/** The method with requests that are decoded strictly, and with the reason where they cannot be. */
export function decodingStrictly(method: AnyMethod): object {
  const typeName = requestTypeOf(method.path);
  return {
    ...method,
    requestDeserialize: (buffer: Buffer): Decoded<unknown> => {
      const bytes = buffer.length;
      try {
        // The generated function hands its argument to a decoder that takes a reader as well as bytes.
        return { request: method.requestDeserialize(strictReader(buffer) as unknown as Buffer), bytes };
      } catch (error) {
        const message = `the bytes are not a message of the type ${typeName}: ${error instanceof Error ? error.message : error}`;
        const metadata = { message: typeName };
        return { refusal: { reason: "MALFORMED_MESSAGE", message, metadata, violations: [] }, bytes, buffer };
      }
    },
  };
}

/** `/acms.v1.AssemblyService/Assemble` takes an `acms.v1.AssembleRequest`: the linter of the contract sees to it. */
function requestTypeOf(path: string): string {
  const [, service = "", method = ""] = path.split("/");
  return `${service.slice(0, service.lastIndexOf("."))}.${method}Request`;
}
