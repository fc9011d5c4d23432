import type { Command } from "commander";
import { assembleCommand } from "./commands/assemble.js";
import { compareCommand } from "./commands/compare.js";
import { fragmentsCommand } from "./commands/fragments.js";
import { helpCommand } from "./commands/help.js";
import { promptCommand } from "./commands/prompt.js";
import { serveCommand } from "./commands/serve.js";
import { strategiesCommand } from "./commands/strategies.js";
import { type CliIo, createCommand } from "./io.js";
import type { StopSignal } from "./stop-signal.js";
import { productVersion } from "./version.js";

/** `acms` with all its commands, of which the one that serves heeds a signal to stop. */
export function createCli(io: CliIo, heedSignals: () => StopSignal): Command {
  return (
    createCommand(io, "acms")
      .description(
        "Decides what goes into a prompt: fragments, a budget and a strategy in, an explained payload that fits out.",
      )
      .version(productVersion(), "--version", "print the version")
      // The library's own command has no word for a name that is none.
      .helpCommand(false)
      .addCommand(serveCommand(io, heedSignals))
      .addCommand(assembleCommand(io))
      .addCommand(compareCommand(io))
      .addCommand(fragmentsCommand(io))
      .addCommand(promptCommand(io))
      .addCommand(strategiesCommand(io))
      .addCommand(helpCommand(io))
  );
}
