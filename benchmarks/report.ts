import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, totalmem } from "node:os";
import type { Timing } from "./harness.js";
import type { Column } from "./table.js";
import { TABLES } from "./tables.js";

/** What a run of the benchmarks has measured, by key. */
export class Figures {
  readonly #values = new Map<string, number>();

  /** Adds one figure, rounded to four digits. */
  add(key: string, value: number): void {
    this.#values.set(key, Number(value.toPrecision(4)));
  }

  /** Adds a share, rounded down to five decimals, so that what misses its aim does not look as if it met it. */
  addShare(key: string, share: number): void {
    this.#values.set(key, Math.floor(share * 100_000 + 1e-6) / 100_000);
  }

  /** Adds `<name>_<size>_ms`, the median, and `<name>_<size>_p90_ms` for each contestant. */
  addTimings(timings: ReadonlyMap<string, Timing>, size: string): void {
    for (const [name, { medianMs, p90Ms }] of timings) {
      this.add(`${name}_${size}_ms`, medianMs);
      this.add(`${name}_${size}_p90_ms`, p90Ms);
    }
  }

  /** A figure that was added before. */
  get(key: string): number {
    const value = this.#values.get(key);
    if (value === undefined) {
      throw new Error(`Nothing was measured under ${key}.`);
    }
    return value;
  }

  /** All figures by key. */
  toObject(): Record<string, number> {
    return Object.fromEntries(this.#values);
  }

  /** A figure as a table shows it; nothing where it was not measured. */
  format(key: string): string | undefined {
    return this.#values.get(key)?.toString();
  }
}

/** The tables of what was measured, in Markdown. */
export function formatTables(figures: Figures): string {
  const tables = TABLES.map(({ title, note, columns, rows }) => {
    const lines = rows.flatMap(({ label, key }) => {
      const cells = columns.map((column) => formatCell(figures, column, key));
      return cells.some((cell) => cell !== "") ? [`| ${[label, ...cells].join(" | ")} |`] : [];
    });
    const head = `| | ${columns.map(({ heading }) => heading).join(" | ")} |\n|---|${columns.map(() => "---:|").join("")}`;
    return lines.length === 0 ? "" : `## ${title}\n\n${note}\n\n${head}\n${lines.join("\n")}\n`;
  });
  return tables.filter((table) => table !== "").join("\n");
}

function formatCell(figures: Figures, { pattern, beside, aims }: Column, key: string): string {
  const name = pattern.replace("*", key);
  const value = figures.format(name);
  if (value === undefined) {
    return "";
  }
  const second = beside === undefined ? undefined : figures.format(beside.replace("*", key));
  const both = second === undefined ? value : `${value} / ${second}`;
  const aim = aims?.[name];
  return aim === undefined ? both : `${both} (${aim})`;
}

/** Writes `results.json` and the generated `README.md` into a folder. */
export async function writeReport(figures: Figures, folder: string): Promise<void> {
  const machine = describeMachine();
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/results.json`, `${JSON.stringify({ ...figures.toObject(), machine }, undefined, 2)}\n`);
  await writeFile(
    `${folder}/README.md`,
    `<!-- Written by \`make bench\`: change benchmarks/tables.ts instead. -->

# Benchmarks

Measured on ${machine.cpu}, ${machine.cores} cores, ${machine.memory_gib} GiB, ${machine.os}, Node ${machine.node}. All
contestants of a table answer in one process, in an order drawn anew for each round; every answer is checked before and
after. Times are medians in milliseconds. The figures by key are in [results.json](results.json), where \`*_p90_ms\` are
ninth deciles and \`*_p95_ms\` 95th percentiles.

${formatTables(figures)}`,
  );
}

function describeMachine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memory_gib: Math.round(totalmem() / 2 ** 30),
    os: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    measured_at: new Date().toISOString(),
  };
}
