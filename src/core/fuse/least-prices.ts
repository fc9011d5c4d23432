/**
 * What a fragment costs at least with all that it requires: its group, and the dearest chain of what these require. It is less than the
 * price of the closure where requirements fork, but it is known for all fragments at once, in O(fragments + requirements), while to walk each
 * of ten thousand closures that share most of their members would take as many steps as all of them have.
 */
import type { Fragment } from "../model/fragment.js";
import type { Links } from "./links.js";

const known = new WeakMap<Links, ReadonlyMap<Fragment, number>>();

/** The least price of each fragment that is in a group or requires others; computed once for the links of a request. */
export function leastPrices(links: Links): ReadonlyMap<Fragment, number> {
  let prices = known.get(links);
  if (prices === undefined) {
    prices = computePrices(links);
    known.set(links, prices);
  }
  return prices;
}

/** A group, or a fragment without one. */
interface Unit {
  /** The least that its own members cost. */
  readonly price: number;
  /** Members that it cannot be without. */
  readonly sure: readonly Fragment[];
  /** Order of the first visit, from 1; 0: not visited. */
  visit: number;
  /** The earliest visit among the open units that can be reached from here. */
  low: number;
  isOpen: boolean;
  /** With all that it requires. */
  least: number;
}

/** A unit whose requirements are gone through. */
interface Frame {
  readonly unit: Unit;
  readonly required: readonly Unit[];
  next: number;
}

function computePrices(links: Links): Map<Fragment, number> {
  const unitOf = unitsOf(links);
  const requiredBy = ({ sure }: Unit): Unit[] => sure.flatMap((member) => links.requiredBy(member)).map(unitOf);
  let visits = 0;
  const open: Unit[] = [];
  const frames: Frame[] = [];
  const enter = (unit: Unit): void => {
    unit.visit = ++visits;
    unit.low = visits;
    unit.isOpen = true;
    open.push(unit);
    frames.push({ unit, required: requiredBy(unit), next: 0 });
  };
  // Tarjan's strongly connected components, whose requirements are closed before they are: a cycle enters as a whole.
  for (const fragment of links.tied) {
    if (unitOf(fragment).visit === 0) enter(unitOf(fragment));
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const required = frame.required[frame.next++];
      if (required === undefined) {
        frames.pop();
        close(frame.unit, open, requiredBy);
        const above = frames.at(-1)?.unit;
        if (above !== undefined) above.low = Math.min(above.low, frame.unit.low);
      } else if (required.visit === 0) enter(required);
      else if (required.isOpen) frame.unit.low = Math.min(frame.unit.low, required.visit);
    }
  }
  return new Map(links.tied.map((fragment) => [fragment, unitOf(fragment).least]));
}

/** Where a unit was the first of its cycle, prices all of it: its members, and the dearest of what they require. */
function close(unit: Unit, open: Unit[], requiredBy: (unit: Unit) => readonly Unit[]): void {
  if (unit.low !== unit.visit) return;
  const cycle = open.splice(open.lastIndexOf(unit));
  for (const one of cycle) one.isOpen = false;
  const own = cycle.reduce((sum, { price }) => sum + price, 0);
  const inside = new Set(cycle);
  let dearest = 0;
  for (const one of cycle) {
    for (const required of requiredBy(one)) if (!inside.has(required)) dearest = Math.max(dearest, required.least);
  }
  for (const one of cycle) one.least = own + dearest;
}

function unitsOf(links: Links): (fragment: Fragment) => Unit {
  const units = new Map<Fragment | string, Unit>();
  return (fragment) => {
    const isGrouped = fragment.groupId !== "";
    const key = isGrouped ? fragment.groupId : fragment;
    let unit = units.get(key);
    if (unit === undefined) {
      const parts = links.partsOf(fragment);
      const price = parts.reduce((sum, part) => sum + Math.min(...part.map(({ tokenCount }) => tokenCount)), 0);
      const sure = parts.flatMap((part) => (part.length === 1 ? part : []));
      unit = { price, sure, visit: 0, low: 0, isOpen: false, least: 0 };
      units.set(key, unit);
    }
    return unit;
  };
}
