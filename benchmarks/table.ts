/** One column of a table: a figure for each row. */
export interface Column {
  readonly heading: string;
  /** The key of the figure, with `*` for the key of the row. */
  readonly pattern: string;
  /** A second figure that stands behind the first, after a slash; its key as above. */
  readonly beside?: string;
  /** What a figure shall reach, by its key. */
  readonly aims?: Readonly<Record<string, string>>;
}

/** A table of the report. Rows of which nothing was measured are left out. */
export interface Table {
  readonly title: string;
  readonly note: string;
  readonly columns: readonly Column[];
  readonly rows: readonly { readonly label: string; readonly key: string }[];
}
