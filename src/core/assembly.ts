import { BrokenContract, componentFailure } from "./component-failure.js";
import { ContextError } from "./errors.js";
import { type Links, linkFragments } from "./fuse/links.js";
import { compileSections, type Sections } from "./fuse/sections.js";
import { decideFailure } from "./hosted/decide-failure.js";
import { HostedError, hostedError } from "./hosted/hosted-error.js";
import { standInFor } from "./hosted/stand-in.js";
import type { Fragment } from "./model/fragment.js";
import type { StageTiming, Warning } from "./model/payload.js";
import type { Provenance } from "./model/provenance.js";
import type { Request } from "./model/request.js";
import { type Answering, type Part, type Parts, Registry } from "./registry.js";
import type { MaybePromise, Run } from "./run.js";
import type { StageContracts, StageRole } from "./stages.js";
import { createConfigured } from "./strategies/configured.js";
import { createUnknown } from "./strategies/unknown.js";
import { Trace } from "./trace.js";

/** One assembly at work: what all its stages share. */
export interface Assembly {
  readonly request: Request;
  readonly registry: Registry;
  readonly parts: Parts;
  /** True: at most one variant of a key is packed. */
  readonly oneVariant: boolean;
  readonly links: Links;
  /** Floors and caps of parts of the budget; nothing where there are none. */
  readonly sections: Sections | undefined;
  /** By input position: 1 where a fragment is out of the running, and so whatever needs it. */
  readonly out: Uint8Array;
  /** Sources of the copies that were merged into a fragment. */
  readonly mergedFrom: Map<Fragment, Provenance[]>;
  readonly trace: Trace;
  readonly warnings: Warning[];
  readonly timings: StageTiming[];
  readonly run: Run;
}

/** Opens an assembly: finds the components that the request names, and throws where one does not exist. */
export function openAssembly(request: Request, registry: Registry, run: Run): Assembly {
  const parts = registry.parts(request.pipeline);
  const strategies = new Registry(withUnknown(request, registry), "registered");
  request.strategies.forEach(({ name, config }, i) => {
    if (config !== undefined) strategies.addStrategy(createConfigured(config, `strategies[${i}]`), name);
  });
  const oneVariant = keepsOneVariant(parts);
  return {
    request,
    registry: strategies,
    parts,
    oneVariant,
    links: linkFragments(request.fragments, request.columns.linked, oneVariant),
    sections: compileSections(request.budget.sections, request.fragments),
    out: new Uint8Array(request.fragments.length),
    mergedFrom: new Map(),
    trace: new Trace(request.fragments),
    warnings: [],
    timings: [],
    run,
  };
}

/** The registry in which a strategy that is unknown exists all the same, to fail as the request says, where it says so. */
function withUnknown({ strategies, pipeline }: Request, registry: Registry): Registry {
  const policy = pipeline.hosted?.strategy_executor?.policy;
  if (decideFailure("unknown", "strategy", policy) === "fail") return registry;
  const layer = new Registry(registry, "hosted");
  for (const { name, config } of strategies) {
    if (config === undefined && !registry.hasStrategy(name)) layer.addStrategy(createUnknown(name));
  }
  return layer;
}

/** One variant of each key is kept wherever a depth resolver runs, and under every packer that does not say otherwise. */
function keepsOneVariant({ stages }: Parts): boolean {
  const resolves = stages.depth_resolver.component.resolves !== false;
  return resolves || stages.packer.component.keepsVariants !== true;
}

/** Says what is wrong with an answer, or nothing. */
export type FaultOf<T> = (answer: T) => string | undefined;

/** Asks the component of a stage, takes the time, and checks the answer; before and after it others may have a turn. */
export async function ask<R extends StageRole, T>(
  assembly: Assembly,
  role: R,
  question: (component: StageContracts[R]) => MaybePromise<T>,
  faultOf: FaultOf<T>,
): Promise<T> {
  await assembly.run.breathe();
  const answer = await askTimed(assembly, role, question, faultOf);
  // To check the answer took time as well, and what follows may be long.
  await assembly.run.breathe();
  return answer;
}

async function askTimed<R extends StageRole, T>(
  assembly: Assembly,
  role: R,
  question: (component: StageContracts[R]) => MaybePromise<T>,
  faultOf: FaultOf<T>,
): Promise<T> {
  const { run, timings } = assembly;
  const part = assembly.parts.stages[role];
  const startMs = run.elapsedMs();
  let failed = true;
  try {
    const answer = await askPart(role, part, run.signal, question, faultOf);
    failed = false;
    return answer;
  } catch (error) {
    // A token counter that the stage asked is not the stage's component.
    if (!(error instanceof HostedError) || error.role !== role) throw error;
    const standIn = standInFor(assembly, role, error);
    return await askPart(role, standIn, run.signal, question, faultOf);
  } finally {
    const durationMs = run.elapsedMs() - startMs;
    timings.push({ stage: role, component: part.name, durationMs });
    run.recorder.stageFinished?.(role, part.name, durationMs, { source: part.source, failed });
  }
}

/**
 * The only place where components are called: an aborted run stops here, whether the component answers or not, and whatever it throws, or
 * answers against its contract, becomes an error that names it; of a hosted one a `HostedError`.
 */
export async function askPart<R extends StageRole, T>(
  role: R,
  { name, component, source }: Part<R>,
  signal: AbortSignal,
  question: (component: StageContracts[R]) => MaybePromise<T>,
  faultOf: FaultOf<T>,
): Promise<T> {
  try {
    signal.throwIfAborted();
    const answer = await untilAborted(question(component), signal);
    signal.throwIfAborted();
    // An answer of another shape makes the check itself throw, which is as good as a fault.
    return await heldToContract(component, answer, faultOf, signal);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof ContextError) throw cause;
    if (cause instanceof BrokenContract) {
      const { fault } = cause;
      throw source === "hosted" ? hostedError({ role, name }, "invariant", fault) : componentFailure(role, name, fault);
    }
    if (source === "hosted")
      throw hostedError({ role, name }, "invariant", "answered with what is no answer", { cause });
    throw componentFailure(role, name, "failed, or answered with what is no answer", cause);
  }
}

/**
 * An answer that holds to its contract: the one that came, or the one that the component has in its place. Throws `BrokenContract`.
 */
export async function heldToContract<T>(
  component: Answering,
  answer: T,
  faultOf: FaultOf<T>,
  signal: AbortSignal,
): Promise<T> {
  const fault = faultOf(answer);
  if (fault === undefined) return answer;
  const other = component.rejected?.(fault, answer);
  if (other === undefined) throw new BrokenContract(fault);
  const second = (await untilAborted(other, signal)) as T;
  const secondFault = faultOf(second);
  if (secondFault === undefined) return second;
  // It hears of the second one too, and there is no third.
  void component.rejected?.(secondFault, second)?.catch(() => undefined);
  throw new BrokenContract(secondFault);
}

/** An answer, or the signal's reason where that comes first: a component that never answers must not keep its run alive. */
async function untilAborted<T>(answer: MaybePromise<T>, signal: AbortSignal): Promise<T> {
  if (!(answer instanceof Promise)) return answer;
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
