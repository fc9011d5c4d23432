import type { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import type { Violation } from "../../core/index.js";
import { type Door, RefusedError } from "../door/door.js";

/** What else is wrong with a request of which what was known to be wrong is left out. */
export async function furtherViolations(
  door: Pick<Door, "assemble">,
  request: AssembleRequest,
  known: readonly Violation[],
): Promise<Violation[]> {
  try {
    await door.assemble(request);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const follows = consequencesOf(known.map(({ field }) => field));
    return error.violations.filter(({ field }) => !follows(field));
  }
  return [];
}

/** What is judged by more than its own field: the fields that a judgement looks at, and those at which its fault may stand. */
const JUDGED_TOGETHER: readonly { readonly looksAt: RegExp; readonly standsAt: RegExp }[] = [
  // An id may be missing for want of its fragment, or under a wrong name.
  { looksAt: /^(?:parent_)?fragments\[\d+\](?:\.\w+)?$/, standsAt: /^(?:parent_)?fragments\[\d+\]\.requires\[\d+\]$/ },
  { looksAt: /^budget\b/, standsAt: /^budget\.sections\[\d+\]/ },
  { looksAt: /^pipeline\.options\.\w+_water_mark$/, standsAt: /^pipeline\.options\.\w+_water_mark$/ },
  { looksAt: /^pipeline\.options\.scorer_weights\b/, standsAt: /^pipeline\.options\.scorer_weights$/ },
];

/** True for a field whose fault may only be there because something is left out: at the same place, around it, in it, or judged with it. */
function consequencesOf(known: readonly string[]): (field: string) => boolean {
  const places = new Set(known);
  const around = new Set(known.flatMap(outerFields));
  const judged = JUDGED_TOGETHER.filter(({ looksAt }) => known.some((field) => looksAt.test(field)));
  return (field) =>
    places.has(field) ||
    around.has(field) ||
    outerFields(field).some((outer) => places.has(outer)) ||
    judged.some(({ standsAt }) => standsAt.test(field));
}

/** The fields that hold one, such as `fragments` and `fragments[3]` for `fragments[3].tier`. */
function outerFields(field: string): string[] {
  return [...field.matchAll(/(?<=.)[.[]/g)].map(({ index }) => field.slice(0, index));
}
