import { spawn } from "node:child_process";
import { delimiter, resolve } from "node:path";

/** Something that must hold before a change lands. */
export interface Check {
  readonly name: string;
  run(): Promise<CheckResult>;
}

/** How a check ended. One that consists of many, such as the unit tests, counts each of them. */
export interface CheckResult {
  readonly passed: number;
  readonly failed: number;
  /** What a person needs to see of the failures. */
  readonly report: string;
}

/** The longest that one command may take. */
const TIMEOUT_MS = 300_000;

/** A check that holds where a command ends with exit code 0. */
export function commandCheck(name: string, program: string, ...args: readonly string[]): Check {
  return {
    name,
    run: async () => {
      const { succeeded, output } = await runProgram(program, ...args);
      return succeeded ? { passed: 1, failed: 0, report: "" } : { passed: 0, failed: 1, report: output };
    },
  };
}

/** Runs a program of the path or of node_modules, with its two outputs as one text. */
export function runProgram(
  program: string,
  ...args: readonly string[]
): Promise<{ readonly succeeded: boolean; readonly output: string }> {
  return new Promise((settle) => {
    const path = [resolve("node_modules/.bin"), process.env.PATH].join(delimiter);
    const child = spawn(program, args, {
      env: { ...process.env, PATH: path },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TIMEOUT_MS,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.on("error", (error) => settle({ succeeded: false, output: `${output}${error.message}\n` }));
    child.on("close", (code, signal) => {
      const end = signal === null ? "" : `${program} was ended by ${signal}\n`;
      settle({ succeeded: code === 0, output: output + end });
    });
  });
}
