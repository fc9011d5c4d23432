import { setTimeout as delay } from "node:timers/promises";
import { type Server, ServerCredentials } from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import type { Logger } from "pino";
import type { App } from "../app.js";
import { createCallLog } from "./call-log.js";
import { endingWithStop } from "./endless-streams.js";
import { type Listener, listenOn } from "./listener.js";
import { addReflection } from "./reflection.js";
import { addServices, SERVICE_NAMES } from "./services.js";
import type { CallSurroundings } from "./unary.js";
import { createServer } from "./unknown-methods.js";

/** What the owner of a server may choose. */
export interface ServerOptions {
  /** Address to bind; port 0 takes a free one. */
  readonly host: string;
  readonly port: number;
  readonly maxReceiveBytes: number;
  readonly maxConcurrentCalls: number;
  /** How long a stop waits for running calls. */
  readonly shutdownGraceMs: number;
}

/** A server that listens. */
export interface RunningServer {
  /** `HOST:PORT`, as a client dials it. */
  readonly address: string;
  /** How long a stop waits for running calls. */
  readonly graceMs: number;
  /**
   * Says NOT_SERVING, takes no new calls, lets running ones finish within the grace, then closes what is left. Every call of it waits for
   * the one stop.
   */
  stop(): Promise<void>;
}

/** Binds the services, with health and reflection, and listens; rejects where the address cannot be bound. */
export async function startServer(app: App, options: ServerOptions, logger: Logger): Promise<RunningServer> {
  const around: CallSurroundings = {
    records: new WeakMap(),
    newId: app.newId,
    maxConcurrentCalls: options.maxConcurrentCalls,
    maxReceiveBytes: options.maxReceiveBytes,
    logger,
    running: { count: 0, cutOffs: new Set() },
    streams: new Set(),
  };
  const server = createServer({
    "grpc.max_receive_message_length": options.maxReceiveBytes,
    "grpc.max_send_message_length": -1,
    // A client that pings an idle connection is not an attacker, and one that left without a word must not be kept for ever.
    "grpc.keepalive_time_ms": 60_000,
    "grpc.keepalive_timeout_ms": 20_000,
    interceptors: [createCallLog(logger, around.records, options.maxReceiveBytes)],
  });
  addServices(server, app, around);
  const endless = endingWithStop(server, around);
  addReflection(endless);
  const health = new HealthImplementation();
  health.addToServer(endless as Server);
  setServing(health, "SERVING");
  const connections = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = await listenOn(options, (socket) => connections.injectConnection(socket)).catch((error) => {
    server.forceShutdown();
    throw error;
  });
  let stopping: Promise<void> | undefined;
  return {
    address: `${bracketed(options.host)}:${listener.port}`,
    graceMs: options.shutdownGraceMs,
    stop: () => {
      stopping ??= stopServer({ server, listener, health }, around, options.shutdownGraceMs);
      return stopping;
    },
  };
}

/** What calls that are cut off get to hear why. */
const LAST_WORDS_MS = 200;

/** What a stop closes. */
interface Open {
  readonly server: Server;
  readonly listener: Listener;
  readonly health: HealthImplementation;
}

/**
 * Streams hear of the stop at once, and those that hosts have last until the calls that may need them are done. What is not done within the
 * grace is told that the server stops, and then everything is closed.
 */
async function stopServer(
  { server, listener, health }: Open,
  { running, streams }: CallSurroundings,
  graceMs: number,
): Promise<void> {
  setServing(health, "NOT_SERVING");
  for (const stream of [...streams]) stream.stopping(graceMs);
  const graceOver = performance.now() + graceMs;
  listener.retire();
  const closed = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  while (running.count > 0 && performance.now() < graceOver) await delay(5);
  for (const cutOff of [...running.cutOffs]) cutOff();
  for (const stream of [...streams]) stream.close();
  const leftMs = Math.max(LAST_WORDS_MS, graceOver - performance.now());
  const timer = new AbortController();
  await Promise.race([closed, delay(leftMs, undefined, { signal: timer.signal })]);
  timer.abort();
  server.forceShutdown();
  await listener.close();
}

function setServing(health: HealthImplementation, status: "SERVING" | "NOT_SERVING"): void {
  for (const name of ["", ...SERVICE_NAMES]) health.setStatus(name, status);
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
