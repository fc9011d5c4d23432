import { setLogger } from "@grpc/grpc-js";
import type { Command } from "commander";
import { type Logger, pino } from "pino";
import { type AppOptions, createApp } from "../../app.js";
import { type Config, settings } from "../../config/schema.js";
import { createExpressions, type ExpressionEngine } from "../../expressions/expressions.js";
import { type RunningServer, startServer } from "../../grpc/server.js";
import { warmUp } from "../../grpc/warm-up.js";
import { openRegistrations, type Registrations, RegistrationsError } from "../../registrations/index.js";
import { readSettings } from "../input/settings.js";
import { type CliIo, createCommand, ExitError, exitCodes } from "../io.js";
import { writeForPeople } from "../output/for-people.js";
import type { StopSignal } from "../stop-signal.js";
import { productVersion } from "../version.js";

/** `acms serve`: the service over gRPC, until a signal stops it. */
export function serveCommand(io: CliIo, heedSignals: () => StopSignal): Command {
  const command = createCommand(io, "serve")
    .summary("start the gRPC server")
    .description(
      "Starts the server and says where it listens; logs go to stderr as JSON lines. SIGTERM and SIGINT stop it once " +
        "running calls are answered, a second signal stops it at once. A flag wins over its environment variable, that " +
        "over the file, and that over the default.",
    )
    .option("--config <file>", "a JSON file with settings by their names, such as maxFragments [ACMS_CONFIG]");
  for (const { flag, variable, isNumber, meaning, allowed, fallback } of settings) {
    command.option(
      `${flag} <${isNumber ? "number" : "text"}>`,
      `${meaning}; ${allowed} [${variable}, default ${fallback === "" ? "none" : fallback}]`,
    );
  }
  return command.action(async (flags: Record<string, string | undefined>) => {
    const stop = heedSignals();
    try {
      await serve(io, stop.came, readSettings(io, flags));
    } finally {
      stop.release();
    }
  });
}

async function serve(io: CliIo, stopSignal: Promise<NodeJS.Signals>, config: Config): Promise<void> {
  const logger = pino({ level: config.logLevel }, io.stderr);
  quietLibrary(logger);
  logger.info({ version: productVersion() }, "acms starts");
  const registrations = await openStore(config, logger);
  const expressions = createExpressions({ timeMs: config.expressionTimeLimitMs });
  try {
    const signal = await getReady(expressions, stopSignal);
    if (signal !== undefined) await writeForPeople(io, [`${signal}: it came before acms listened`]);
    else await answerCalls(io, await listen(config, { registrations, expressions }, logger), stopSignal);
  } finally {
    await Promise.all([expressions.close(), registrations.close()]);
  }
  await writeForPeople(io, ["acms has stopped"]);
}

/** What is done before the first call; a signal to stop that comes meanwhile ends it. */
async function getReady(
  expressions: ExpressionEngine,
  stopSignal: Promise<NodeJS.Signals>,
): Promise<NodeJS.Signals | undefined> {
  const stopping = new AbortController();
  const stopped = stopSignal.then((signal) => {
    stopping.abort();
    return signal;
  });
  const ready = Promise.all([expressions.start(), warmUp(stopping.signal)]).then(() => undefined);
  return Promise.race([stopped, ready]);
}

async function answerCalls(io: CliIo, server: RunningServer, stopSignal: Promise<NodeJS.Signals>): Promise<void> {
  try {
    await writeForPeople(io, [`acms listens on ${server.address}`]);
    const signal = await stopSignal;
    await writeForPeople(io, [`${signal}: no new calls; running ones have ${server.graceMs} ms`]);
  } finally {
    await server.stop();
  }
}

async function openStore({ dataDir }: Config, logger: Logger): Promise<Registrations> {
  try {
    return await openRegistrations(dataDir, { warn: (message) => logger.warn(message) });
  } catch (error) {
    throw error instanceof RegistrationsError ? new ExitError(exitCodes.refused, `error: ${error.message}`) : error;
  }
}

async function listen(config: Config, parts: AppOptions, logger: Logger): Promise<RunningServer> {
  const { maxFragments, maxContentCharacters, defaultTokenizer } = config;
  const limits = { maxFragments, maxContentCharacters };
  const app = createApp({ ...parts, limits, defaultTokenizer, hosting: hostingOf(config) });
  try {
    return await startServer(app, config, logger);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const why = message.includes("EADDRINUSE") ? "another program uses this port" : message;
    throw new ExitError(exitCodes.refused, `error: cannot listen on ${config.host}, port ${config.port}: ${why}`);
  }
}

function hostingOf(config: Config): NonNullable<AppOptions["hosting"]> {
  return {
    heartbeatIntervalMs: config.heartbeatIntervalMs,
    maxSessions: config.maxHosts,
    maxComponents: config.maxHostedComponents,
    maxAnswerBytes: config.maxAnswerBytes,
    maxTimeoutMs: config.hostedTimeoutCapMs,
    stageTimeoutMs: config.hostedStageTimeoutMs,
    strategyTimeoutMs: config.hostedStrategyTimeoutMs,
  };
}

/** The library writes to stderr by itself, between our lines; what it says there reaches us as errors and statuses anyway. */
function quietLibrary(logger: Logger): void {
  const debug = (...words: unknown[]): void => logger.debug(words.map(String).join(" "));
  setLogger({ error: debug, info: debug, debug });
}
