/** Calls as bytes, for what a client library hides or refuses to send. */
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from "node:http2";
import { decodeDetails, type Failure } from "./server.fixture.js";

export interface RawCall {
  readonly path?: string;
  /** Beside or instead of the usual ones. */
  readonly headers?: OutgoingHttpHeaders;
  /** Everything that follows the headers, frames and all. Default: one empty message. */
  readonly body?: Buffer;
}

export interface RawAnswer {
  readonly httpStatus: number;
  /** Headers and trailers together. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly failure: Failure;
}

export const ASSEMBLE = "/acms.v1.AssemblyService/Assemble";

/** A message in its frame: a byte that says whether it is compressed, its length, its bytes. */
export function frame(message: Uint8Array, { compressed = 0, length = message.length } = {}): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(compressed);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

/** Makes one call over a connection of its own; rejects where it has no end within five seconds. */
export async function rawCall(address: string, call: RawCall = {}): Promise<RawAnswer> {
  const session = connect(`http://${address}`);
  try {
    return await rawCallOver(session, call);
  } finally {
    session.destroy();
  }
}

/** Makes one call over an open connection. */
export function rawCallOver(
  session: ClientHttp2Session,
  { path = ASSEMBLE, headers, body }: RawCall,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the call has no end")), 5_000);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    session.once("error", fail);
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    const seen: Record<string, string> = {};
    const chunks: Buffer[] = [];
    const see = (more: object): void => {
      for (const [key, value] of Object.entries(more)) seen[key] = String(value);
    };
    stream.on("response", see);
    stream.on("trailers", see);
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", fail);
    stream.on("close", () => {
      clearTimeout(timer);
      resolve(answerOf(seen, Buffer.concat(chunks)));
    });
    stream.end(body ?? frame(Buffer.alloc(0)));
  });
}

function answerOf(headers: Record<string, string>, body: Buffer): RawAnswer {
  const details = headers["grpc-status-details-bin"];
  return {
    httpStatus: Number(headers[":status"]),
    headers,
    body,
    failure: {
      code: Number(headers["grpc-status"]),
      message: percentDecoded(headers["grpc-message"] ?? ""),
      ...decodeDetails(details === undefined ? undefined : Buffer.from(details, "base64")),
    },
  };
}

/** A message that is not encoded as it should be is shown as it came, as every client must. */
function percentDecoded(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}
