/**
 * The main job on real input: a real server over loopback, the files of this repository as fragments, a question, and payloads for several
 * budgets and strategies through the generated client. Runs in the root of the repository.
 */
import { credentials } from "@grpc/grpc-js";
import { pino } from "pino";
import { AssembleRequest, type AssembleResponse, AssemblyServiceClient } from "../gen/acms/v1/assembly_service.js";
import { createApp } from "../src/app.js";
import { clientOptions } from "../src/cli/door/over-grpc.js";
import { writeLines } from "../src/cli/io.js";
import { assemblyText } from "../src/cli/output/assembly-text.js";
import { count, countOf, percent } from "../src/cli/output/numbers.js";
import { paint, terminalOf } from "../src/cli/output/terminal.js";
import { startServer } from "../src/grpc/server.js";
import { parseProtoJson } from "../src/proto-json/index.js";
import { fragmentsOfFolder } from "../src/workspace/index.js";

const question = "how are budgets split";
const budgets = [2_000, 8_000, 32_000];
const strategies = ["relevance", "recency"];

const terminal = terminalOf(process);

/** One assembly, and how long its caller waited for it. */
interface Assembled {
  readonly request: AssembleRequest;
  readonly response: AssembleResponse;
  readonly waitedMs: number;
}

async function main(): Promise<void> {
  const server = await startServer(
    // The repository may grow beyond what a server takes by default.
    createApp({ limits: { maxFragments: 100_000 } }),
    { host: "127.0.0.1", port: 0, maxReceiveBytes: 2 ** 28, maxConcurrentCalls: 16, shutdownGraceMs: 5_000 },
    pino({ level: "silent" }),
  );
  await say(`A server listens on ${server.address}.`);
  const client = new AssemblyServiceClient(server.address, credentials.createInsecure(), clientOptions(server.address));
  try {
    await assembleAll(client);
  } finally {
    client.close();
    await server.stop();
  }
  await say("The server has stopped.");
}

async function assembleAll(client: AssemblyServiceClient): Promise<void> {
  const base = requestForThisRepository();
  const tokens = base.fragments.reduce((sum, fragment) => sum + (fragment.tokenCount ?? 0), 0);
  await say(
    `This repository: ${countOf(base.fragments.length, "file")}, ${count(tokens)} tokens. Question: "${question}".`,
  );
  const done: Assembled[] = [];
  for (const strategy of strategies) {
    for (const maxTokens of budgets) {
      const assembled = await assemble(client, withBudget(base, strategy, maxTokens));
      done.push(assembled);
      await show(assembled);
    }
  }
  await summarize(done);
}

/** A file each, in full, as relevant as its words are for the question. */
function requestForThisRepository(): AssembleRequest {
  const { fragments } = fragmentsOfFolder(process.cwd(), { name: "acms", depths: [9], query: question });
  const json = JSON.stringify({ query: question, fragments });
  return AssembleRequest.decode(parseProtoJson("acms.v1.AssembleRequest", json));
}

/** The request under a strategy and a budget, a tenth of which is kept free for the model's answer. */
function withBudget(base: AssembleRequest, strategy: string, maxTokens: number): AssembleRequest {
  return {
    ...base,
    strategies: [{ name: strategy, confidence: undefined, config: undefined }],
    budget: { maxTokens, reservedTokens: maxTokens / 10, sections: [] },
  };
}

function assemble(client: AssemblyServiceClient, request: AssembleRequest): Promise<Assembled> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    client.assemble(request, (error, response) => {
      if (error === null) resolve({ request, response, waitedMs: performance.now() - startMs });
      else reject(error);
    });
  });
}

async function show({ request, response, waitedMs }: Assembled): Promise<void> {
  const title = `${strategyOf(request)}, ${count(request.budget?.maxTokens ?? 0)} tokens`;
  await say("", paint(terminal, "cyan", `── ${title}: answered in ${waitedMs.toFixed(0)} ms ──`), "");
  await say(...assemblyText({ request, response, terminal, limit: 3 }));
}

async function summarize(done: readonly Assembled[]): Promise<void> {
  await say("", paint(terminal, "bold", "strategy      budget   kept  dropped   used    time"));
  for (const { request, response, waitedMs } of done) {
    const kept = response.payload?.fragments.length ?? 0;
    const columns = [
      strategyOf(request).padEnd(10),
      count(request.budget?.maxTokens ?? 0).padStart(10),
      count(kept).padStart(7),
      count(request.fragments.length - kept).padStart(9),
      percent(response.payload?.budgetUsed ?? 0).padStart(7),
      `${waitedMs.toFixed(0)} ms`.padStart(8),
    ];
    await say(columns.join(""));
  }
  await say("");
}

function strategyOf(request: AssembleRequest): string {
  return request.strategies.map(({ name }) => name).join(", ");
}

let isHeard = true;

/** Whoever reads may leave, as `head` does; the demo then goes on to its end without a word. */
async function say(...lines: string[]): Promise<void> {
  if (isHeard) isHeard = await writeLines(process.stdout, lines);
}

await main();
