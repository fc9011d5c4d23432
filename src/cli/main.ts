#!/usr/bin/env node
import { createCli } from "./cli.js";
import { runCommand } from "./io.js";

// The process ends by itself once nothing is left to do, and so after all that was written has gone out.
process.exitCode = await runCommand(createCli(process, process), process.argv.slice(2), process);
