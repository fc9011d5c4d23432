import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { AssembleRequest } from "../gen/acms/v1/assembly_service.js";
import { type App, type Assembled, createApp } from "../src/app.js";
import { startServer } from "../src/grpc/server.js";
import { collectGarbage } from "./collect.js";
import type { Contestant } from "./contestant.js";
import { createFragments } from "./corpus.js";
import { compare } from "./harness.js";
import type { Figures } from "./report.js";
import { createKeepAllTask, expectRankedIds, type Task } from "./selection.js";

const HEARTBEAT_MS = 500;
const DETECTIONS = 15;
const WARM_UP_CYCLES = 1_000;
const CYCLES = 10_000;
const MEBIBYTE = 1_048_576;

/** Hosted components: what a stage in another process costs, how soon a lost host is noticed, and what hosts leave behind. */
export async function benchHosting(figures: Figures): Promise<void> {
  const app = createApp({
    hosting: { heartbeatIntervalMs: HEARTBEAT_MS, pauseAfterFailures: Number.MAX_SAFE_INTEGER },
  });
  const options = {
    host: "127.0.0.1",
    port: 0,
    maxReceiveBytes: 16 * MEBIBYTE,
    maxConcurrentCalls: 256,
    shutdownGraceMs: 1_000,
  };
  const server = await startServer(app, options, pino({ level: "silent" }));
  try {
    await measureOverhead(app, server.address, figures);
    await measureDetection(app, server.address, figures);
    await measureCycles(server.address, figures);
  } finally {
    await server.stop();
  }
}

function startHost(address: string, mode: "answers" | "silent" | "cycles"): ChildProcess {
  return fork(fileURLToPath(new URL("hosting-host.js", import.meta.url)), [address, mode], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

async function hears(host: ChildProcess, word: string): Promise<void> {
  for (;;) {
    const [message] = await once(host, "message");
    if (message === word) return;
  }
}

async function end(host: ChildProcess): Promise<void> {
  if (host.exitCode !== null || host.signalCode !== null) return;
  const gone = once(host, "exit");
  host.kill("SIGKILL");
  await gone;
}

/** An assembly of 1,000 fragments whose scorer is built in, and one whose scorer says the same from another process. */
async function measureOverhead(app: App, address: string, figures: Figures): Promise<void> {
  const host = startHost(address, "answers");
  await hears(host, "attached");
  try {
    const task = createKeepAllTask(createFragments(1_000));
    const contestants = [
      createContestant("built_in_scorer", app, task, "pass_through"),
      createContestant("with_hosted_scorer", app, task, "no_op"),
    ];
    figures.addTimings(await compare({ contestants, rounds: 300, turnMs: 0 }), "1k");
    const overheadMs = figures.get("with_hosted_scorer_1k_ms") - figures.get("built_in_scorer_1k_ms");
    figures.add("hosted_scorer_ms", overheadMs);
  } finally {
    await end(host);
  }
}

function createContestant(name: string, app: App, task: Task, scorer: string): Contestant {
  return {
    name,
    run: () => assemble(app, task, scorer),
    check: (answer) => {
      const { payload } = answer as Assembled;
      expectRankedIds(
        payload.fragments.map(({ fragmentId }) => fragmentId),
        task.expected,
      );
      if (payload.warnings.length > 0) throw new Error(`It warns of ${payload.warnings[0]?.message}.`);
    },
  };
}

function assemble(app: App, { fragments, tokenBudget }: Task, scorer: string): Promise<Assembled> {
  const request = AssembleRequest.fromPartial({
    fragments: [...fragments],
    budget: { maxTokens: tokenBudget },
    strategies: [{ name: "relevance" }],
    pipeline: { scorer, failurePolicies: [{ stage: 6, policy: 1 }] },
  });
  return app.assemble(request, "", { namespace: "", signal: new AbortController().signal });
}

/** From the signal that ends or freezes a host to the failure of the question that it had. */
async function measureDetection(app: App, address: string, figures: Figures): Promise<void> {
  const task = createKeepAllTask(createFragments(10));
  const detect = async (signal: "SIGKILL" | "SIGSTOP"): Promise<number> => {
    const host = startHost(address, "silent");
    try {
      await hears(host, "attached");
      const failed = assemble(app, task, "no_op").then(
        () => Promise.reject(new Error("A host that never answers was answered for.")),
        (error: { kind?: string }) => (error.kind === "lost" ? performance.now() : Promise.reject(error)),
      );
      await hears(host, "asked");
      // At any moment between two heartbeats.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * HEARTBEAT_MS));
      const startMs = performance.now();
      host.kill(signal);
      return (await failed) - startMs;
    } finally {
      await end(host);
    }
  };
  for (const [name, signal, times] of [
    ["killed", "SIGKILL", DETECTIONS],
    ["frozen", "SIGSTOP", 5],
  ] as const) {
    const took: number[] = [];
    for (let i = 0; i < times; i += 1) took.push(await detect(signal));
    took.sort((one, other) => one - other);
    figures.add(`host_${name}_ms`, took[Math.floor(times / 2)] as number);
    figures.add(`host_${name}_max_ms`, took.at(-1) as number);
  }
  figures.add("host_frozen_heartbeats", figures.get("host_frozen_max_ms") / HEARTBEAT_MS);
}

/** What remains of hosts that came and went. */
async function measureCycles(address: string, figures: Figures): Promise<void> {
  const measure = async (): Promise<NodeJS.MemoryUsage> => {
    for (let i = 0; i < 3; i += 1) {
      collectGarbage();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return process.memoryUsage();
  };
  const host = startHost(address, "cycles");
  try {
    const run = async (cycles: number): Promise<void> => {
      host.send({ cycles });
      await hears(host, "done");
    };
    await run(WARM_UP_CYCLES);
    const before = await measure();
    const startMs = performance.now();
    await run(CYCLES);
    figures.add("host_cycle_ms", (performance.now() - startMs) / CYCLES);
    const after = await measure();
    figures.add("host_cycles_heap_mb", (after.heapUsed - before.heapUsed) / MEBIBYTE);
    figures.add("host_cycles_resident_mb", (after.rss - before.rss) / MEBIBYTE);
  } finally {
    await end(host);
  }
}
