/**
 * Networks beside caps. What a network takes of each cap follows from its set, and its sets are too many to be listed with that; so those
 * that are the best at some prices, and what is a step away from them, become the choices of a class.
 */
import type { Slices } from "../../../../run-in-slices.js";
import { Slice } from "../../../../slice.js";
import { EMPTY, type TieOrder } from "../classes.js";
import type { Network } from "../network.js";
import { type NetworkSet, networkSet, SetSteps } from "./network-set.js";
import type { CappedProblem, MixedClass } from "./problem.js";

/** The most sets of a network that are choices, and of all networks, beside nothing and a few for each. */
const MOST_SETS = 400;
const MOST_IN_ALL = 20_000;
const FEW_SETS = 8;

/** Turns that are looked at for what is a step from one set. */
const MOST_LOOKS = 1_000_000;

/** A set that is added is written, added up and kept. */
const STEPS_PER_TURN = 4;

/** A problem in which networks are classes, and what their choices stand for. */
export interface WithoutNetworks {
  readonly problem: CappedProblem;
  /** By network: the options of the set that a choice, given by its id, stands for; nothing where the id is none of a network. */
  optionsOf(id: number): { readonly network: number; readonly options: Int32Array } | undefined;
}

/** The sets of all networks of a problem that are known, each with nothing first. */
export class NetworkSets {
  readonly #problem: CappedProblem;
  readonly #sets: Map<string, NetworkSet>[];
  readonly #most: number;

  constructor(problem: CappedProblem) {
    this.#problem = problem;
    this.#sets = problem.networks.map(() => new Map());
    this.#most = Math.max(FEW_SETS, Math.min(MOST_SETS, Math.floor(MOST_IN_ALL / problem.networks.length)));
    problem.networks.forEach(({ turns }, number) => {
      this.add(number, new Int32Array(turns.length));
    });
  }

  /** Adds a set, where it is within the limits by itself and there are not too many. */
  add(number: number, options: Int32Array): void {
    const sets = this.#sets[number]!;
    const key = options.join();
    if (sets.size >= this.#most || sets.has(key)) return;
    const { capacity, rooms, networks } = this.#problem;
    const set = networkSet(networks[number]!, options, this.#problem);
    if (set.tokens <= capacity && set.caps.every((taken, cap) => taken <= rooms[cap]!)) sets.set(key, set);
  }

  /** Adds what one other option of one turn makes of a set that lacks nothing, as long as there are not too many; yields now and then. */
  *addNeighbours(number: number, options: Int32Array): Slices<void> {
    const network = this.#problem.networks[number]!;
    const sets = this.#sets[number]!;
    const set = networkSet(network, options, this.#problem);
    const steps = new SetSteps(network, set, this.#problem);
    const slice = new Slice();
    for (const [turn, { ids }] of network.turns.entries()) {
      for (let option = 0; option < ids.length; option++) {
        const before = steps.looks;
        const isNear = option !== options[turn] && steps.isWithin(turn, option) && steps.isWhole(turn, option);
        if (isNear) this.add(number, options.with(turn, option));
        if (sets.size >= this.#most || steps.looks > MOST_LOOKS) return;
        if (slice.isOver(1 + steps.looks - before + (isNear ? STEPS_PER_TURN * options.length : 0))) yield;
      }
    }
  }

  /** The problem in which each network is a class of its known sets. */
  asClasses(): WithoutNetworks {
    const { networks, mixed, order } = this.#problem;
    const first = 1 + networks.reduce((most, { turns }) => Math.max(most, greatestId(turns)), 0);
    const known: { network: number; options: Int32Array }[] = [];
    const classes = networks.map((_, network): MixedClass => {
      const sets = [...this.#sets[network]!.values()].sort((a, b) => a.tokens - b.tokens || b.value - a.value);
      const start = first + known.length;
      for (const { options } of sets) known.push({ network, options });
      return {
        place: earliestOf(networks[network]!, order),
        tokens: Float64Array.from(sets, ({ tokens }) => tokens),
        values: Float64Array.from(sets, ({ value }) => value),
        ids: Int32Array.from(sets, (_set, i) => start + i),
        demands: sets.map(({ caps }) => caps),
      };
    });
    const isKnown = (id: number): boolean => id >= first;
    return {
      problem: {
        ...this.#problem,
        networks: [],
        mixed: [...mixed, ...classes],
        order: {
          ...order,
          // Which of equal sets of networks comes first is not sought.
          firstDifference: (a, b) =>
            isKnown(a) || isKnown(b) ? { place: -1, firstHolds: a < b } : order.firstDifference(a, b),
        },
      },
      optionsOf: (id) => (isKnown(id) ? known[id - first] : undefined),
    };
  }
}

function greatestId(turns: Network["turns"]): number {
  return turns.reduce((most, { ids }) => Math.max(most, ...ids), 0);
}

/** The place of the earliest thing that a network has to choose from. */
function earliestOf({ turns }: Network, order: TieOrder): number {
  let earliest = -1;
  for (const { ids } of turns) {
    for (const id of ids) {
      const { place } = order.firstDifference(id, EMPTY);
      if (place >= 0 && (earliest < 0 || order.comparePlaces(place, earliest) < 0)) earliest = place;
    }
  }
  return earliest;
}
