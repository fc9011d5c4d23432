/** A knapsack with caps: classes by the caps that their choices count for. */
import { type Classes, createClassBuilder, EMPTY, type TieOrder } from "../classes.js";
import type { Compiled } from "../compile.js";
import type { Network } from "../network.js";
import { type Caps, type Choices, NO_CAPS } from "./caps.js";
import type { NetworkTurn } from "./network-turns.js";

/** Classes of which every choice counts, with all its tokens, for the same caps. Among them a choice dominates as it does without caps. */
export interface Block {
  readonly caps: readonly number[];
  readonly classes: Classes;
  readonly order: TieOrder;
}

/** A class whose choices count for different caps, or in part. The first choice takes nothing, but for what costs nothing. */
export interface MixedClass {
  /** Where it stands in the order among equals. */
  readonly place: number;
  readonly tokens: Float64Array;
  readonly values: Float64Array;
  readonly ids: Int32Array;
  /** By choice and cap. */
  readonly demands: readonly Float64Array[];
}

export interface CappedProblem {
  readonly blocks: readonly Block[];
  readonly mixed: readonly MixedClass[];
  readonly networks: readonly Network[];
  /** Those laid out beside the limits; none where they are not, and then only classes are priced and searched. */
  readonly turns: readonly NetworkTurn[];
  readonly order: TieOrder;
  readonly capacity: number;
  /** By cap: what a set may take of it. */
  readonly rooms: Float64Array;
  /** What a choice takes of each cap. */
  demandOf(choiceId: number): Float64Array;
}

/** So many choices are sorted between two turns of others. */
const CHOICES_PER_SLICE = 1_500;

/**
 * Sorts noted choices into blocks and mixed classes, without those that alone break a cap or the capacity. Yields between parts of a few
 * milliseconds.
 */
export function* cappedProblem(
  { compiled, choices, caps }: { compiled: Compiled; choices: Choices; caps: Caps },
  capacity: number,
): Generator<void, CappedProblem> {
  const { order, networks } = compiled.problem;
  const { rooms } = caps;
  const { tokens, ids, ends } = choices;
  const demandOf = (id: number): Float64Array => caps.demandOf(compiled.fragmentsOf(id));
  const blocks = new Map<string, BlockBuilder>();
  const mixed: { readonly fitting: readonly number[]; readonly number: number }[] = [];
  const builders = new Map<readonly number[], BlockBuilder>();
  const blockFor = (list: readonly number[]): BlockBuilder => {
    let block = builders.get(list);
    if (block === undefined) {
      block = new BlockBuilder(list, order);
      builders.set(list, block);
      blocks.set(list.join(), block);
    }
    return block;
  };
  let start = 0;
  let next = CHOICES_PER_SLICE;
  for (const [number, end] of ends.entries()) {
    if (end >= next) {
      next = end + CHOICES_PER_SLICE;
      yield;
    }
    const fitting: number[] = [];
    let common: readonly number[] | undefined;
    let isMixed = false;
    for (let choice = start; choice < end; choice++) {
      const own = capsOfAll(compiled.fragmentsOf(ids[choice]!), caps);
      const broken =
        own.demands === undefined ? own.all.some((cap) => tokens[choice]! > rooms[cap]!) : isOver(own.demands, rooms);
      if (broken || tokens[choice]! > capacity) continue;
      fitting.push(choice);
      if (tokens[choice] === 0) continue;
      if (!own.isMixed) blockFor(own.all);
      isMixed ||= own.isMixed || (common !== undefined && common !== own.all);
      common = own.all;
    }
    start = end;
    if (fitting.length === 0) continue;
    if (isMixed) mixed.push({ fitting, number });
    else blockFor(common ?? NO_CAPS).add(fitting, choices, number);
  }
  yield;
  const keys = [...blocks.keys()].sort();
  const mixedClasses: MixedClass[] = [];
  let sorted = 0;
  next = CHOICES_PER_SLICE;
  for (const { fitting, number } of mixed) {
    sorted += fitting.length;
    if (sorted >= next) {
      next = sorted + CHOICES_PER_SLICE;
      yield;
    }
    const place = order.placeOf(number);
    mixedClasses.push(mixedClassOf(fitting, choices, { order, demandOf, place }));
  }
  mixedClasses.sort((a, b) => order.comparePlaces(a.place, b.place));
  return {
    blocks: keys.map((key) => blocks.get(key)!.build()),
    mixed: mixedClasses,
    networks,
    turns: [],
    order,
    capacity,
    rooms,
    demandOf,
  };
}

interface CapsOfAll {
  readonly all: readonly number[];
  /** What it takes of each cap; absent where that is all its tokens of all of them. */
  readonly demands: Float64Array | undefined;
  readonly isMixed: boolean;
}

/** The caps of a choice, what it takes of them, and whether it counts for some of them in part. */
function capsOfAll(fragments: readonly number[], caps: Caps): CapsOfAll {
  let all = NO_CAPS;
  for (let at = 0; at < fragments.length; at++) {
    const own = caps.capsOf(fragments[at]!);
    if (at > 0 && all !== own) {
      const touched = [...new Set(fragments.flatMap((member) => [...caps.capsOf(member)]))];
      return { all: touched, demands: caps.demandOf(fragments), isMixed: true };
    }
    all = own;
  }
  return { all, demands: undefined, isMixed: false };
}

function isOver(demand: Float64Array, rooms: Float64Array): boolean {
  return demand.some((taken, cap) => taken > rooms[cap]!);
}

class BlockBuilder {
  readonly #caps: readonly number[];
  readonly #order: TieOrder;
  readonly #numbers: number[] = [];
  readonly #builder;

  constructor(caps: readonly number[], order: TieOrder) {
    this.#caps = caps;
    this.#order = order;
    this.#builder = createClassBuilder(1_024, (id, than) => order.firstDifference(id, than).firstHolds);
  }

  add(fitting: readonly number[], { tokens, values, ids }: Choices, number: number): void {
    for (const choice of fitting) this.#builder.add(tokens[choice]!, values[choice]!, ids[choice]!);
    this.#builder.close();
    this.#numbers.push(number);
  }

  build(): Block {
    const order = this.#order;
    return {
      caps: this.#caps,
      classes: this.#builder.build(),
      order: { ...order, placeOf: (classNumber) => order.placeOf(this.#numbers[classNumber]!) },
    };
  }
}

function mixedClassOf(
  fitting: readonly number[],
  choices: Choices,
  { order, demandOf, place }: MixedAround,
): MixedClass {
  const rows: Row[] = [{ tokens: 0, value: 0, id: EMPTY, demand: demandOf(EMPTY) }];
  for (const choice of fitting) {
    const id = choices.ids[choice]!;
    rows.push({ tokens: choices.tokens[choice]!, value: choices.values[choice]!, id, demand: demandOf(id) });
  }
  // Of choices of equal tokens and value the earlier one may be the answer, whatever it takes of the caps.
  const isBetter = (a: Row, b: Row): boolean => {
    const isEqual = a.tokens === b.tokens && a.value === b.value;
    return dominates(a, b) && (!isEqual || order.firstDifference(a.id, b.id).firstHolds);
  };
  const strongest = strongestOf(rows, order);
  const kept = rows.filter((row) => !strongest.some((other) => other !== row && isBetter(other, row)));
  kept.sort(
    (a, b) => a.tokens - b.tokens || b.value - a.value || (order.firstDifference(a.id, b.id).firstHolds ? -1 : 1),
  );
  return {
    place,
    tokens: Float64Array.from(kept, (row) => row.tokens),
    values: Float64Array.from(kept, (row) => row.value),
    ids: Int32Array.from(kept, (row) => row.id),
    demands: kept.map((row) => row.demand),
  };
}

interface MixedAround {
  readonly order: TieOrder;
  readonly demandOf: CappedProblem["demandOf"];
  readonly place: number;
}

interface Row {
  readonly tokens: number;
  readonly value: number;
  readonly id: number;
  readonly demand: Float64Array;
}

/** So many choices of a class are compared with all others: of more, only the most valuable per token are. */
const MOST_COMPARED = 256;

function strongestOf(rows: readonly Row[], order: TieOrder): readonly Row[] {
  if (rows.length <= MOST_COMPARED) return rows;
  const density = ({ value, tokens }: Row): number => value / Math.max(1, tokens);
  const compare = (a: Row, b: Row): number =>
    density(b) - density(a) || a.tokens - b.tokens || (order.firstDifference(a.id, b.id).firstHolds ? -1 : 1);
  return rows.toSorted(compare).slice(0, MOST_COMPARED);
}

function dominates(a: Row, b: Row): boolean {
  return a.tokens <= b.tokens && a.value >= b.value && a.demand.every((taken, cap) => taken <= b.demand[cap]!);
}
