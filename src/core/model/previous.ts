import { quote } from "../errors.js";
import type { Faults } from "./faults.js";
import { FRAGMENT_LIMITS } from "./fragment.js";
import { isLongerThan } from "./text.js";

/** A previous payload as a caller gives it: the shape of the wire message. */
export interface PreviousPayloadDraft {
  fragments: readonly PreviousFragment[];
}

/** One fragment of the caller's previous payload, by what is given of it: id, content, or both. What is empty is not given. */
export interface PreviousFragment {
  readonly fragmentId: string;
  /** SHA-256 of its content, lower-case hexadecimal. */
  readonly contentHash: string;
}

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Checks a previous payload; faults go to `faults`. At most so many fragments as a request may hold, and at least an id or a hash of each.
 * Absent: none.
 */
export function readPrevious(
  draft: PreviousPayloadDraft | undefined,
  maxFragments: number,
  faults: Faults,
): readonly PreviousFragment[] {
  const previous = draft?.fragments ?? [];
  if (previous.length > maxFragments) {
    faults.add("previous.fragments", `has ${previous.length} entries; at most ${maxFragments} are allowed`);
    return [];
  }
  previous.forEach(({ fragmentId, contentHash }, i) => {
    const path = `previous.fragments[${i}]`;
    const { idCharacters } = FRAGMENT_LIMITS;
    if (fragmentId === "" && contentHash === "") {
      faults.add(path, "has neither fragment_id nor content_hash; at least one of them is required");
    }
    if (isLongerThan(fragmentId, idCharacters)) {
      faults.add(`${path}.fragment_id`, `has more than ${idCharacters} characters, which are the most allowed`);
    }
    if (contentHash !== "" && !SHA256.test(contentHash)) {
      faults.add(`${path}.content_hash`, `is ${quote(contentHash)}; allowed are 64 hexadecimal digits in lower case`);
    }
  });
  return previous;
}
