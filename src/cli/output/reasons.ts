import { Reason } from "../../core/index.js";

/** A reason in words. */
interface ReasonWords {
  readonly name: string;
  /** The same as a sentence about one fragment. */
  readonly sentence: string;
  /** How the related fragment stands to it, before that one's name. */
  readonly relation: string;
}

const words: Readonly<Record<Reason, ReasonWords>> = {
  [Reason.CHOSEN]: { name: "chosen", sentence: "Its rank and the budget let it in.", relation: "with" },
  [Reason.PINNED]: { name: "pinned", sentence: "The caller pinned it.", relation: "with" },
  [Reason.REQUIRED]: { name: "required", sentence: "Another fragment needs it.", relation: "for" },
  [Reason.NOT_NOMINATED]: { name: "not nominated", sentence: "No strategy put it forward.", relation: "see" },
  [Reason.OUTSIDE_WINDOW]: { name: "outside the window", sentence: "It is older than the window.", relation: "see" },
  [Reason.OVER_BUDGET]: {
    name: "over budget",
    sentence: "What was left at its turn was not enough for it.",
    relation: "with",
  },
  [Reason.DUPLICATE]: { name: "duplicate", sentence: "Another one says the same.", relation: "same as" },
  [Reason.TOO_SIMILAR]: { name: "too similar", sentence: "Another one says nearly the same.", relation: "like" },
  [Reason.OTHER_VARIANT]: {
    name: "other variant",
    sentence: "Another depth of it stands for it.",
    relation: "instead",
  },
  [Reason.BELOW_MINIMUM_TOKENS]: {
    name: "too small",
    sentence: "It has fewer tokens than the packer's minimum.",
    relation: "see",
  },
  [Reason.BELOW_MINIMUM_VALUE]: {
    name: "worth too little",
    sentence: "Its relevance, or its value per token, is below the minimum.",
    relation: "see",
  },
  [Reason.PARTNER_MISSING]: {
    name: "partner missing",
    sentence: "A member of its group is out of reach.",
    relation: "without",
  },
  [Reason.REQUIREMENT_MISSING]: {
    name: "requirement missing",
    sentence: "What it requires is out of reach of any budget.",
    relation: "without",
  },
  [Reason.SECTION_CAP]: { name: "section full", sentence: "Its section has reached its cap.", relation: "see" },
  [Reason.REJECTED_BY_COMPONENT]: {
    name: "rejected",
    sentence: "A component that the caller chose left it out.",
    relation: "see",
  },
};

/** A reason's number in words. A newer server may have reasons that this program does not know. */
export function reasonWords(reason: number): ReasonWords {
  return words[reason as Reason] ?? { name: `reason ${reason}`, sentence: "", relation: "see" };
}
