/** Sections: parts of a budget that are kept for, or denied to, the fragments that one property selects. */
import { quote } from "../errors.js";
import type { Faults } from "./faults.js";
import { FRAGMENT_LIMITS, type Fragment } from "./fragment.js";
import { splitTokens } from "./split-tokens.js";
import { isLongerThan } from "./text.js";

/** A section as a caller gives it: the shape of the wire message. */
export interface SectionDraft {
  selector?:
    | { $case: "tier"; value: number }
    | { $case: "role"; value: number }
    | { $case: "groupId"; value: string }
    | { $case: "metadata"; value: { key: string; value: string } }
    | undefined;
  floorTokens: number;
  capTokens: number;
  floorShare?: number | undefined;
  capShare?: number | undefined;
}

/** A valid section. */
export interface Section {
  /** What it selects, in words: `tier cold`, `role tool`, `group "call-7"`, `metadata "team" of "a"`. */
  readonly name: string;
  /** Tokens that are filled from it first, 0 or more. */
  readonly floorTokens: number;
  /** The most tokens that it may take; infinite where it has no cap. */
  readonly capTokens: number;
  /** The share of the available tokens that the cap is; nothing where it is a number of tokens. */
  readonly capShare: number | undefined;
  /** The least number of further available tokens at which it may take so many; infinite where its cap does not grow. */
  furtherFor(tokens: number): number;
  /** True for the fragments that belong to it. */
  holds(fragment: Fragment): boolean;
  /** As it was given. */
  readonly draft: SectionDraft;
}

export const MAX_SECTIONS = 64;

const TIERS = ["", "hot", "warm", "cold"];
const ROLES = ["", "system", "user", "assistant", "tool"];

/**
 * Checks the sections of a budget. Faults go to `faults`; the result then means nothing. Where the available tokens are not known, as the
 * budget itself is at fault, what depends on them is not checked.
 */
export function readSections(
  drafts: readonly SectionDraft[],
  availableTokens: number | undefined,
  faults: Faults,
): Section[] {
  if (drafts.length > MAX_SECTIONS) {
    faults.add("budget.sections", `has ${drafts.length} entries; at most ${MAX_SECTIONS} are allowed`);
    return [];
  }
  const before = faults.found.length;
  const places = new Map<string, number>();
  drafts.forEach((draft, i) => {
    const path = `budget.sections[${i}]`;
    checkSelector(draft, path, faults);
    checkAmounts(draft, path, faults);
    const selected = JSON.stringify(draft.selector) ?? `nothing at ${i}`;
    const other = places.get(selected);
    if (other === undefined) places.set(selected, i);
    else faults.add(path, `selects ${nameOf(draft)}, as budget.sections[${other}] does`);
  });
  if (faults.found.length > before || availableTokens === undefined) return [];
  const floors = floorsOf(drafts, availableTokens, faults);
  return drafts.map((draft, i) =>
    toSection(draft, `budget.sections[${i}]`, { floor: floors[i]!, availableTokens, faults }),
  );
}

function checkSelector({ selector }: SectionDraft, path: string, faults: Faults): void {
  if (selector === undefined) {
    faults.add(path, "selects nothing; one of tier, role, group_id and metadata is required");
  } else if (selector.$case === "tier" && TIERS[selector.value] === undefined) {
    faults.add(`${path}.tier`, `is ${selector.value}; allowed are hot (1), warm (2) and cold (3)`);
  } else if (selector.$case === "role" && ROLES[selector.value] === undefined) {
    faults.add(`${path}.role`, `is ${selector.value}; allowed are system (1), user (2), assistant (3) and tool (4)`);
  } else if (selector.$case === "tier" || selector.$case === "role") {
    if (selector.value === 0)
      faults.add(`${path}.${selector.$case}`, "is unspecified; a section names the one it is for");
  } else if (selector.$case === "groupId") {
    checkName(selector.value, `${path}.group_id`, faults);
  } else {
    checkName(selector.value.key, `${path}.metadata.key`, faults);
  }
}

function checkName(name: string, path: string, faults: Faults): void {
  if (name === "") faults.add(path, "is empty; a section names the one it is for");
  else if (isLongerThan(name, FRAGMENT_LIMITS.idCharacters))
    faults.add(path, `has more than ${FRAGMENT_LIMITS.idCharacters} characters, which are the most allowed`);
}

function checkAmounts(draft: SectionDraft, path: string, faults: Faults): void {
  const { floorTokens, capTokens, floorShare, capShare } = draft;
  for (const [field, tokens] of [
    ["floor_tokens", floorTokens],
    ["cap_tokens", capTokens],
  ] as const) {
    if (!(Number.isInteger(tokens) && tokens >= 0 && tokens <= FRAGMENT_LIMITS.maxTokens))
      faults.add(`${path}.${field}`, `is ${tokens}; allowed are whole numbers from 0`);
  }
  for (const [field, share, tokens] of [
    ["floor_share", floorShare, floorTokens],
    ["cap_share", capShare, capTokens],
  ] as const) {
    if (share === undefined) continue;
    if (!(share >= 0 && share <= 1)) faults.add(`${path}.${field}`, `is ${share}; allowed is 0.0 to 1.0`);
    if (tokens !== 0) faults.add(`${path}.${field}`, `is given beside ${tokens} tokens; allowed is one of the two`);
  }
}

/** The floors in tokens. Shares of one kind of selector are split together, so that they lose no token. */
function floorsOf(drafts: readonly SectionDraft[], availableTokens: number, faults: Faults): number[] {
  const floors = drafts.map(({ floorTokens }) => floorTokens);
  for (const [kind, members] of groupByKind(drafts)) {
    const sharing = members.filter((i) => drafts[i]!.floorShare !== undefined);
    const shares = sharing.map((i) => drafts[i]!.floorShare!);
    // Decimal fractions such as 0.1 and 0.2 add up to a little more than they should.
    const sum = Math.round(shares.reduce((a, b) => a + b, 0) * 1e12) / 1e12;
    if (sum > 1) {
      faults.add("budget.sections", `have floor shares of ${kind} that add up to ${sum}; at most 1 is allowed`);
      continue;
    }
    const split = splitTokens(availableTokens, [...shares, Math.max(0, 1 - sum)]);
    sharing.forEach((i, at) => {
      floors[i] = shares[at] === 0 ? 0 : split[at]!;
    });
    const total = members.reduce((tokens, i) => tokens + floors[i]!, 0);
    if (total > availableTokens)
      faults.add(
        "budget.sections",
        `have floors of ${kind} of ${total} tokens in all; ${availableTokens} are available`,
      );
  }
  return floors;
}

/** The places of the sections by what their selectors look at; no fragment belongs to two sections of one kind. */
function groupByKind(drafts: readonly SectionDraft[]): Map<string, number[]> {
  const kinds = new Map<string, number[]>();
  drafts.forEach(({ selector }, i) => {
    const kind =
      selector?.$case === "metadata"
        ? `metadata ${quote(selector.value.key)}`
        : { tier: "tiers", role: "roles", groupId: "groups" }[selector!.$case];
    kinds.set(kind, [...(kinds.get(kind) ?? []), i]);
  });
  return kinds;
}

function toSection(
  draft: SectionDraft,
  path: string,
  { floor, availableTokens, faults }: { floor: number; availableTokens: number; faults: Faults },
): Section {
  const { capTokens, capShare } = draft;
  // The small addition undoes the error of binary fractions.
  const share = capShare === undefined ? undefined : Math.floor(availableTokens * capShare + 1e-9);
  const cap = share ?? (capTokens === 0 ? Number.POSITIVE_INFINITY : capTokens);
  // A floor and a cap of one share are equal; only the floor's may have been rounded up.
  const isRoundedUp = draft.floorShare !== undefined && draft.floorShare === capShare;
  const floorTokens = isRoundedUp ? Math.min(floor, cap) : floor;
  if (floorTokens > cap) {
    faults.add(path, `has a floor of ${floorTokens} tokens, which is over its cap of ${cap}`);
  }
  return {
    name: nameOf(draft),
    floorTokens,
    capTokens: cap,
    capShare,
    furtherFor: (tokens) => {
      if (tokens <= cap) return 0;
      return capShare ? Math.ceil((tokens - 1e-9) / capShare) - availableTokens : Number.POSITIVE_INFINITY;
    },
    holds: selectorOf(draft),
    draft,
  };
}

function nameOf({ selector }: SectionDraft): string {
  switch (selector?.$case) {
    case "tier":
      return `tier ${TIERS[selector.value]}`;
    case "role":
      return `role ${ROLES[selector.value]}`;
    case "groupId":
      return `group ${quote(selector.value)}`;
    case "metadata":
      return `metadata ${quote(selector.value.key)} of ${quote(selector.value.value)}`;
    default:
      return "nothing";
  }
}

function selectorOf({ selector }: SectionDraft): (fragment: Fragment) => boolean {
  switch (selector?.$case) {
    case "tier":
      return ({ tier }) => tier === selector.value;
    case "role":
      return ({ role }) => role === selector.value;
    case "groupId":
      return ({ groupId }) => groupId === selector.value;
    case "metadata":
      return ({ metadata }) => metadata.get(selector.value.key) === selector.value.value;
    default:
      return () => false;
  }
}
