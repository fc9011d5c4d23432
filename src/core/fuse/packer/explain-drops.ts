import type { Fragment } from "../../model/fragment.js";
import { Reason } from "../../model/payload.js";
import type { Slices } from "../../run-in-slices.js";
import { Slice } from "../../slice.js";
import { cheapestClosure, wantedAtTurn, wantedByName } from "../closure.js";
import type { Surroundings } from "../closure-walk.js";
import type { PackingInput } from "../packing.js";
import { hasOneOfEach } from "../variants.js";
import { DropReasons } from "./drop-reasons.js";
import type { Ledger } from "./fill.js";

/**
 * Why fragments that no larger budget would let in are out: each takes its reason at a plentiful budget. What the plentiful budget lets in
 * is not among them, and was over budget. That filling is begun only where something depends on it. `below` says what thresholds keep from
 * entering for its own sake, and why.
 */
export function* explainDrops(
  input: PackingInput,
  ledger: Ledger,
  withPlenty: Slices<Ledger>,
  below: ReadonlyMap<Fragment, Reason> = NOTHING_BELOW,
): Slices<ReadonlyMap<Fragment, Reason>> {
  const isSimple = !input.links.any && input.variants.members.length === 0 && input.alternatives === undefined;
  if (isSimple && input.sections === undefined) return below;
  const reasons = new DropReasons(input.fragments);
  const plenty = yield* withPlenty;
  const slice = new Slice(plenty.steps);
  for (const { positions } of input.nominations) {
    for (let rank = 0; rank < positions.length; ) {
      rank = explainSlice(rank, positions, { input, ledger, plenty, below, reasons, slice });
      if (rank < positions.length) yield;
    }
  }
  return reasons;
}

interface Drops {
  readonly input: PackingInput;
  readonly ledger: Ledger;
  readonly plenty: Ledger;
  readonly below: ReadonlyMap<Fragment, Reason>;
  readonly reasons: DropReasons;
  readonly slice: Slice;
}

/** Goes on from a rank until the slice is over, in a function of its own, which is faster; answers where to go on. */
function explainSlice(from: number, positions: Uint32Array, drops: Drops): number {
  const { input, ledger, plenty, below, reasons, slice } = drops;
  const { fragments, alternatives, variants } = input;
  for (let rank = from; rank < positions.length; rank++) {
    const i = positions[rank]!;
    if (ledger.chosenBy[i] === 0 && plenty.chosenBy[i] === 0) {
      const isOther = alternatives?.[i] === 1 || plenty.holders.has(variants.keys[i]!);
      const known = below.size === 0 ? undefined : below.get(fragments[i]!);
      const reason = known ?? (isOther ? Reason.OTHER_VARIANT : reasonAtPlenty(fragments[i]!, input, plenty));
      reasons.setAt(i, reason);
    }
    if (slice.isOver()) return rank + 1;
  }
  return positions.length;
}

const NOTHING_BELOW: ReadonlyMap<Fragment, Reason> = new Map();

/** The same for what no other variant of its key is in for. */
function reasonAtPlenty(fragment: Fragment, input: PackingInput, plenty: Ledger): Reason {
  const { links, variants, out } = input;
  const i = fragment.inputIndex;
  const heldBy = (one: Fragment): Fragment | undefined => plenty.holders.get(variants.keys[one.inputIndex]!);
  const isOut = (one: Fragment): boolean => {
    const holder = heldBy(one);
    return out[one.inputIndex] === 1 || (holder !== undefined && holder !== one);
  };
  const around: Surroundings = { links, isPresent: () => false, isOut, steps: plenty.steps };
  if (out[i] === 0 && isKeptOutByCap(fragment, input, plenty, around)) return Reason.SECTION_CAP;
  const isReachable = (...wanted: readonly Fragment[]): boolean =>
    cheapestClosure(wantedByName(...wanted), around) !== undefined;
  // What it needs itself comes first; what only a partner needs is the partner's absence.
  const parts = links.partsOf(fragment);
  const needsLost = links.requiredBy(fragment).some((required) => !isReachable(required));
  const isInGroup = parts.length > 1 || parts[0]!.length > 1;
  if (!isInGroup || needsLost) return Reason.REQUIREMENT_MISSING;
  return Reason.PARTNER_MISSING;
}

/** True where a fragment could enter beside all that is in with plenty, were it not for a cap: its own, or one that ended its window. */
function isKeptOutByCap(fragment: Fragment, input: PackingInput, plenty: Ledger, around: Surroundings): boolean {
  if (plenty.input.sections?.caps.some(Number.isFinite) !== true) return false;
  // What is out, or whose key is held, was sorted out before; and nothing else is needed where nothing is linked.
  if (!input.links.any) return true;
  const isPresent = ({ inputIndex }: Fragment): boolean => plenty.chosenBy[inputIndex] !== 0;
  const unit = cheapestClosure(wantedAtTurn(fragment, input.links), { ...around, isPresent });
  return unit !== undefined && hasOneOfEach(unit, input.variants);
}
