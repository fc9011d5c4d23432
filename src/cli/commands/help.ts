import type { Command } from "commander";
import { type CliIo, createCommand, ExitError, exitCodes } from "../io.js";

/** `acms help [command]`: how a command is used. */
export function helpCommand(io: CliIo): Command {
  const command = createCommand(io, "help").summary("show how a command is used").argument("[command]", "its name");
  return command.action((name: string | undefined) => {
    const all = command.parent;
    const commands = all?.commands ?? [];
    const wanted = name === undefined ? all : commands.find((other) => other.name() === name);
    if (!wanted) {
      const names = commands.map((other) => other.name()).join(", ");
      throw new ExitError(exitCodes.wrongUse, `error: unknown command '${name}'; there are ${names}`);
    }
    wanted.help();
  });
}
