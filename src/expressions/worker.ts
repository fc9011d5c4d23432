/** The worker's side: compiles expressions and evaluates them, one message after the other, until it is ended from outside. */
import { parentPort } from "node:worker_threads";
import { compile, type Program } from "./compile.js";
import type { ExpressionResult } from "./contract.js";
import { evaluate } from "./evaluate.js";
import { LruCache } from "./lru-cache.js";
import type { CheckAnswer, CheckMessage, EvaluateAnswer, EvaluateMessage } from "./messages.js";
import { describeFault, SourceFault } from "./source-fault.js";
import { warmUp } from "./warm-up.js";

/** A compiled expression takes about a thousand times its source; this bounds them together. */
const programs = new LruCache<Program>(65_536);

function programOf(source: string, gives: ExpressionResult): Program {
  const key = `${gives}:${source}`;
  const known = programs.get(key);
  if (known !== undefined) return known;
  const program = compile(source, gives);
  programs.set(key, program);
  return program;
}

function answerCheck({ source, gives }: CheckMessage): CheckAnswer {
  try {
    return { needs: programOf(source, gives).needs };
  } catch (error) {
    if (error instanceof SourceFault) return { fault: describeFault(source, error) };
    throw error;
  }
}

function answerEvaluate(message: EvaluateMessage): EvaluateAnswer {
  const compiled: { where?: Program; score?: Program } = {};
  for (const part of ["where", "score"] as const) {
    try {
      if (message[part] !== "") compiled[part] = programOf(message[part], part === "where" ? "boolean" : "number");
    } catch (error) {
      if (error instanceof SourceFault) return { part, fault: describeFault(message[part], error) };
      throw error;
    }
  }
  const found = evaluate(compiled, message);
  return "fault" in found ? { ...found, fault: describeFault(message[found.part], found.fault) } : found;
}

warmUp();

const port = parentPort!;
port.on("message", (message: CheckMessage | EvaluateMessage) => {
  port.postMessage(message.kind === "check" ? answerCheck(message) : answerEvaluate(message));
});
port.postMessage("ready");
