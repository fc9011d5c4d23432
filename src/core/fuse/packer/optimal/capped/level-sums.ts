import type { OpenCore } from "./open-core.js";

/** What the levels from one on add up to; past the last that is nothing. */
export class LevelSums {
  /** By level and limit: the fewest that they take, and what they take at their best choices. */
  readonly fewest: Float64Array;
  readonly atBest: Float64Array;
  /** By level: their value at their best choices, and how many options they have. */
  readonly values: Float64Array;
  readonly options: Float64Array;

  constructor({ levels, rooms: { length: width } }: OpenCore) {
    const count = levels.length + 1;
    this.fewest = new Float64Array(count * width);
    this.atBest = new Float64Array(count * width);
    this.values = new Float64Array(count);
    this.options = new Float64Array(count);
    for (let level = levels.length - 1; level >= 0; level--) {
      const { amounts, best, values } = levels[level]!;
      const next = (level + 1) * width;
      this.options[level] = this.options[level + 1]! + values.length;
      this.values[level] = this.values[level + 1]! + values[best]!;
      for (let limit = 0; limit < width; limit++) {
        let fewest = Number.POSITIVE_INFINITY;
        for (let at = limit; at < amounts.length; at += width) fewest = Math.min(fewest, amounts[at]!);
        this.fewest[next - width + limit] = this.fewest[next + limit]! + fewest;
        this.atBest[next - width + limit] = this.atBest[next + limit]! + amounts[best * width + limit]!;
      }
    }
  }
}
