import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * Loads a rival from the benchmarks' own `node_modules`, which the compiled code under `dist` would not find. The types
 * are the few lines that a rival's file states, so that the product compiles where no rival is installed.
 */
export function loadRival<Exports>(name: string): Exports {
  const load = createRequire(pathToFileURL(`${process.cwd()}/benchmarks/package.json`));
  try {
    return load(name) as Exports;
  } catch (cause) {
    throw new Error(`Cannot load ${name}: run \`npm ci --prefix benchmarks\` at the root of the repository.`, {
      cause,
    });
  }
}
