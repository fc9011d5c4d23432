import type { Fragment } from "../model/fragment.js";
import type { PlacedNomination } from "../model/nomination.js";
import type { PackingReport, Reason } from "../model/payload.js";
import type { Slices } from "../run-in-slices.js";
import type { Links } from "./links.js";
import type { LeastValue } from "./packer/least-value.js";
import type { Sections } from "./sections.js";
import type { Variants } from "./variants.js";

/** What a packer spends and what it may spend it on. */
export interface PackingInput {
  /** Each strategy's wishes and share, in turn; only fragments that are still in the running. */
  readonly nominations: readonly PlacedNomination[];
  /** Every fragment of the request, in input order. */
  readonly fragments: readonly Fragment[];
  /** What is in the payload already and paid for: the pins with all that they bring. */
  readonly committed: ReadonlySet<Fragment>;
  /** Score of each fragment, 0 to 1, by input position; -1: not nominated. */
  readonly scores: Float64Array;
  /** The score of a fragment of relevance 0 with nothing else given; what is above it is a fragment's worth. */
  readonly baseline: number;
  /** Price of each fragment, by input position. */
  readonly tokenCounts: Float64Array;
  readonly links: Links;
  /** Alternatives among the fragments in the running; none where the pipeline keeps every variant. */
  readonly variants: Variants;
  /** By input position: 1 where a fragment is out of the running, and so whatever needs it. */
  readonly out: Uint8Array;
  /** By input position: 1 where another fragment stands for this one's key. Absent: no depth resolver ran. */
  readonly alternatives: Uint8Array | undefined;
  /** Floors and caps of parts of the budget. Absent: there are none. */
  readonly sections: Sections | undefined;
  /** What there is to spend, beyond what is committed. */
  readonly tokens: number;
  /** The shares that the nominations would have of other tokens, with the same commitments. Absent: that is not known. */
  readonly sharesAt?: ((tokens: number) => readonly number[]) | undefined;
  /** The sections that there would be with other tokens to spend, with the same commitments. Absent: that is not known. */
  readonly sectionsAt?: ((tokens: number) => Sections) | undefined;
}

/** The same to pack with other tokens to spend. */
export function withOtherTokens(input: PackingInput, tokens: number): PackingInput {
  return { ...input, tokens, sections: input.sectionsAt?.(tokens) ?? input.sections };
}

/** What a packer answers. */
export interface Packing {
  /**
   * By input position: 0 where the fragment is not selected, else the number of the nomination whose choice it was, from 1. What is
   * committed has the number of the first nomination that holds it, or `NOT_NOMINATED`.
   */
  readonly chosenBy: Uint8Array;
  /** Fragments that entered with another's unit before their own turn, and whose it was. */
  readonly required: ReadonlyMap<Fragment, Fragment>;
  /** Nominated fragments that no budget would let in, with the reason. Other nominated ones that are not selected were over budget. */
  readonly unreachable: ReadonlyMap<Fragment, Reason>;
  /** True: a limit of steps kept the packer from trying everything; the payload says so. */
  readonly isCut?: boolean;
  /** What the limit kept it from, for a person. Absent: from following all requirements. */
  readonly cutMessage?: string;
  /** True: the time for the search was over before the search was; the payload says so. */
  readonly isLate?: boolean;
  /** How good the packing is. Absent: it is measured against the bound of the relaxation. */
  readonly report?: PackingReport;
  /** What value the packing is to be measured by, where it has no report. Absent: the scores, with the request's exponent. */
  readonly objective?: LeastValue;
  /** Says for fragments that were over budget how many more tokens each would have needed, in slices; called only where it is wanted. */
  readonly shortfalls?: () => Slices<Shortfalls>;
}

/** How many more tokens fragments would have needed, beyond the tokens that the packer had. */
export interface Shortfalls {
  /** By input position; -1: no budget would let it in, or it is not over budget. */
  readonly tokens: Float64Array;
  /** Input positions whose number is an estimate. */
  readonly estimates: ReadonlySet<number>;
}

/** The number of a committed fragment that no strategy nominated. */
export const NOT_NOMINATED = 255;

/** The most nominations that the numbers hold. */
export const MAX_NOMINATIONS = 254;
