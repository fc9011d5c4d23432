import type { Network } from "../network.js";
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

/** True where a set lacks nothing after one of its turns changed. */
export function isWhole({ turns, web }: Network, options: Int32Array, changed: number): boolean {
  if (web !== undefined) return agreesAt(web, options, changed);
  let situation = 0;
  for (let turn = 0; turn < turns.length; turn++) {
    situation = turns[turn]!.moves[situation * turns[turn]!.tokens.length + options[turn]!]!;
    if (situation < 0) return false;
  }
  return true;
}

function agreesAt({ ahead, behind }: Web, options: Int32Array, turn: number): boolean {
  return (
    ahead[turn]!.every((tie) => goTogether(tie, options[turn]!, options[tie.second]!)) &&
    behind[turn]!.every((tie) => goTogether(tie, options[tie.first]!, options[turn]!))
  );
}
