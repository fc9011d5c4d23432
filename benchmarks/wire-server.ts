/**
 * The server's side of the benchmark over loopback, a process of its own: the product as `acms serve` composes it, and
 * beside it, on a port of its own, the echo. It says where both listen, and ends when its parent lets go of it.
 */
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { type Logger, pino } from "pino";
import { type AssembleResponse, AssemblyServiceService } from "../gen/acms/v1/assembly_service.js";
import { type App, createApp } from "../src/app.js";
import { type Config, configSchema } from "../src/config/schema.js";
import { assemblyHandlers } from "../src/grpc/assembly-service.js";
import { createCallLog } from "../src/grpc/call-log.js";
import { startServer } from "../src/grpc/server.js";
import { addService, type CallSurroundings } from "../src/grpc/unary.js";
import { warmUp } from "../src/grpc/warm-up.js";
import { LoopWatch } from "./loop-watch.js";

/** Where the servers listen, as `HOST:PORT`. */
export interface WireAddresses {
  readonly product: string;
  readonly echo: string;
}

/** What the parent asks of the event loop: that it be watched from now on, or how long it was held in one piece since. */
export type WatchQuestion = "watch" | "report";

async function main(): Promise<void> {
  await warmUp();
  const config = configSchema.parse({ port: 0 });
  const { maxFragments, maxContentCharacters, defaultTokenizer } = config;
  const app = createApp({ limits: { maxFragments, maxContentCharacters }, defaultTokenizer });
  const logger = pino({ level: config.logLevel }, process.stderr);
  const product = await startServer(app, config, logger);
  const addresses: WireAddresses = { product: product.address, echo: await startEcho(app, config, logger) };
  process.on("disconnect", () => process.exit());
  const loop = new LoopWatch();
  process.on("message", (question: WatchQuestion) => {
    if (question === "watch") loop.start();
    process.send?.(question === "watch" ? 0 : loop.stop());
  });
  process.send?.(addresses);
}

/**
 * A server that decodes each request and encodes the payload that belongs to it, through the product's adapter, log
 * and limits. The first request of an id is assembled; those after it get the same answer.
 */
function startEcho(app: App, config: Config, logger: Logger): Promise<string> {
  const around: CallSurroundings = {
    records: new WeakMap(),
    newId: app.newId,
    maxConcurrentCalls: config.maxConcurrentCalls,
    maxReceiveBytes: config.maxReceiveBytes,
    logger,
    running: { count: 0, cutOffs: new Set() },
    streams: new Set(),
  };
  const server = new Server({
    "grpc.max_receive_message_length": config.maxReceiveBytes,
    "grpc.max_send_message_length": -1,
    interceptors: [createCallLog(logger, around.records, config.maxReceiveBytes)],
  });
  const handlers = assemblyHandlers(app);
  const { assemble } = handlers;
  const answers = new Map<string, AssembleResponse>();
  const echo: typeof assemble = async (request, call) => {
    const answer = answers.get(request.requestId) ?? (await assemble(request, call));
    answers.set(request.requestId, answer);
    return answer;
  };
  addService(server, AssemblyServiceService, { ...handlers, assemble: echo }, around);
  return new Promise((resolve, reject) => {
    server.bindAsync(`${config.host}:0`, ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) {
        resolve(`${config.host}:${port}`);
      } else {
        reject(error);
      }
    });
  });
}

await main();
