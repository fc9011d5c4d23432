import { quote } from "../errors.js";
import { STAGES } from "../stages.js";
import { checkExpressions, expressionsOf } from "./check-expressions.js";
import { createFaults, type Faults, faultsUnder } from "./faults.js";
import { FRAGMENT_LIMITS } from "./fragment.js";
import { type PipelineSpec, type PipelineSpecDraft, readPipelineSpec } from "./pipeline-spec.js";
import {
  checkLength,
  checkRequest,
  countRequest,
  type Request,
  type RequestDraft,
  type RequestSurroundings,
} from "./request.js";
import { readStrategySpecs, type StrategySpec, type StrategySpecDraft } from "./strategy-spec.js";

/** A comparison as a caller gives it: the shape of the wire message. */
export interface ComparisonDraft {
  assemble?: RequestDraft | undefined;
  variants: readonly VariantDraft[];
}

/** One way to assemble the input. An empty label and no strategies count as absent. */
export interface VariantDraft {
  label: string;
  strategies: readonly StrategySpecDraft[];
  pipeline?: PipelineSpecDraft | undefined;
}

/** A valid comparison. */
export interface Comparison {
  /** The input with what each variant has in common with it. */
  readonly request: Request;
  readonly variants: readonly ComparedVariant[];
}

/** One way to assemble the input, with nothing absent. */
export interface ComparedVariant {
  /** Unique within the comparison. */
  readonly label: string;
  readonly strategies: readonly StrategySpec[];
  readonly pipeline: PipelineSpec;
  /** Path of the message that holds its strategies, for faults that only show when they run. */
  readonly strategiesAt: string;
}

/** The most variants of one comparison: each costs as much as an assembly. */
export const MAX_VARIANTS = 16;

/** The label of a variant that has none and names nothing. */
const AS_GIVEN = "as_given";

/**
 * Checks a comparison, and counts the input once for all its variants. Throws one `ContextError` that names every fault of the input and of
 * all variants, or what `readRequest` throws for the input.
 */
export async function readComparison(draft: ComparisonDraft, around: RequestSurroundings): Promise<Comparison> {
  const faults = createFaults();
  const { assemble } = draft;
  if (assemble === undefined) faults.add("assemble", "is absent; a request is required");
  const checked = assemble && (await checkRequest(assemble, around, faultsUnder(faults, "assemble")));
  checkVariantCount(draft.variants.length, faults);
  // More are refused already, and what is wrong with each of them is of no use to anybody.
  const read = draft.variants.slice(0, MAX_VARIANTS).map((variant, i) => readVariant(variant, i, faults));
  checkLabels(read, faults);
  const expressions = read.flatMap(({ path, own }) =>
    own.flatMap((spec, i) => expressionsOf(spec, `${path}.strategies[${i}]`)),
  );
  if (expressions.length > 0) await checkExpressions(expressions, around.expressions, around.signal, faults);
  faults.throwIfAny();
  const request = await countRequest(checked!, around);
  const variants = read.map(({ label, path, own, pipeline }) => ({
    label,
    strategies: own.length > 0 ? own : request.strategies,
    pipeline: pipeline ?? request.pipeline,
    strategiesAt: own.length > 0 ? path : "assemble",
  }));
  return { request, variants };
}

interface ReadVariant {
  readonly path: string;
  readonly label: string;
  readonly isLabelled: boolean;
  readonly own: readonly StrategySpec[];
  readonly pipeline: PipelineSpec | undefined;
}

function checkVariantCount(count: number, faults: Faults): void {
  if (count < 1 || count > MAX_VARIANTS) {
    faults.add("variants", `has ${count} entries; allowed are 1 to ${MAX_VARIANTS}`);
  }
}

function readVariant(draft: VariantDraft, position: number, faults: Faults): ReadVariant {
  const path = `variants[${position}]`;
  const under = faultsUnder(faults, path);
  checkLength(draft.label, "label", FRAGMENT_LIMITS.idCharacters, under);
  const own = readStrategySpecs(draft.strategies, under);
  const pipeline = draft.pipeline && readPipelineSpec(draft.pipeline, under);
  const isLabelled = draft.label !== "";
  return { path, label: isLabelled ? draft.label : labelOf(own, pipeline), isLabelled, own, pipeline };
}

/** What a variant names itself: strategies, then profile, then components in running order. */
function labelOf(strategies: readonly StrategySpec[], pipeline: PipelineSpec | undefined): string {
  const names = [
    strategies.map(({ name }) => name).join("+"),
    pipeline?.profile ?? "",
    ...STAGES.map((role) => pipeline?.components[role] ?? ""),
  ];
  return names.filter((name) => name !== "").join("/") || AS_GIVEN;
}

function checkLabels(variants: readonly ReadVariant[], faults: Faults): void {
  const seen = new Map<string, string>();
  for (const { path, label, isLabelled } of variants) {
    const before = seen.get(label);
    if (before === undefined) {
      seen.set(label, path);
      continue;
    }
    const came = isLabelled ? `is ${quote(label)}` : `is absent, and made of its names is ${quote(label)}`;
    faults.add(`${path}.label`, `${came}, as that of ${before} is; labels are unique`);
  }
}
