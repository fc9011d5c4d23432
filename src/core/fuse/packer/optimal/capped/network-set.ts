import type { Network, Turn } from "../network.js";
import { goTogether, type Web } from "../web.js";
import type { CappedProblem } from "./problem.js";

/** A set of a network: an option by turn, and what it takes and is worth. */
export interface NetworkSet {
  readonly options: Int32Array;
  tokens: number;
  value: number;
  readonly caps: Float64Array;
}

/** What a set of a network takes and is worth. */
export function networkSet({ turns }: Network, options: Int32Array, problem: CappedProblem): NetworkSet {
  const set: NetworkSet = { options, tokens: 0, value: 0, caps: new Float64Array(problem.rooms.length) };
  turns.forEach(({ tokens, values, ids }, turn) => {
    const option = options[turn]!;
    if (option === 0) return;
    set.tokens += tokens[option]!;
    set.value += values[option]!;
    problem.demandOf(ids[option]!).forEach((taken, cap) => {
      set.caps[cap]! += taken;
    });
  });
  return set;
}

/** What becomes of a set that lacks nothing where one of its turns takes another option. */
export class SetSteps {
  /** How many turns were looked at. */
  looks = 0;
  readonly #network: Network;
  readonly #set: NetworkSet;
  readonly #problem: CappedProblem;
  /** Of a network of situations, the one before each turn. */
  readonly #situations: Int32Array;

  constructor(network: Network, set: NetworkSet, problem: CappedProblem) {
    this.#network = network;
    this.#set = set;
    this.#problem = problem;
    this.#situations = situationsOf(network, set.options);
  }

  /** True where the set is within the limits afterwards. */
  isWithin(turn: number, option: number): boolean {
    const { tokens, ids } = this.#network.turns[turn]!;
    const { capacity, rooms, demandOf } = this.#problem;
    const own = this.#set.options[turn]!;
    if (this.#set.tokens + tokens[option]! - tokens[own]! > capacity) return false;
    const more = option === 0 ? undefined : demandOf(ids[option]!);
    const less = own === 0 ? undefined : demandOf(ids[own]!);
    return this.#set.caps.every((taken, cap) => taken + (more?.[cap] ?? 0) - (less?.[cap] ?? 0) <= rooms[cap]!);
  }

  /** True where the set lacks nothing afterwards. */
  isWhole(turn: number, option: number): boolean {
    const { turns, web } = this.#network;
    if (web !== undefined) return this.#agrees(web, turn, option);
    let situation = situationAfter(turns[turn]!, this.#situations[turn]!, option);
    for (let at = turn + 1; at < turns.length && situation >= 0; at++) {
      // From where the situation is what it was, all is as it was.
      if (situation === this.#situations[at]) return true;
      this.looks++;
      situation = situationAfter(turns[at]!, situation, this.#set.options[at]!);
    }
    return situation >= 0;
  }

  #agrees({ ahead, behind }: Web, turn: number, option: number): boolean {
    const { options } = this.#set;
    this.looks += ahead[turn]!.length + behind[turn]!.length;
    return (
      ahead[turn]!.every((tie) => goTogether(tie, option, options[tie.second]!)) &&
      behind[turn]!.every((tie) => goTogether(tie, options[tie.first]!, option))
    );
  }
}

function situationsOf({ turns, web }: Network, options: Int32Array): Int32Array {
  const situations = new Int32Array(turns.length);
  if (web !== undefined) return situations;
  for (let at = 1; at < turns.length; at++) {
    situations[at] = situationAfter(turns[at - 1]!, situations[at - 1]!, options[at - 1]!);
  }
  return situations;
}

/** The situation after a turn; -1: impossible. */
function situationAfter({ moves, tokens }: Turn, before: number, option: number): number {
  return before < 0 ? -1 : moves[before * tokens.length + option]!;
}
