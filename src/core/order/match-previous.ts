/** Which fragments stood in the caller's previous payload. */
import { contentHash } from "../context-hash.js";
import type { Fragment } from "../model/fragment.js";
import type { PreviousFragment } from "../model/previous.js";
import { compareStable } from "./stable-order.js";

/** True where a fragment is what stood in the previous payload, by all that is given of that. */
export function isSame(before: PreviousFragment, fragment: Fragment): boolean {
  const { fragmentId, contentHash: hash } = before;
  return (fragmentId === "" || fragmentId === fragment.fragmentId) && (hash === "" || hash === hashOf(fragment));
}

/**
 * For each fragment of a previous payload the one of `fragments` that it is, none twice; nothing where there is none. Where only a content
 * is given and several have it, those that are named elsewhere come last, and the others in the order of `stable`, in which they stood.
 * O(n log n), and a digest of each content that is asked for.
 */
export function matchPrevious(
  previous: readonly PreviousFragment[],
  fragments: readonly Fragment[],
): readonly (Fragment | undefined)[] {
  const byId = new Map(fragments.map((fragment) => [fragment.fragmentId, fragment]));
  const taken = new Set<Fragment>();
  let byContent: Map<string, Fragment[]> | undefined;
  return previous.map((before) => {
    let found: Fragment | undefined;
    if (before.fragmentId !== "") {
      found = byId.get(before.fragmentId);
    } else {
      byContent ??= groupByContent(fragments, new Set(previous.map(({ fragmentId }) => fragmentId)));
      found = nextOf(byContent.get(before.contentHash), taken);
    }
    if (found === undefined || taken.has(found) || !isSame(before, found)) return undefined;
    taken.add(found);
    return found;
  });
}

/** The fragments of each content, the last to be taken first. */
function groupByContent(fragments: readonly Fragment[], named: ReadonlySet<string>): Map<string, Fragment[]> {
  const byContent = new Map<string, Fragment[]>();
  for (const fragment of fragments) {
    const same = byContent.get(hashOf(fragment));
    if (same === undefined) byContent.set(hashOf(fragment), [fragment]);
    else same.push(fragment);
  }
  const isNamed = ({ fragmentId }: Fragment): number => Number(named.has(fragmentId));
  for (const same of byContent.values()) same.sort((a, b) => isNamed(b) - isNamed(a) || compareStable(b, a));
  return byContent;
}

/** The next that is not taken; those before it are. */
function nextOf(same: Fragment[] | undefined, taken: ReadonlySet<Fragment>): Fragment | undefined {
  let next = same?.pop();
  while (next !== undefined && taken.has(next)) next = same?.pop();
  return next;
}

const hashes = new WeakMap<Fragment, string>();

/** The digest of a fragment's content, which packing, ordering and sealing ask for one after the other. */
function hashOf(fragment: Fragment): string {
  const known = hashes.get(fragment);
  if (known !== undefined) return known;
  const hash = contentHash(fragment.content);
  hashes.set(fragment, hash);
  return hash;
}
