import { setLogger } from "@grpc/grpc-js";
import type { Command } from "commander";
import { type Logger, pino } from "pino";
import { type AppOptions, createApp } from "../../app.js";
import { type Config, settings } from "../../config/schema.js";
import { createExpressions } from "../../expressions/expressions.js";
import { type RunningServer, startServer } from "../../grpc/server.js";
import { warmUp } from "../../grpc/warm-up.js";
import { openRegistrations, type Registrations, RegistrationsError } from "../../registrations/index.js";
import { readSettings } from "../input/settings.js";
import { type CliIo, createCommand, ExitError, exitCodes } from "../io.js";
import { writeForPeople } from "../output/for-people.js";

/** The part of a process that tells of signals. */
export type SignalSource = Pick<NodeJS.Process, "once" | "removeListener">;

const stopSignals = ["SIGTERM", "SIGINT"] as const;

/** `acms serve`: the service over gRPC, until a signal stops it. */
export function serveCommand(io: CliIo, signals: SignalSource): Command {
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
  return command.action((flags: Record<string, string | undefined>) => serve(io, signals, flags));
}

async function serve(io: CliIo, signals: SignalSource, flags: Record<string, string | undefined>): Promise<void> {
  const config = readSettings(io, flags);
  const logger = pino({ level: config.logLevel }, io.stderr);
  quietLibrary(logger);
  const registrations = await openStore(config, logger);
  const expressions = createExpressions({ timeMs: config.expressionTimeLimitMs });
  await Promise.all([expressions.start(), warmUp()]);
  const server = await listen(config, { registrations, expressions }, logger);
  // Before a word is out: whoever reads where it listens may send a signal at once.
  const stopSignal = nextSignal(signals);
  try {
    await writeForPeople(io, [`acms listens on ${server.address}`]);
    const signal = await stopSignal;
    await writeForPeople(io, [`${signal}: no new calls; running ones have ${config.shutdownGraceMs} ms`]);
  } finally {
    await server.stop();
    await Promise.all([expressions.close(), registrations.close()]);
  }
  await writeForPeople(io, ["acms has stopped"]);
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

/** The first signal to stop. From then on nobody listens, so that a second one ends the process as it does by default. */
function nextSignal(signals: SignalSource): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      for (const name of stopSignals) signals.removeListener(name, stop);
      resolve(signal);
    };
    for (const name of stopSignals) signals.once(name, stop);
  });
}
