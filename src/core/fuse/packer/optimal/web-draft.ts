import type { Slices } from "../../../run-in-slices.js";
import { goTogether } from "./web.js";
import type { PricedWeb } from "./web-prices.js";

/** Turns that all rounds of a shrinking may look at; past them nothing stays, which fits. */
const MOST_SHRINK_LOOKS = 200_000;

/** A set of a web that is being made. */
export class Draft {
  readonly options: Int32Array;
  tokens = 0;
  /** The own value of what is taken. */
  value = 0;
  /** Ties that were looked at so far. */
  steps = 0;
  readonly #web: PricedWeb;
  readonly #mostTokens: number;

  constructor(web: PricedWeb, options: Int32Array, mostTokens: number) {
    this.#web = web;
    this.#mostTokens = mostTokens;
    this.options = new Int32Array(options.length);
    options.forEach((option, turn) => {
      this.#set(turn, option);
    });
  }

  #set(turn: number, option: number): void {
    const before = this.options[turn]!;
    const { tokens } = this.#web.turns[turn]!;
    const own = this.#web.ownValues[turn]!;
    this.tokens += tokens[option]! - tokens[before]!;
    this.value += own[option]! - own[before]!;
    this.options[turn] = option;
  }

  /** True where an option goes together with what all others took; with `isOpen`, what is not taken yet may be asked for. */
  #isAllowed(turn: number, option: number, isOpen: boolean): boolean {
    const { ahead, behind } = this.#web.web;
    this.steps += ahead[turn]!.length + behind[turn]!.length;
    for (const tie of ahead[turn]!) {
      const other = this.options[tie.second]!;
      if (!(isOpen && other === 0) && !goTogether(tie, option, other)) return false;
    }
    for (const tie of behind[turn]!) {
      const other = this.options[tie.first]!;
      if (!(isOpen && other === 0) && !goTogether(tie, other, option)) return false;
    }
    return true;
  }

  /** Takes out what lacks something, until nothing does. Nothing lacks anything where nothing is taken. */
  dropLacking(): void {
    const { ties, ahead, behind } = this.#web.web;
    const waiting = new Set(ties);
    for (const tie of waiting) {
      waiting.delete(tie);
      if (goTogether(tie, this.options[tie.first]!, this.options[tie.second]!)) continue;
      // The one that lacks the other could not stand beside nothing either.
      const dropped = goTogether(tie, this.options[tie.first]!, 0) ? tie.second : tie.first;
      this.#set(dropped, 0);
      for (const other of ahead[dropped]!) waiting.add(other);
      for (const other of behind[dropped]!) waiting.add(other);
    }
  }

  /** Takes out what nothing that stays needs, the least value per token first, until the rest fits. */
  *shrink(): Slices<void> {
    const { turns, ownValues } = this.#web;
    const density = (turn: number): number =>
      ownValues[turn]![this.options[turn]!]! / Math.max(1, turns[turn]!.tokens[this.options[turn]!]!);
    let looks = 0;
    while (this.tokens > this.#mostTokens) {
      yield;
      const taken = Array.from(this.options.keys()).filter((turn) => this.options[turn] !== 0);
      looks += taken.length;
      if (looks > MOST_SHRINK_LOOKS) {
        for (const turn of taken) this.#set(turn, 0);
        return;
      }
      taken.sort((a, b) => density(a) - density(b) || b - a);
      let isShrunk = false;
      for (const turn of taken) {
        if (this.tokens <= this.#mostTokens) break;
        if (!this.#isAllowed(turn, 0, false)) continue;
        this.#set(turn, 0);
        isShrunk = true;
      }
      // A cycle of needs is taken out whole.
      if (!isShrunk) {
        this.#set(taken[0]!, 0);
        this.dropLacking();
      }
    }
  }

  /**
   * Takes the best option of a turn that is not taken, with all that it needs, where that fits and is worth a price per token; what then
   * may enter without more, and is worth the price itself, counts too and is taken with it.
   */
  tryTurn(turn: number, price: number): boolean {
    const { tokens, value } = this;
    const changed: number[] = [];
    const isTaken = this.#take(turn, changed);
    if (isTaken) this.#takeRiders(changed, price);
    if (isTaken && this.value - value > price * (this.tokens - tokens)) return true;
    for (const other of changed) this.#set(other, 0);
    return false;
  }

  #take(turn: number, changed: number[]): boolean {
    const { ahead, behind } = this.#web.web;
    const waiting = [turn];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (this.options[next] === 0) {
        const option = this.#bestBeside(next, 0, true);
        if (option === 0) return false;
        this.#set(next, option);
        changed.push(next);
        if (this.tokens > this.#mostTokens) return false;
      }
      for (const tie of ahead[next]!) {
        if (goTogether(tie, this.options[next]!, this.options[tie.second]!)) continue;
        if (this.options[tie.second] !== 0) return false;
        waiting.push(tie.second);
      }
      for (const tie of behind[next]!) {
        if (goTogether(tie, this.options[tie.first]!, this.options[next]!)) continue;
        if (this.options[tie.first] !== 0) return false;
        waiting.push(tie.first);
      }
    }
    return true;
  }

  #takeRiders(changed: number[], price: number): void {
    const { ahead, behind } = this.#web.web;
    const { turns, ownValues } = this.#web;
    const near = new Set<number>();
    for (const turn of changed) {
      for (const tie of ahead[turn]!) near.add(tie.second);
      for (const tie of behind[turn]!) near.add(tie.first);
    }
    const riders: { readonly turn: number; readonly option: number; readonly density: number }[] = [];
    for (const turn of near) {
      if (this.options[turn] !== 0) continue;
      const option = this.#bestBeside(turn, price, false);
      if (option === 0) continue;
      riders.push({ turn, option, density: ownValues[turn]![option]! / Math.max(1, turns[turn]!.tokens[option]!) });
    }
    riders.sort((a, b) => b.density - a.density || a.turn - b.turn);
    for (const { turn, option } of riders) {
      const isTooMuch = this.tokens + turns[turn]!.tokens[option]! > this.#mostTokens;
      if (isTooMuch || !this.#isAllowed(turn, option, false)) continue;
      this.#set(turn, option);
      changed.push(turn);
    }
  }

  /** The option of a turn that is worth most beyond a price beside what is taken; 0 where none is worth it. */
  #bestBeside(turn: number, price: number, isOpen: boolean): number {
    const { tokens, moves } = this.#web.turns[turn]!;
    const own = this.#web.ownValues[turn]!;
    let best = 0;
    let most = isOpen ? Number.NEGATIVE_INFINITY : 0;
    for (let option = 1; option < own.length; option++) {
      const worth = own[option]! - price * tokens[option]!;
      if (moves[option]! < 0 || worth <= most || !this.#isAllowed(turn, option, isOpen)) continue;
      most = worth;
      best = option;
    }
    return best;
  }
}
