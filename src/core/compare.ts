/**
 * One input, assembled in several ways, and where these differ. The input is read and counted once; its fragments are shared by all
 * variants, each of which has an assembly of its own.
 */
import { assemble } from "./assemble.js";
import { type Differences, findDifferences } from "./compare/differences.js";
import { relevanceSum } from "./compare/relevance-sum.js";
import { ContextError, type FailureReason, invalidRequest } from "./errors.js";
import type { ComparedVariant, Comparison } from "./model/comparison.js";
import { type Payload, TraceLevel } from "./model/payload.js";
import type { Request } from "./model/request.js";
import type { Registry } from "./registry.js";
import type { Run } from "./run.js";

/** What one variant came to: a payload, or the error that an assembly of its own would have ended with. */
export type VariantOutcome =
  | {
      readonly payload: Payload;
      /** Sum of the relevance of its fragments, as the caller gave it. */
      readonly relevanceSum: number;
    }
  | { readonly error: ContextError };

/** One variant with what it came to. */
export type ComparedOutcome = VariantOutcome & { readonly label: string; readonly elapsedMs: number };

/** How the variants of a comparison compare. */
export interface ComparisonResult extends Differences {
  /** In the order of the request. */
  readonly outcomes: readonly ComparedOutcome[];
}

/**
 * Assembles the input under each variant, one after the other. A variant that fails does not affect the others. Throws what is nobody's
 * variant alone: the signal's reason where the run is aborted, and whatever is a fault of the core.
 */
export async function compareStrategies(
  { request, variants }: Comparison,
  registry: Registry,
  run: Run,
): Promise<ComparisonResult> {
  const outcomes: ComparedOutcome[] = [];
  for (const variant of variants) {
    run.signal.throwIfAborted();
    const startMs = run.elapsedMs();
    const outcome = await assembleVariant(request, variant, registry, run);
    outcomes.push({ label: variant.label, elapsedMs: run.elapsedMs() - startMs, ...outcome });
  }
  const payloads = outcomes.map((outcome) => ("payload" in outcome ? outcome.payload : undefined));
  return { outcomes, ...findDifferences(request.fragments, payloads) };
}

/** Decisions are not asked for: to find what each dropped fragment lacks would cost more than the assembly. */
async function assembleVariant(
  request: Request,
  { strategies, pipeline, strategiesAt }: ComparedVariant,
  registry: Registry,
  run: Run,
): Promise<VariantOutcome> {
  try {
    const own = { ...request, strategies, pipeline, trace: TraceLevel.NONE };
    const payload = await assemble(own, registry, run);
    return { payload, relevanceSum: relevanceSum(payload, request.columns) };
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    if (!(error instanceof ContextError) || NOT_OF_A_VARIANT.has(error.reason)) throw error;
    return { error: placed(error, strategiesAt) };
  }
}

const NOT_OF_A_VARIANT: ReadonlySet<FailureReason> = new Set(["INTERNAL", "CANCELLED", "DEADLINE_EXCEEDED"]);

/** The error with paths that begin at the comparison: an assembly knows its own request only. */
function placed(error: ContextError, strategiesAt: string): ContextError {
  if (error.violations.length === 0) return error;
  return invalidRequest(
    error.violations.map(({ field, description }) => ({ field: `${strategiesAt}.${field}`, description })),
  );
}
