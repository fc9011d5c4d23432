import { isIP } from "node:net";
import { z } from "zod";
import { DEFAULT_LIMITS } from "../core/index.js";
import { DEFAULT_HOSTING_LIMITS, receivableAnswer } from "../hosting/index.js";
import { tokenizerNames } from "../tokens/counters.js";

/** What a person is told of a setting. */
interface Notes {
  readonly meaning: string;
  /** The values that are allowed, in words. */
  readonly allowed: string;
}

function wholeNumber(least: number, most: number, fallback: number, meaning: string) {
  const notes: Notes = { meaning, allowed: `a whole number from ${least} to ${most}` };
  return z.int().min(least).max(most).default(fallback).meta({ notes });
}

function oneOf<const Name extends string>(names: readonly Name[], fallback: NoInfer<Name>, meaning: string) {
  const notes: Notes = { meaning, allowed: `one of ${names.join(", ")}` };
  return z.enum(names).default(fallback).meta({ notes });
}

function hostName(fallback: string, meaning: string) {
  const notes: Notes = { meaning, allowed: "an IP address or a host's name, without a port" };
  return z
    .string()
    .refine((host) => isIP(host) !== 0 || /^[^\s:/[\]]+$/.test(host))
    .default(fallback)
    .meta({ notes });
}

function folder(meaning: string) {
  const notes: Notes = { meaning, allowed: "the path of a folder, or empty for none" };
  return z
    .string()
    .refine((path) => !path.includes("\0"))
    .default("")
    .meta({ notes });
}

/** Every setting of the server: its values, its default and its meaning. Flags, environment variables, file and help all follow from it. */
export const configSchema = z.strictObject({
  host: hostName(
    "127.0.0.1",
    "address to listen on. There is no encryption and no authentication: beyond loopback, who reaches it may use it",
  ),
  port: wholeNumber(0, 65_535, 50_551, "port to listen on; 0 takes a free one"),
  maxReceiveBytes: wholeNumber(1_024, 2_147_483_647, 16 * 1024 * 1024, "size of the largest request in bytes"),
  maxFragments: wholeNumber(
    1,
    10_000_000,
    DEFAULT_LIMITS.maxFragments,
    "most fragments of one request, parents' fragments included",
  ),
  maxContentCharacters: wholeNumber(
    1,
    2_147_483_647,
    DEFAULT_LIMITS.maxContentCharacters,
    "most characters (code points) of one fragment's content",
  ),
  maxConcurrentCalls: wholeNumber(1, 1_000_000, 256, "most calls at work at once; those beyond are refused"),
  shutdownGraceMs: wholeNumber(0, 3_600_000, 10_000, "milliseconds that running calls have to finish when it stops"),
  defaultTokenizer: oneOf(tokenizerNames, "chars4", "tokenizer of requests that name none"),
  expressionTimeLimitMs: wholeNumber(1, 60_000, 200, "milliseconds that the expressions of one strategy may take"),
  heartbeatIntervalMs: wholeNumber(
    10,
    3_600_000,
    DEFAULT_HOSTING_LIMITS.heartbeatIntervalMs,
    "milliseconds within which a client that hosts components has to say something; after two of them in silence it is lost",
  ),
  maxHosts: wholeNumber(0, 100_000, DEFAULT_HOSTING_LIMITS.maxSessions, "most streams that host components at once"),
  maxHostedComponents: wholeNumber(
    1,
    10_000,
    DEFAULT_HOSTING_LIMITS.maxComponents,
    "most components of one such stream",
  ),
  maxAnswerBytes: wholeNumber(
    1_024,
    2_147_483_647,
    DEFAULT_HOSTING_LIMITS.maxAnswerBytes,
    "size of the largest answer of a hosted component in bytes, at most 7/8 of `maxReceiveBytes`, to which the default is lowered",
  ),
  hostedTimeoutCapMs: wholeNumber(
    1,
    600_000,
    DEFAULT_HOSTING_LIMITS.maxTimeoutMs,
    "milliseconds that no question to a hosted component may pass",
  ),
  hostedStageTimeoutMs: wholeNumber(
    1,
    600_000,
    DEFAULT_HOSTING_LIMITS.stageTimeoutMs,
    "milliseconds that a hosted component has where it declares no time, at most `hostedTimeoutCapMs`, to which the default is lowered",
  ),
  hostedStrategyTimeoutMs: wholeNumber(
    1,
    600_000,
    DEFAULT_HOSTING_LIMITS.strategyTimeoutMs,
    "milliseconds that a hosted strategy has where it declares no time, at most `hostedTimeoutCapMs`, to which the default is lowered",
  ),
  dataDir: folder("folder for registrations, made where it does not exist; without one they are kept in memory only"),
  logLevel: oneOf(
    ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
    "info",
    "least severe events that are logged",
  ),
});

/** The settings of a server, all present. */
export type Config = z.infer<typeof configSchema>;

/** A setting that another one bounds. A value beyond it would have to be lowered, which nobody would notice; so it is refused. */
export interface Bound {
  readonly key: keyof Config;
  readonly by: keyof Config;
  /** How the one follows from the other, in words. */
  readonly rule: string;
  most(config: Config): number;
}

/** All settings that others bound. */
export const bounds: readonly Bound[] = [
  {
    key: "maxAnswerBytes",
    by: "maxReceiveBytes",
    rule: "7/8 of maxReceiveBytes",
    most: ({ maxReceiveBytes }) => receivableAnswer(maxReceiveBytes),
  },
  ...(["hostedStageTimeoutMs", "hostedStrategyTimeoutMs"] as const).map((key) => ({
    key,
    by: "hostedTimeoutCapMs" as const,
    rule: "hostedTimeoutCapMs",
    most: ({ hostedTimeoutCapMs }: Config) => hostedTimeoutCapMs,
  })),
];

/** One setting as flags, environment and help know it. */
export interface Setting extends Notes {
  readonly key: keyof Config;
  /** Such as `--max-fragments`. */
  readonly flag: string;
  /** Such as `ACMS_MAX_FRAGMENTS`. */
  readonly variable: string;
  readonly isNumber: boolean;
  readonly fallback: string | number;
}

const defaults = configSchema.parse({});

/** All settings, in the order of the schema. */
export const settings: readonly Setting[] = configSchema.keyof().options.map((key) => {
  const schema = configSchema.shape[key];
  const words = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    key,
    flag: `--${words}`,
    variable: `ACMS_${words.replaceAll("-", "_").toUpperCase()}`,
    isNumber: schema.unwrap() instanceof z.ZodNumber,
    fallback: defaults[key],
    ...(schema.meta()?.notes as Notes),
  };
});
