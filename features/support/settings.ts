/** Settings of strategies in the words of the features. */
import { StrategySpec } from "../../gen/acms/v1/strategy.js";

/** Settings of one kind. */
export type Settings = NonNullable<StrategySpec["config"]>;

const WINDOW = /a window of (-?\d+) (?:messages?|tokens|in mode \d+)/;
const PRIORITY = /the priority "([^"]*)"/;
const EXPRESSIONS = /the filter "([^"]*)" and the score "([^"]*)"/;
const FILTER = /the filter "([^"]*)"/;
const SCORE = /the score "([^"]*)"/;

/** Every way to say settings, without the groups that the parts have. */
export const SETTINGS = new RegExp(
  [WINDOW, PRIORITY, EXPRESSIONS, FILTER, SCORE].map(({ source }) => source.replace(/\((?!\?)/g, "(?:")).join("|"),
);

/** The name under which settings of a kind go where a scenario gives none. */
const NAMES = { slidingWindow: "sliding_window", priority: "priority_context", expression: "own_expression" };

/** What a text in the features stands for. A window that names no mode by its word has the number of one. */
export function settingsOf(text: string): Settings {
  const [, size] = WINDOW.exec(text) ?? [];
  if (size !== undefined) {
    return { $case: "slidingWindow", value: { windowSize: Number(size), windowMode: windowModeOf(text) } };
  }
  const [, priority] = PRIORITY.exec(text) ?? [];
  if (priority !== undefined) return { $case: "priority", value: { rules: [], scoreExpression: priority } };
  const [, where = ""] = FILTER.exec(text) ?? [];
  const [, score = ""] = SCORE.exec(text) ?? [];
  return { $case: "expression", value: { where, score } };
}

/** A strategy as a request names it, with its settings. */
export function specOf(config: Settings, name: string = NAMES[config.$case]): StrategySpec {
  return { ...StrategySpec.fromPartial({ name }), config };
}

function windowModeOf(text: string): number {
  const [, mode] = /in mode (\d+)$/.exec(text) ?? [];
  if (mode !== undefined) return Number(mode);
  return text.endsWith("tokens") ? 2 : 1;
}
