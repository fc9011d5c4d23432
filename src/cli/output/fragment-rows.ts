import { printable } from "../printable.js";
import { shorten, widthOf } from "./fit-text.js";
import { count } from "./numbers.js";
import { paint, type Terminal } from "./terminal.js";

/** A fragment in a list for people. */
export interface FragmentRow {
  /** Tokens; absent where nobody has counted them. */
  readonly tokens: number | undefined;
  /** What stands in the second column. */
  readonly figure: string;
  readonly label: string;
  /** What is to be said beside the label. */
  readonly remark: string;
}

/** How a list is shown. */
export interface RowList {
  /** Heading of the second column. */
  readonly figureHeading: string;
  /** The most rows to show; the rest is counted. */
  readonly limit: number;
}

const tokensWidth = 9;
const figureWidth = 11;

/** Rows of fragments under headings, each on one line of the terminal. */
export function fragmentRows(rows: readonly FragmentRow[], list: RowList, terminal: Terminal): string[] {
  if (rows.length === 0) {
    return [];
  }
  const shown = rows.slice(0, list.limit);
  const rest = rows.slice(list.limit);
  const head = `${"tokens".padStart(tokensWidth)}${list.figureHeading.padStart(figureWidth)}`;
  const lines = shown.map((row) => rowLine(row, terminal));
  if (rest.length > 0) {
    const tokens = rest.reduce((sum, row) => sum + (row.tokens ?? 0), 0);
    const counted = rest.every((row) => row.tokens !== undefined);
    lines.push(
      paint(
        terminal,
        "dim",
        `${" ".repeat(tokensWidth - 6)}and ${count(rest.length)} more${counted ? `, ${count(tokens)} tokens` : ""}`,
      ),
    );
  }
  return [paint(terminal, "dim", head), ...lines];
}

function rowLine({ tokens, figure, label, remark }: FragmentRow, terminal: Terminal): string {
  const columns = (tokens === undefined ? "?" : count(tokens)).padStart(tokensWidth) + figure.padStart(figureWidth);
  const room = terminal.width - tokensWidth - figureWidth - 2;
  const said = remark === "" ? "" : shorten(printable(remark), Math.floor(room / 2));
  const name = shorten(printable(label), said === "" ? room : room - widthOf(said) - 2);
  return `${columns}  ${name}${said === "" ? "" : `  ${paint(terminal, "dim", said)}`}`;
}
