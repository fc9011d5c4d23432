/**
 * The sockets are ours, and the library is handed each connection. Left to itself it ends a connection by saying goodbye and then waits for
 * the other side to hang up, even in its forced shutdown; so a peer that never speaks, or never hangs up, would keep the process for ever.
 */
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";

/** Listens for connections and knows each of them until it is closed. */
export interface Listener {
  /** The port that all addresses of the host have. */
  readonly port: number;
  /** Takes no more connections. One to which goodbye is said from now on has a moment to hang up, and is then cut off. */
  retire(): void;
  /** Cuts off what is left, and resolves once nothing is open. */
  close(): Promise<void>;
}

/** How long a peer may take to hang up after everything was sent to it. Cut off at once it might lose what is still on the way. */
const HANG_UP_MS = 500;

/**
 * Listens on every address that a host's name has, or on as many of them as there are here; port 0 takes a free one.
 *
 * Rejects where the name is unknown, or no address can be bound.
 */
export async function listenOn(
  { host, port }: { readonly host: string; readonly port: number },
  take: (socket: Socket) => void,
): Promise<Listener> {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    take(socket);
  };
  const { servers, bound } = await bindAll(host, port, accept);
  const closed = Promise.all(servers.map((server) => once(server, "close")));
  const retire = (): void => {
    for (const server of servers) server.close();
    for (const socket of sockets) cutOffAfterGoodbye(socket);
  };
  return {
    port: bound,
    retire,
    close: async () => {
      retire();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function bindAll(
  host: string,
  port: number,
  accept: (socket: Socket) => void,
): Promise<{ servers: Server[]; bound: number }> {
  const servers: Server[] = [];
  let bound = port;
  let failure: unknown;
  for (const { address } of await lookup(host, { all: true })) {
    const server = createServer(accept);
    try {
      server.listen({ host: address, port: bound });
      await once(server, "listening");
      bound = (server.address() as { port: number }).port;
      // A connection that cannot be accepted, such as for want of file descriptors, is its caller's loss alone.
      server.on("error", () => {});
      servers.push(server);
    } catch (error) {
      failure ??= error;
    }
  }
  if (servers.length === 0) throw failure;
  return { servers, bound };
}

function cutOffAfterGoodbye(socket: Socket): void {
  const cutOffLater = (): void => {
    const timer = setTimeout(() => socket.destroy(), HANG_UP_MS);
    socket.once("close", () => clearTimeout(timer));
  };
  if (socket.writableFinished) cutOffLater();
  else socket.once("finish", cutOffLater);
}
