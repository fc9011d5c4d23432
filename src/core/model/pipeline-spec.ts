import { z } from "zod";
import { STAGES, type StageRole } from "../stages.js";
import type { Faults } from "./faults.js";
import { checkWaterMarks } from "./water-marks.js";

/** Which component runs each stage, as a request says it: the shape of the wire message, in whose fields names may be empty. */
export interface PipelineSpecDraft {
  profile: string;
  strategySelector: string;
  budgetAllocator: string;
  strategyExecutor: string;
  deduplicator: string;
  depthResolver: string;
  scorer: string;
  packer: string;
  orderer: string;
  preambleGenerator: string;
  skeletonCompressor: string;
  options?: PipelineOptionsDraft | undefined;
  failurePolicies: readonly {
    stage: number;
    policy: number;
    timeout?: { seconds: number; nanos: number } | undefined;
  }[];
}

export interface PipelineOptionsDraft {
  scorerWeights?: { relevance: number; hierarchy: number; quality: number; recency: number } | undefined;
  minFragmentTokens?: number | undefined;
  minRelevance?: number | undefined;
  valueExponent?: number | undefined;
  packerStepLimit?: number | undefined;
  packerTimeLimit?: { seconds: number; nanos: number } | undefined;
  minValuePerToken?: number | undefined;
  highWaterMark?: number | undefined;
  lowWaterMark?: number | undefined;
  similarityThreshold?: number | undefined;
  diversityLambda?: number | undefined;
}

/** Options of the built-in components, absent ones absent; each component knows its own defaults. */
export interface PipelineOptions {
  readonly scorerWeights?: Readonly<Record<"relevance" | "hierarchy" | "quality" | "recency", number>>;
  readonly minFragmentTokens?: number;
  readonly minRelevance?: number;
  readonly valueExponent?: number;
  readonly packerStepLimit?: number;
  readonly packerTimeLimitMs?: number;
  readonly minValuePerToken?: number;
  readonly highWaterMark?: number;
  readonly lowWaterMark?: number;
  readonly similarityThreshold?: number;
  readonly diversityLambda?: number;
}

/** What follows from the failure of a hosted component. */
export type FailurePolicy = "fail" | "skip" | "fallback";

/** What a request says of a stage that a hosted component runs. */
export interface HostedStage {
  /** Absent: the default of the stage. */
  readonly policy?: FailurePolicy;
  /** The longest that the stage's component is waited for. Absent: as long as it may take. */
  readonly timeoutMs?: number;
}

/** A valid choice of components. */
export interface PipelineSpec {
  /** Empty: the default profile. */
  readonly profile: string;
  /** The stages that the request overrides. */
  readonly components: Readonly<Partial<Record<StageRole, string>>>;
  readonly options: PipelineOptions;
  /** What holds where a stage's component is hosted; that of the executor holds for the strategies too. Absent: the defaults. */
  readonly hosted?: Readonly<Partial<Record<StageRole, HostedStage>>>;
}

export const DEFAULT_PIPELINE: PipelineSpec = { profile: "", components: {}, options: {} };

const componentName = z.string().max(128);
const weight = z
  .number({ error: "allowed are finite numbers from 0.0" })
  .min(0, { error: "allowed are finite numbers from 0.0" });
const wholeFrom = (least: number) => {
  const error = `allowed are whole numbers from ${least}`;
  return z.number({ error }).int({ error }).min(least, { error });
};
const fraction = () => {
  const error = "allowed is 0.0 to 1.0";
  return z.number({ error }).min(0, { error }).max(1, { error });
};
const SIMILARITIES = "allowed are numbers above 0.0 and up to 1.0";
const limitSchema = z
  .object({ seconds: z.number(), nanos: z.number() })
  .refine(
    ({ seconds, nanos }) =>
      Number.isInteger(seconds) &&
      Number.isInteger(nanos) &&
      seconds >= 0 &&
      nanos >= 0 &&
      nanos < 1e9 &&
      seconds + nanos > 0,
    { error: "must be above 0" },
  );
const optionSchema = z.object({
  scorerWeights: z
    .object({ relevance: weight, hierarchy: weight, quality: weight, recency: weight })
    .refine((weights) => Object.values(weights).some((value) => value !== 0), {
      error: "all weights are 0; at least one must be above",
    })
    .optional(),
  minFragmentTokens: wholeFrom(0).optional(),
  minRelevance: fraction().optional(),
  valueExponent: fraction().optional(),
  packerStepLimit: wholeFrom(1).optional(),
  packerTimeLimit: limitSchema.optional(),
  minValuePerToken: weight.optional(),
  similarityThreshold: z
    .number({ error: SIMILARITIES })
    .gt(0, { error: SIMILARITIES })
    .max(1, { error: SIMILARITIES })
    .optional(),
  diversityLambda: fraction().optional(),
});

/** Checks a pipeline; faults go to `faults`. Whether the names exist is for the registry to say. */
export function readPipelineSpec(draft: PipelineSpecDraft | undefined, faults: Faults): PipelineSpec {
  if (draft === undefined) return DEFAULT_PIPELINE;
  const components: Partial<Record<StageRole, string>> = {};
  for (const role of STAGES) {
    const name = draft[camelCase(role)];
    checkName(name, `pipeline.${role}`, faults);
    if (name !== "") components[role] = name;
  }
  checkName(draft.profile, "pipeline.profile", faults);
  const hosted = readFailurePolicies(draft.failurePolicies, faults);
  return {
    profile: draft.profile,
    components,
    options: readOptions(draft.options, "pipeline.options", faults),
    ...(draft.failurePolicies.length > 0 && { hosted }),
  };
}

function checkName(name: string, path: string, faults: Faults): void {
  if (!componentName.safeParse(name).success)
    faults.add(path, `has ${name.length} characters; at most 128 are allowed`);
}

/** Checks options; faults go to `faults`, their paths beginning with `path`. */
export function readOptions(draft: PipelineOptionsDraft | undefined, path: string, faults: Faults): PipelineOptions {
  if (draft === undefined) return {};
  checkWaterMarks(draft, (field) => (path === "" ? field : `${path}.${field}`), faults);
  const { highWaterMark, lowWaterMark } = draft;
  const parsed = optionSchema.safeParse(draft);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const value = issue.path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown>)?.[key], draft);
      const came = typeof value === "object" ? "" : `is ${String(value)}; `;
      const field = issue.path.map((part) => snakeCase(String(part))).join(".");
      faults.add(path === "" ? field : `${path}.${field}`, `${came}${issue.message}`);
    }
    return {};
  }
  const { packerTimeLimit, ...options } = parsed.data;
  const limit = packerTimeLimit && { packerTimeLimitMs: packerTimeLimit.seconds * 1_000 + packerTimeLimit.nanos / 1e6 };
  return withoutAbsent({ ...options, ...limit, highWaterMark, lowWaterMark }) as PipelineOptions;
}

/** By the number of the wire's `FailurePolicy`. */
const POLICIES = [undefined, "fail", "skip", "fallback"] as const;

function readFailurePolicies(
  policies: PipelineSpecDraft["failurePolicies"],
  faults: Faults,
): Partial<Record<StageRole, HostedStage>> {
  const seen = new Set<number>();
  const hosted: Partial<Record<StageRole, HostedStage>> = {};
  policies.forEach(({ stage, policy, timeout }, i) => {
    const path = `pipeline.failure_policies[${i}]`;
    if (!Number.isInteger(stage) || stage < 1 || stage > STAGES.length) {
      faults.add(`${path}.stage`, `is ${stage}; allowed are the numbers of the stages, 1 to ${STAGES.length}`);
    } else if (seen.has(stage)) {
      faults.add(`${path}.stage`, `is ${stage} once more; each stage may have one policy`);
    }
    seen.add(stage);
    if (![0, 1, 2, 3].includes(policy)) {
      faults.add(`${path}.policy`, `is ${policy}; allowed are fail (1), skip (2), fallback (3) or absent`);
    }
    if (timeout !== undefined && !limitSchema.safeParse(timeout).success) {
      faults.add(`${path}.timeout`, `is ${timeout.seconds} s and ${timeout.nanos} ns; it must be above 0`);
    }
    const role = STAGES[stage - 1];
    const chosen = POLICIES[policy];
    if (role !== undefined) {
      hosted[role] = {
        ...(chosen !== undefined && { policy: chosen }),
        ...(timeout !== undefined && { timeoutMs: timeout.seconds * 1_000 + timeout.nanos / 1e6 }),
      };
    }
  });
  return hosted;
}

function withoutAbsent(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;

function camelCase<S extends string>(name: S): Camel<S> {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<S>;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
