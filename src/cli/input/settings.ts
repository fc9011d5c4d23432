import { ConfigError, loadConfig } from "../../config/load.js";
import type { Config } from "../../config/schema.js";
import { type CliIo, ExitError, exitCodes } from "../io.js";

/** The settings that flags, environment, file and defaults make up. Any fault of them is wrong use, and all are told. */
export function readSettings({ env }: Pick<CliIo, "env">, flags: Readonly<Record<string, string | undefined>>): Config {
  try {
    return loadConfig({ flags, env, file: flags.config });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const faults = error.faults.map((fault) => `  ${fault}`);
    throw new ExitError(exitCodes.wrongUse, ["error: the settings have faults:", ...faults]);
  }
}
