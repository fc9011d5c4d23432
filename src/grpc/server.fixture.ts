/** Servers on free ports, callers, and logs that can be read, for tests. */
import type { TestContext } from "node:test";
import { type CallOptions, credentials, Metadata, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";
import { pino } from "pino";
import {
  AssembleRequest,
  type AssembleResponse,
  AssemblyServiceClient,
  AssemblyServiceService,
} from "../../gen/acms/v1/assembly_service.js";
import { BadRequest, ErrorInfo, RetryInfo } from "../../gen/google/rpc/error_details.js";
import { Status as RpcStatus } from "../../gen/google/rpc/status.js";
import { type App, createApp } from "../app.js";
import { createCallLog } from "./call-log.js";
import { type RunningServer, type ServerOptions, startServer } from "./server.js";
import { addService, type CallSurroundings, type UnaryHandler } from "./unary.js";

/** A line of the log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A server that is stopped when its test ends. */
export interface TestServer {
  readonly address: string;
  readonly lines: readonly LogLine[];
  /** A client of the assembly service, closed when the test ends. */
  client(): AssemblyServiceClient;
  /** The first line of the log that fits; waits for it, since a line may be written after its caller has the answer. */
  line(fits: (line: LogLine) => boolean): Promise<LogLine>;
  stop: RunningServer["stop"];
}

export const TEST_SERVER_OPTIONS: ServerOptions = {
  host: "127.0.0.1",
  port: 0,
  maxReceiveBytes: 16 * 1_024 * 1_024,
  maxConcurrentCalls: 64,
  shutdownGraceMs: 200,
};

/** Starts the whole server. */
export async function startTestServer(
  t: TestContext,
  { app = createApp(), ...options }: Partial<ServerOptions> & { app?: App } = {},
): Promise<TestServer> {
  const { logger, lines } = createTestLog();
  const server = await startServer(app, { ...TEST_SERVER_OPTIONS, ...options }, logger);
  t.after(() => server.stop());
  return testServer(t, server.address, lines, server.stop);
}

type AssembleHandler = UnaryHandler<AssembleRequest, AssembleResponse>;

/** Starts a server of which a handler of a test's own answers `Assemble`. */
export async function startHandler(
  t: TestContext,
  assemble: AssembleHandler,
  maxConcurrentCalls = 64,
): Promise<TestServer> {
  const { logger, lines } = createTestLog();
  const around: CallSurroundings = {
    records: new WeakMap(),
    newId: () => "01TEST00000000000000000000",
    maxConcurrentCalls,
    maxReceiveBytes: TEST_SERVER_OPTIONS.maxReceiveBytes,
    logger,
    running: { count: 0, cutOffs: new Set() },
    streams: new Set(),
  };
  const server = new Server({
    interceptors: [createCallLog(logger, around.records, TEST_SERVER_OPTIONS.maxReceiveBytes)],
  });
  const compareStrategies = () => Promise.reject(new Error("no test has asked for it"));
  addService(server, AssemblyServiceService, { assemble, compareStrategies }, around);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  const stop = async (): Promise<void> => server.forceShutdown();
  t.after(stop);
  return testServer(t, `127.0.0.1:${port}`, lines, stop);
}

function createTestLog() {
  const lines: LogLine[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as LogLine);
  return { lines, logger: pino({ level: "trace" }, { write }) };
}

function testServer(t: TestContext, address: string, lines: LogLine[], stop: () => Promise<void>): TestServer {
  return {
    address,
    lines,
    stop,
    client: () => {
      const client = new AssemblyServiceClient(address, credentials.createInsecure(), {
        "grpc.max_receive_message_length": -1,
        "grpc.use_local_subchannel_pool": 1,
      });
      t.after(() => client.close());
      return client;
    },
    line: async (fits) => {
      const found = await eventually(() => lines.find(fits));
      if (found === undefined) throw new Error(`no such line among ${JSON.stringify(lines)}`);
      return found;
    },
  };
}

/** What a test waits for, or nothing after twenty seconds. */
export async function eventually<T>(look: () => T | undefined): Promise<T | undefined> {
  for (const until = Date.now() + 20_000; Date.now() < until; ) {
    const found = look();
    if (found !== undefined) return found;
    await pause(5);
  }
  return undefined;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A failed call, with its details decoded. */
export interface Failure {
  readonly code: number;
  readonly message: string;
  readonly reason: string | undefined;
  readonly domain: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: readonly { field: string; description: string }[];
  /** Absent: no `RetryInfo`. */
  readonly retryAfterMs: number | undefined;
  readonly detailBytes: number;
}

/** How a call ended. */
export type Ending<Response> = { readonly response: Response } | { readonly failure: Failure };

/** Makes a call and waits for its end. */
export function ended<Response>(
  make: (callback: (error: ServiceError | null, response: Response) => void) => unknown,
): Promise<Ending<Response>> {
  return new Promise((resolve) => {
    make((error, response) => resolve(error === null ? { response } : { failure: failureOf(error) }));
  });
}

/** Calls `Assemble` with a request of which the test gives what it cares for. */
export function assembleOver(
  client: AssemblyServiceClient,
  request: Parameters<typeof AssembleRequest.fromPartial>[0],
  options: CallOptions = {},
  metadata = new Metadata(),
): Promise<Ending<AssembleResponse>> {
  const whole = AssembleRequest.fromPartial(request);
  return ended((callback) => client.assemble(whole, metadata, options, callback));
}

/** The failure of a call that must fail. */
export async function failing<Response>(ending: Promise<Ending<Response>>): Promise<Failure> {
  const end = await ending;
  if ("failure" in end) return end.failure;
  throw new Error(`answered with ${JSON.stringify(end.response).slice(0, 200)}`);
}

/** The answer to a call that must be answered. */
export async function answered<Response>(ending: Promise<Ending<Response>>): Promise<Response> {
  const end = await ending;
  if ("response" in end) return end.response;
  throw new Error(`failed with ${JSON.stringify(end.failure)}`);
}

/** Decodes the details of an error as a client in any language does. */
export function failureOf({ code, details, metadata }: Pick<ServiceError, "code" | "details" | "metadata">): Failure {
  const encoded = metadata.get("grpc-status-details-bin")[0] as Buffer | undefined;
  return { code, message: details, ...decodeDetails(encoded) };
}

export function decodeDetails(encoded: Buffer | undefined): Omit<Failure, "code" | "message"> {
  const parts = encoded === undefined ? [] : RpcStatus.decode(encoded).details;
  const part = (name: string): Buffer | undefined => parts.find(({ typeUrl }) => typeUrl.endsWith(`/${name}`))?.value;
  const info = part("google.rpc.ErrorInfo");
  const bad = part("google.rpc.BadRequest");
  const retry = part("google.rpc.RetryInfo");
  const { reason, domain, metadata } = info === undefined ? {} : ErrorInfo.decode(info);
  const delay = retry && RetryInfo.decode(retry).retryDelay;
  return {
    reason,
    domain,
    metadata: Object.fromEntries(metadata ?? []),
    violations:
      bad === undefined
        ? []
        : BadRequest.decode(bad).fieldViolations.map(({ field, description }) => ({ field, description })),
    retryAfterMs: delay && delay.seconds * 1_000 + delay.nanos / 1e6,
    detailBytes: encoded?.length ?? 0,
  };
}
