import { benchCore, benchRivals } from "./core.bench.js";
import { benchFusion } from "./fusion.bench.js";
import { benchHosting } from "./hosting.bench.js";
import { benchLoop } from "./loop.bench.js";
import { benchPackers } from "./packers.bench.js";
import { benchPacking } from "./packing.bench.js";
import { benchPrefix } from "./prefix.bench.js";
import { Figures, formatTables, writeReport } from "./report.js";
import { benchTrace } from "./trace.bench.js";
import { benchWire } from "./wire.bench.js";

const BENCHES = new Map([
  ["core", benchCore],
  // Before the heap of this process is large: a client that collects it would take the server's processor.
  ["loop", benchLoop],
  ["fusion", benchFusion],
  ["hosting", benchHosting],
  ["rivals", benchRivals],
  ["packing", benchPacking],
  ["packers", benchPackers],
  ["prefix", benchPrefix],
  ["wire", benchWire],
  ["trace", benchTrace],
]);

/** Runs the named benches, or all; only a run of all writes the report. */
async function main(names: readonly string[]): Promise<void> {
  const figures = new Figures();
  for (const name of names.length === 0 ? BENCHES.keys() : names) {
    const bench = BENCHES.get(name);
    if (bench === undefined) {
      throw new Error(`There is no bench ${name}, only ${[...BENCHES.keys()].join(", ")}.`);
    }
    console.error(`Measuring ${name} ...`);
    await bench(figures);
  }
  if (names.length === 0) {
    await writeReport(figures, "bench");
  }
  console.log(formatTables(figures));
}

try {
  await main(process.argv.slice(2));
  // priompt keeps a socket open.
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
