import { Server, type ServerDuplexStream, status as Status } from "@grpc/grpc-js";

/** The longest path of a method that is told of in full; a client writes there what it likes. */
const MAX_PATH_CHARACTERS = 256;

/** The part of the library's server that finds who answers a call. */
interface Retrieving {
  _retrieveHandler(path: string | undefined): object | null;
}

/**
 * A server in which calls of methods that do not exist go the way of all calls, and so into the log. The library answers them by itself, past
 * all interceptors, and has no public place for a handler of what is unknown (https://github.com/grpc/grpc-node/issues/1572); once it has,
 * this may go. Where a later version no longer asks this method, such calls are answered as they always were.
 */
export function createServer(options: ConstructorParameters<typeof Server>[0]): Server {
  const server = new Server(options);
  const retrieving = server as unknown as Retrieving;
  const retrieve = retrieving._retrieveHandler?.bind(server);
  retrieving._retrieveHandler = (path) => retrieve(path) ?? unknownMethod(shown(path ?? ""));
  return server;
}

/** Answers before any message has come, whatever kind of method the caller takes it for. */
function unknownMethod(path: string): object {
  const refuse = (call: ServerDuplexStream<unknown, unknown>): void => {
    call.emit("error", { code: Status.UNIMPLEMENTED, details: `The server does not implement the method ${path}` });
  };
  const bytesAsTheyAre = (bytes: Buffer): Buffer => bytes;
  return { type: "bidi", path, func: refuse, serialize: bytesAsTheyAre, deserialize: bytesAsTheyAre };
}

function shown(path: string): string {
  const short = path.length > MAX_PATH_CHARACTERS ? `${path.slice(0, MAX_PATH_CHARACTERS)}…` : path;
  return short.replace(/[^!-~…]/g, "?");
}
