import { type Assembly, ask } from "../assembly.js";
import type { Fragment } from "../model/fragment.js";
import type { Nominated } from "../model/nomination.js";
import { Reason } from "../model/payload.js";
import { runInSlices, type Slices } from "../run-in-slices.js";
import { Slice } from "../slice.js";
import type { Deduplication, Duplicate } from "../stages.js";
import type { Committed } from "./commit-pins.js";
import { keepInRunning } from "./keep-in-running.js";

/** Nominations without copies. */
export interface Distinct extends Nominated {
  readonly deduplicated: true;
}

/** Stage 4. Takes copies out of the running; each names its survivor, which from then on meets whoever requires the copy. */
export async function deduplicate(assembly: Assembly, nominated: Nominated, committed: Committed): Promise<Distinct> {
  const { links } = assembly;
  const uninvited = links.any ? await runInSlices(bringUninvited(assembly, nominated), assembly.run) : NOTHING;
  const fragments = uninvited.size === 0 ? nominated.fragments : [...nominated.fragments, ...uninvited];
  const context = {
    committed: committed.fragments,
    uninvited,
    isGrouped,
  };
  const { kept, duplicates, mergesSources } = await ask(
    assembly,
    "deduplicator",
    (deduplicator) => deduplicator.deduplicate(fragments, context, assembly.run),
    (answer) =>
      answer.kept === fragments && answer.duplicates.length === 0 ? undefined : keptFault(fragments, answer, committed),
  );
  if (kept === fragments) return { ...nominated, deduplicated: true };
  const remaining = new Set([...kept, ...committed.fragments]);
  for (const duplicate of duplicates) {
    const { fragment, survivor } = duplicate;
    remaining.delete(fragment);
    links.redirect(fragment, survivor);
    takeOutDuplicate(assembly, duplicate);
    if (mergesSources === true) {
      const sources = assembly.mergedFrom.get(survivor);
      if (sources === undefined) assembly.mergedFrom.set(survivor, [fragment.provenance]);
      else sources.push(fragment.provenance);
    }
  }
  for (const fragment of fragments) {
    if (!remaining.has(fragment) && assembly.out[fragment.inputIndex] === 0) {
      assembly.out[fragment.inputIndex] = 1;
      assembly.trace.decide(fragment, "deduplicator", Reason.REJECTED_BY_COMPONENT);
    }
  }
  return { ...keepInRunning(nominated, remaining), deduplicated: true };
}

function isGrouped({ groupId }: Fragment): boolean {
  return groupId !== "";
}

function takeOutDuplicate({ out, trace }: Assembly, { fragment, survivor, similarity }: Duplicate): void {
  out[fragment.inputIndex] = 1;
  if (similarity === undefined) trace.decide(fragment, "deduplicator", Reason.DUPLICATE, survivor);
  else trace.decide(fragment, "deduplicator", Reason.TOO_SIMILAR, survivor, `similarity ${similarity.toFixed(3)}`);
}

const NOTHING: ReadonlySet<Fragment> = new Set();

/** What nobody nominated and something nominated requires, transitively. */
export function* bringUninvited({ links, request }: Assembly, { fragments }: Nominated): Slices<ReadonlySet<Fragment>> {
  const uninvited = new Set<Fragment>();
  const isKnown = new Uint8Array(request.fragments.length);
  const slice = new Slice();
  for (const { inputIndex } of fragments) {
    isKnown[inputIndex] = 1;
    if (slice.isOver()) yield;
  }
  const waiting = [...fragments];
  const groups = new Set<readonly Fragment[]>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (slice.isOver()) yield;
    for (const required of links.requiredBy(next)) {
      const group = links.groupOf(required);
      if (groups.has(group)) continue;
      if (group.length > 1) groups.add(group);
      for (const member of group) {
        if (isKnown[member.inputIndex] === 1) continue;
        isKnown[member.inputIndex] = 1;
        uninvited.add(member);
        waiting.push(member);
      }
    }
  }
  return uninvited;
}

function keptFault(
  given: readonly Fragment[],
  { kept, duplicates }: Deduplication,
  committed: Committed,
): string | undefined {
  const known = new Set(given);
  const seen = new Set<Fragment>();
  for (const fragment of kept) {
    if (!known.has(fragment)) return `answered with ${fragment.fragmentId}, which it was not given`;
    if (seen.has(fragment)) return `answered with ${fragment.fragmentId} twice`;
    seen.add(fragment);
  }
  const copies = new Set<Fragment>();
  for (const { fragment, survivor, similarity = 1 } of duplicates) {
    if (!(similarity > 0 && similarity <= 1)) {
      return `said that ${fragment.fragmentId} has the similarity ${similarity}, which is not above 0 and at most 1`;
    }
    if (!known.has(fragment) || seen.has(fragment) || copies.has(fragment)) {
      return `called ${fragment.fragmentId} a duplicate, which it keeps, was not given, or called one before`;
    }
    copies.add(fragment);
    if (committed.fragments.has(fragment)) return `called ${fragment.fragmentId} a duplicate, which is pinned`;
    if (isGrouped(fragment) || (isGrouped(survivor) && !committed.fragments.has(survivor))) {
      return `called ${fragment.fragmentId} a duplicate of ${survivor.fragmentId}, of which one is in a group`;
    }
    if (!seen.has(survivor) && !committed.fragments.has(survivor)) {
      return `named ${survivor.fragmentId} as a survivor, which it does not keep`;
    }
  }
  return undefined;
}
