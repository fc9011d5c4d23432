import { type Assembly, ask, brokenContract } from "../assembly.js";
import type { Nominated } from "../choose/execute-strategies.js";
import type { Fragment } from "../model/fragment.js";
import { Reason } from "../model/payload.js";
import type { Deduplication } from "../stages.js";
import { keepInRunning } from "./keep-in-running.js";

/** Nominations without copies. */
export interface Distinct extends Nominated {
  readonly deduplicated: true;
}

/** Stage 4. Takes copies out of the running; each names its survivor. */
export async function deduplicate(assembly: Assembly, nominated: Nominated): Promise<Distinct> {
  const { fragments } = nominated;
  const { kept, duplicates } = await ask(assembly, "deduplicator", (deduplicator) =>
    deduplicator.deduplicate(fragments, assembly.run),
  );
  if (kept === fragments) return { ...nominated, deduplicated: true };
  checkKept(assembly, fragments, { kept, duplicates });
  const remaining = new Set(kept);
  for (const { fragment, survivor } of duplicates) {
    assembly.trace.decide(fragment, "deduplicator", Reason.DUPLICATE, survivor);
  }
  for (const fragment of fragments) {
    if (!remaining.has(fragment) && !assembly.trace.isDecided(fragment)) {
      assembly.trace.decide(fragment, "deduplicator", Reason.REJECTED_BY_COMPONENT);
    }
  }
  return { ...keepInRunning(nominated, remaining), deduplicated: true };
}

function checkKept(assembly: Assembly, given: readonly Fragment[], { kept, duplicates }: Deduplication): void {
  const known = new Set(given);
  const seen = new Set<Fragment>();
  for (const fragment of [...kept, ...duplicates.map((duplicate) => duplicate.fragment)]) {
    if (!known.has(fragment) || seen.has(fragment)) {
      const fault = seen.has(fragment) ? "twice" : "which it was not given";
      throw brokenContract(assembly, "deduplicator", `answered with ${fragment.fragmentId}, ${fault}`);
    }
    seen.add(fragment);
  }
}
