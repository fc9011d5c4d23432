#!/usr/bin/env node
import { inspect } from "node:util";
import { awaitStopSignal, loadUnlessStopped } from "./stop-signal.js";

const args = process.argv.slice(2);
// To load everything takes a while, and a server is to end well on a signal that comes meanwhile.
const early = args[0] === "serve" ? awaitStopSignal(process) : undefined;
const load = () => Promise.all([import("./cli.js"), import("./io.js")]);
const [{ createCli }, { runCommand, tell }] = await loadUnlessStopped(early, load, () => process.exit(0));

try {
  const cli = createCli(process, () => early ?? awaitStopSignal(process));
  // The process ends by itself once nothing is left to do, and so after all that was written has gone out.
  process.exitCode = await runCommand(cli, args, process);
} catch (fault) {
  // A fault of this program, whose stack helps to mend it.
  tell(process, inspect(fault).split("\n"));
  process.exit(1);
}
