import type { FragmentPresence } from "../../../gen/acms/v1/comparison.js";
import { printable } from "../printable.js";
import type { ComparisonView } from "./comparison-text.js";
import { shorten, titled } from "./fit-text.js";
import { count } from "./numbers.js";
import { paint } from "./terminal.js";
import { signOf } from "./variant-sign.js";

/** As in the other lists, unless a price needs more. */
const usualTokensWidth = 9;
/** Names shorter than this tell fragments apart no more: then the columns stand closer. */
const shortestName = 20;

/** The fragments on which variants differ: a row for each, a column for each variant that came to a payload. */
export function differenceLines(view: ComparisonView): string[] {
  const { response, terminal, limit } = view;
  const { differences, keptByAll, keptByNone, results } = response;
  const columns = results.flatMap(({ outcome }, position) => (outcome?.$case === "summary" ? [position] : []));
  const title = differences.length === 0 ? "No differences" : `They differ on ${count(differences.length)}`;
  const heading = titled(title, `all keep ${count(keptByAll.length)}, none keeps ${count(keptByNone)}`, terminal);
  if (differences.length === 0) return heading;
  const prices = differences.map(({ fragment }) => count(fragment?.tokenCount ?? 0));
  const tokensWidth = prices.reduce((widest, { length }) => Math.max(widest, length), usualTokensWidth);
  const spaced = terminal.width - tokensWidth - 4 - columns.length * 2 >= shortestName;
  const separator = spaced ? " " : "";
  const signs = columns.map(signOf).join(separator);
  const nameWidth = terminal.width - tokensWidth - 4 - signs.length;
  const rows = differences.slice(0, limit).map((difference, i) => {
    const marks = columns.map((position) => (difference.keptBy.includes(position) ? "█" : "·")).join(separator);
    return `${(prices[i] ?? "").padStart(tokensWidth)}  ${marks}  ${shorten(printable(nameOf(difference, view)), nameWidth)}`;
  });
  const more = differences.length - limit;
  return [
    ...heading,
    paint(terminal, "dim", `${"tokens".padStart(tokensWidth)}  ${signs}`),
    ...rows,
    ...(more > 0 ? [paint(terminal, "dim", `${" ".repeat(tokensWidth - 6)}and ${count(more)} more`)] : []),
  ];
}

/** The caller's own id; where the caller gave none, the node says more than the id that the server made. */
function nameOf({ fragment }: FragmentPresence, { request }: ComparisonView): string {
  const given = request.fragments[fragment?.inputIndex ?? -1];
  return given?.fragmentId || given?.ukoNode || (fragment?.fragmentId ?? "");
}
