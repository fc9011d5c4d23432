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
    if (error instanceof RefusedError) return error.violations.filter((violation) => !followsFrom(violation, known));
    throw error;
  }
  return [];
}

/** True for what may only be wrong because something that was wrong already is left out. */
function followsFrom({ field }: Violation, known: readonly Violation[]): boolean {
  const lacksId = /\.requires\[\d+\]$/.test(field) && known.some((fault) => fault.field.endsWith(".fragment_id"));
  return lacksId || known.some((fault) => isWithin(field, fault.field) || isWithin(fault.field, field));
}

function isWithin(field: string, outer: string): boolean {
  return field === outer || (field.startsWith(outer) && /^[.[]/.test(field.slice(outer.length)));
}
