import { Option } from "commander";
import type { CliIo } from "../io.js";
import { isTerminal } from "./terminal.js";

const formats = ["json", "text"] as const;
/** For programs, or for people. */
export type Format = (typeof formats)[number];

/** The option that chooses the format. */
export function formatOption(): Option {
  return new Option("--format <format>", "json for programs, text for people (absent: text on a terminal)").choices(
    formats,
  );
}

/** The format that was asked for, else the one that suits whoever reads the standard output. */
export function formatFor(io: CliIo, asked: Format | undefined): Format {
  return asked ?? (isTerminal(io.stdout) ? "text" : "json");
}
