/** The turns of the networks of a problem, beside its limits. */
import type { CappedProblem } from "./problem.js";
import type { ChainTurn } from "./turn-chain.js";

export interface NetworkTurn extends ChainTurn {
  readonly ids: Int32Array;
  /** The number of its network. */
  readonly network: number;
}

/** So many moves are laid out between two turns of others. */
const MOVES_PER_SLICE = 20_000;

/** How many moves the turns of networks have together. */
export function movesOf({ networks }: CappedProblem): number {
  let sum = 0;
  for (const { turns } of networks) for (const { moves } of turns) sum += moves.length;
  return sum;
}

/** The same problem with its networks laid out as turns; none of them may be a web. Yields between parts of a few milliseconds. */
export function* withTurns(problem: CappedProblem): Generator<void, CappedProblem> {
  const { networks, rooms, capacity, demandOf } = problem;
  const limits = Float64Array.of(capacity, ...rooms);
  const width = limits.length;
  const laid: NetworkTurn[] = [];
  let moved = 0;
  for (const [network, { turns }] of networks.entries()) {
    for (const { tokens, values, ids, before, after, moves } of turns) {
      const amounts = new Float64Array(ids.length * width);
      ids.forEach((id, option) => {
        amounts[option * width] = tokens[option]!;
        amounts.set(demandOf(id), option * width + 1);
      });
      const isOver = ids.map((_, option) => limits.some((limit, at) => amounts[option * width + at]! > limit));
      laid.push({
        network,
        ids: Int32Array.from(ids),
        values: Float64Array.from(values),
        amounts,
        turn: { before, after, moves: Int32Array.from(moves, (to, move) => (isOver[move % ids.length] ? -1 : to)) },
      });
      moved += moves.length;
      if (moved < MOVES_PER_SLICE) continue;
      moved = 0;
      yield;
    }
  }
  return { ...problem, turns: laid };
}
