import { readFileSync } from "node:fs";
import { quote } from "../core/index.js";
import { type Bound, bounds, type Config, configSchema, type Setting, settings } from "./schema.js";

/** Where settings come from. */
export interface ConfigSources {
  /** The flags that were given, by the setting's key, as text. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** The environment. An empty variable counts as absent. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file that a flag names. Absent: `ACMS_CONFIG`, else no file. */
  readonly file?: string | undefined;
}

/** Settings that cannot be used. */
export class ConfigError extends Error {
  /** Every fault: where it came from, what came and what is allowed. At least one. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the settings have faults:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.name = "ConfigError";
    this.faults = faults;
  }
}

/** A value that some source gives to a setting. */
interface Given {
  readonly setting: Setting;
  readonly value: unknown;
  /** Such as `--port`, `ACMS_PORT` or `port in acms.json`. */
  readonly origin: string;
}

/**
 * The settings: flags over environment over file over defaults. A value that another one overrides is checked as well: it would surprise
 * on the day on which the other goes.
 *
 * @throws ConfigError with every fault of every source
 */
export function loadConfig({ flags, env, file = env.ACMS_CONFIG }: ConfigSources): Config {
  const faults: string[] = [];
  const given = [
    ...(file === undefined || file === "" ? [] : readConfigFile(file, faults)),
    ...settings.flatMap((setting) => {
      const text = env[setting.variable];
      return text === undefined || text === "" ? [] : [fromText(setting, text, setting.variable)];
    }),
    ...settings.flatMap((setting) => {
      const text = flags[setting.key];
      return text === undefined ? [] : [fromText(setting, text, setting.flag)];
    }),
  ];
  const valid = given.filter(({ setting, value, origin }) => {
    const isValid = configSchema.shape[setting.key].safeParse(value).success;
    if (!isValid) faults.push(`${origin}: ${show(value)} came, and ${setting.allowed} is allowed`);
    return isValid;
  });
  const config = configSchema.parse(Object.fromEntries(valid.map(({ setting, value }) => [setting.key, value])));
  const isFaulty = (key: keyof Config): boolean => given.some((one) => one.setting.key === key && !valid.includes(one));
  faults.push(...bounds.filter(({ by }) => !isFaulty(by)).flatMap((bound) => beyond(bound, valid, config)));
  if (faults.length > 0) {
    throw new ConfigError(faults);
  }
  return config;
}

/** The fault of the value that holds for a setting, where another setting does not allow it. A default is not at fault. */
function beyond({ key, rule, most }: Bound, given: readonly Given[], config: Config): string[] {
  const holding = given.findLast(({ setting }) => setting.key === key);
  if (holding === undefined || Number(holding.value) <= most(config)) return [];
  return [`${holding.origin}: ${show(holding.value)} came, and at most ${most(config)} is allowed, which is ${rule}`];
}

/** Flags and variables are text; of a number only plain digits are one, so that `0x10` and `1e3` are not guessed at. */
function fromText(setting: Setting, text: string, origin: string): Given {
  return { setting, value: setting.isNumber && /^-?\d+$/.test(text) ? Number(text) : text, origin };
}

function readConfigFile(path: string, faults: string[]): Given[] {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const what = error instanceof SyntaxError ? "is not JSON" : "cannot be read";
    faults.push(`${path}: ${what}: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    faults.push(`${path}: ${show(json)} came, and an object with settings is allowed`);
    return [];
  }
  return Object.entries(json).flatMap(([key, value]) => {
    const setting = settings.find((candidate) => candidate.key === key);
    if (setting === undefined) {
      faults.push(`${path}: no setting has the name ${quote(key)}; there are ${settings.map((s) => s.key).join(", ")}`);
      return [];
    }
    return [{ setting, value, origin: `${key} in ${path}` }];
  });
}

function show(value: unknown): string {
  if (typeof value === "string") {
    return quote(value);
  }
  if (Array.isArray(value)) {
    return "an array";
  }
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
