/** The language in this very thread: what an expression gives for a fragment, and what is wrong with it. */
import { fragmentDraft, fragmentsOf, NOON } from "../core/drafts.fixture.js";
import type { FragmentDraft } from "../core/index.js";
import { compile } from "./compile.js";
import type { ExpressionResult } from "./contract.js";
import { evaluate } from "./evaluate.js";
import { packFragments } from "./pack.js";
import { describeFault, SourceFault } from "./source-fault.js";

/** What an expression gives for one fragment; a fault of its evaluation as its description. */
export function resultOf(source: string, fields: Partial<FragmentDraft> = {}, gives: ExpressionResult = "number") {
  const program = compile(source, gives);
  const required = (fields.requires ?? []).map((fragmentId) => fragmentDraft({ fragmentId }));
  const [fragment] = fragmentsOf(fragmentDraft(fields), ...required);
  const fragments = packFragments([fragment!], [program.needs]);
  const message = { kind: "evaluate", where: "", score: source, fragments, query: "the query" } as const;
  const found = evaluate({ score: program }, { ...message, now: [NOON.seconds, NOON.nanos] });
  return "fault" in found ? describeFault(source, found.fault).description : found.scores![0];
}

/** Whether an expression is true for one fragment. */
export function isTrue(source: string, fields: Partial<FragmentDraft> = {}): boolean {
  return resultOf(source, fields, "boolean") === 1;
}

/** What is wrong with an expression; nothing where it may be evaluated. */
export function faultOf(source: string, gives: ExpressionResult = "number"): string | undefined {
  try {
    compile(source, gives);
    return undefined;
  } catch (error) {
    if (error instanceof SourceFault) return describeFault(source, error).description;
    throw error;
  }
}
