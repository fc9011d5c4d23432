#!/usr/bin/env node
import { inspect } from "node:util";
import { createCli } from "./cli.js";
import { runCommand, tell } from "./io.js";

try {
  // The process ends by itself once nothing is left to do, and so after all that was written has gone out.
  process.exitCode = await runCommand(createCli(process, process), process.argv.slice(2), process);
} catch (fault) {
  // A fault of this program, whose stack helps to mend it.
  tell(process, inspect(fault).split("\n"));
  process.exit(1);
}
