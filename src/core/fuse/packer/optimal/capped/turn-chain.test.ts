/** Turns of networks at prices, against every way through them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createDraw } from "../random-pools.fixture.js";
import { type ChainTurn, TurnChain } from "./turn-chain.js";

const LIMITS = 3;

/** Two networks of a few turns, whose moves are drawn; option 0 is possible everywhere. */
function drawnTurns(seed: number): ChainTurn[] {
  const draw = createDraw(seed);
  const turns: ChainTurn[] = [];
  for (let network = 0; network < 2; network++) {
    const count = 2 + draw.below(3);
    for (let at = 0, before = 1; at < count; at++) {
      const after = at === count - 1 ? 1 : 1 + draw.below(3);
      const options = 2 + draw.below(2);
      const moves = Int32Array.from({ length: before * options }, (_, move) =>
        move % options > 0 && draw.next() < 0.4 ? -1 : draw.below(after),
      );
      turns.push({
        values: Float64Array.from({ length: options }, () => draw.below(100)),
        amounts: Float64Array.from({ length: options * LIMITS }, () => draw.below(20)),
        turn: { before, after, moves },
      });
      before = after;
    }
  }
  return turns;
}

/** The most that is gained on any way from a situation of a turn to the end. */
function mostFrom(turns: readonly ChainTurn[], prices: Float64Array, at: number, situation: number): number {
  if (at === turns.length) return 0;
  const { values, amounts, turn } = turns[at]!;
  let most = Number.NEGATIVE_INFINITY;
  values.forEach((value, option) => {
    const next = turn.moves[situation * values.length + option]!;
    if (next < 0) return;
    const charge = prices.reduce((sum, price, limit) => sum + price * amounts[option * LIMITS + limit]!, 0);
    most = Math.max(most, value - charge + mostFrom(turns, prices, at + 1, next));
  });
  return most;
}

test("what is best from every situation on is what the best of all ways gains, and the options of the best set gain it", () => {
  for (let seed = 0; seed < 300; seed++) {
    const turns = drawnTurns(seed);
    const draw = createDraw(seed + 1_000);
    const prices = Float64Array.from({ length: LIMITS }, () => draw.below(4));
    const chain = new TurnChain(turns);
    const rests = chain.restsAt(prices);
    turns.forEach(({ turn: { before } }, at) => {
      for (let situation = 0; situation < before; situation++) {
        const where = `seed ${seed}, turn ${at}, situation ${situation}`;
        const most = mostFrom(turns, prices, at, situation);
        assert.equal(rests[chain.firsts[at]! + situation], most, where);
        assert.equal(chain.restsAt(prices, at)[chain.firsts[at]! + situation], most, where);
        let gained = 0;
        let now = situation;
        chain.bestFrom({ turn: at, situation }, prices, rests).forEach((option, i) => {
          gained += chain.gainsOf(at + i, prices)[option]!;
          const { turn, values } = turns[at + i]!;
          now = turn.moves[now * values.length + option]!;
        });
        assert.equal(gained, most, where);
        assert.equal(now, 0, where);
      }
    });
  }
});
