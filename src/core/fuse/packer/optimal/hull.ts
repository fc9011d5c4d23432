/** The concave hull of each class: the steps from one choice to a dearer one that pay more per token than any mixture of others. */
import type { Classes } from "./classes.js";

/** The steps of all hulls in one row; those of class c stand from `starts[c]` to `starts[c + 1]`, the best value per token first. */
export interface Hulls {
  readonly starts: Int32Array;
  /** Tokens and value that a step adds to what the class had before it. */
  readonly tokens: Float64Array;
  readonly values: Float64Array;
  /** Value per token of a step. */
  readonly slopes: Float64Array;
  /** The choice in the row of classes that a step leads to. */
  readonly choices: Int32Array;
}

/** Finds the hulls. O(n). Slopes are compared as doubles: an error there makes a hull worse, and no bound that is taken from it wrong. */
export function findHulls({ count, starts, tokens, values }: Classes): Hulls {
  const most = tokens.length;
  const hullStarts = new Int32Array(count + 1);
  const stepTokens = new Float64Array(most);
  const stepValues = new Float64Array(most);
  const slopes = new Float64Array(most);
  const choices = new Int32Array(most);
  let end = 0;
  for (let c = 0; c < count; c++) {
    const first = end;
    for (let choice = starts[c]! + 1; choice < starts[c + 1]!; choice++) {
      let before = end > first ? choices[end - 1]! : starts[c]!;
      let slope = (values[choice]! - values[before]!) / (tokens[choice]! - tokens[before]!);
      while (end > first && slope >= slopes[end - 1]!) {
        end--;
        before = end > first ? choices[end - 1]! : starts[c]!;
        slope = (values[choice]! - values[before]!) / (tokens[choice]! - tokens[before]!);
      }
      stepTokens[end] = tokens[choice]! - tokens[before]!;
      stepValues[end] = values[choice]! - values[before]!;
      slopes[end] = slope;
      choices[end++] = choice;
    }
    hullStarts[c + 1] = end;
  }
  return {
    starts: hullStarts,
    tokens: stepTokens.subarray(0, end),
    values: stepValues.subarray(0, end),
    slopes: slopes.subarray(0, end),
    choices: choices.subarray(0, end),
  };
}
