/** Networks in flat rows, so that they can be priced again and again without making anything new. */
import type { Network } from "./network.js";

/** Tokens and value of a set. */
export interface Sums {
  readonly tokens: number;
  readonly value: number;
}

/** A network at a price. */
export interface NetworkAtPrice extends Sums {
  /** By turn: the option of the set that is worth most beyond its price, of equals the one with the fewest tokens. */
  readonly options: Int32Array;
  /** The most that any set is worth beyond its price. */
  readonly peak: number;
  /** The most that the turns from one on are worth beyond their price, in a situation before it; one past the last turn it is 0. */
  rest(turn: number, situation: number): number;
}

/**
 * The turns of all networks in one row; options, moves and situations of each stand together in rows of their own. After the situations of
 * the last turn of a network stands one more, in which it ends.
 */
export class NetworkRows {
  readonly #networks: readonly Network[];
  /** By network, and one past the last: its first turn. */
  readonly #firstTurns: Int32Array;
  /** By turn: how many options it has, its first option, its first move, its first situation and how many of these there are. */
  readonly #widths: Int32Array;
  readonly #firstOptions: Int32Array;
  readonly #firstMoves: Int32Array;
  readonly #firstSituations: Int32Array;
  readonly #befores: Int32Array;
  /** By option. */
  readonly #tokens: Float64Array;
  readonly #values: Float64Array;
  /** By move: the situation after it in the row of all; -1: impossible, or more tokens than the capacity. */
  readonly #moves: Int32Array;
  /** By situation, at the price: the most that is still to come beyond its price, its tokens, its value, and the option that begins it. */
  readonly #rests: Float64Array;
  readonly #restTokens: Float64Array;
  readonly #restValues: Float64Array;
  readonly #chosen: Int32Array;

  /** Lays networks out. Options of more tokens than the capacity are not taken. */
  constructor(networks: readonly Network[], capacity: number) {
    this.#networks = networks;
    let turns = 0;
    let options = 0;
    let moves = 0;
    let situations = 0;
    for (const network of networks) {
      for (const { tokens, before } of network.turns) {
        options += tokens.length;
        moves += tokens.length * before;
        situations += before;
      }
      turns += network.turns.length;
    }
    situations += networks.length;
    this.#firstTurns = new Int32Array(networks.length + 1);
    this.#widths = new Int32Array(turns);
    this.#firstOptions = new Int32Array(turns);
    this.#firstMoves = new Int32Array(turns);
    this.#firstSituations = new Int32Array(turns);
    this.#befores = new Int32Array(turns);
    this.#tokens = new Float64Array(options);
    this.#values = new Float64Array(options);
    this.#moves = new Int32Array(moves);
    this.#rests = new Float64Array(situations);
    this.#restTokens = new Float64Array(situations);
    this.#restValues = new Float64Array(situations);
    this.#chosen = new Int32Array(situations);
    this.#layOut(capacity);
  }

  #layOut(capacity: number): void {
    let row = 0;
    let option = 0;
    let move = 0;
    let situation = 0;
    this.#networks.forEach(({ turns }, network) => {
      for (const { tokens, values, moves, before } of turns) {
        const width = tokens.length;
        this.#widths[row] = width;
        this.#firstOptions[row] = option;
        this.#firstMoves[row] = move;
        this.#firstSituations[row] = situation;
        this.#befores[row++] = before;
        this.#tokens.set(tokens, option);
        this.#values.set(values, option);
        option += width;
        situation += before;
        for (let i = 0; i < moves.length; i++) {
          this.#moves[move++] = moves[i]! < 0 || tokens[i % width]! > capacity ? -1 : situation + moves[i]!;
        }
      }
      situation++;
      this.#firstTurns[network + 1] = row;
    });
  }

  /** How many networks there are. */
  get count(): number {
    return this.#networks.length;
  }

  /** The networks at a price; they hold until the rows are priced anew. */
  at(price: number): NetworkAtPrice[] {
    return this.#networks.map((_, network) => {
      this.price(network, price);
      return {
        options: this.#follow(network),
        tokens: this.tokensOf(network),
        value: this.valueOf(network),
        peak: this.#rests[this.#firstSituation(network)]!,
        rest: (turn, situation) => this.#restOf(this.#firstTurns[network]! + turn, network, situation),
      };
    });
  }

  /** Tokens of the best set of a network at the price at which it was priced last. */
  tokensOf(network: number): number {
    return this.#restTokens[this.#firstSituation(network)]!;
  }

  /** Its value. */
  valueOf(network: number): number {
    return this.#restValues[this.#firstSituation(network)]!;
  }

  /** Goes back through the turns of a network. O(moves). */
  price(network: number, price: number): void {
    const [rests, restTokens, restValues, moves] = [this.#rests, this.#restTokens, this.#restValues, this.#moves];
    const [tokens, values] = [this.#tokens, this.#values];
    for (let turn = this.#firstTurns[network + 1]! - 1; turn >= this.#firstTurns[network]!; turn--) {
      const firstOption = this.#firstOptions[turn]!;
      const endOption = firstOption + this.#widths[turn]!;
      const endSituation = this.#firstSituations[turn]! + this.#befores[turn]!;
      let move = this.#firstMoves[turn]!;
      for (let situation = this.#firstSituations[turn]!; situation < endSituation; situation++) {
        let most = Number.NEGATIVE_INFINITY;
        let spent = 0;
        let chosen = firstOption;
        let after = -1;
        for (let option = firstOption; option < endOption; option++) {
          const next = moves[move++]!;
          if (next < 0) continue;
          const worth = values[option]! - price * tokens[option]! + rests[next]!;
          if (worth < most) continue;
          const total = tokens[option]! + restTokens[next]!;
          if (worth === most && total >= spent) continue;
          most = worth;
          spent = total;
          chosen = option;
          after = next;
        }
        rests[situation] = most;
        restTokens[situation] = spent;
        restValues[situation] = after < 0 ? 0 : values[chosen]! + restValues[after]!;
        this.#chosen[situation] = chosen - firstOption;
      }
    }
  }

  #follow(network: number): Int32Array {
    const first = this.#firstTurns[network]!;
    const options = new Int32Array(this.#firstTurns[network + 1]! - first);
    let situation = this.#firstSituation(network);
    for (let turn = 0; turn < options.length; turn++) {
      const row = first + turn;
      const option = this.#chosen[situation]!;
      options[turn] = option;
      const from = situation - this.#firstSituations[row]!;
      situation = this.#moves[this.#firstMoves[row]! + from * this.#widths[row]! + option]!;
    }
    return options;
  }

  #firstSituation(network: number): number {
    return this.#firstSituations[this.#firstTurns[network]!]!;
  }

  #restOf(row: number, network: number, situation: number): number {
    if (row === this.#firstTurns[network + 1]) return 0;
    return this.#rests[this.#firstSituations[row]! + situation]!;
  }
}
