import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { credentials } from "@grpc/grpc-js";
import { AssembleRequest, type AssembleResponse, AssemblyServiceClient } from "../gen/acms/v1/assembly_service.js";
import type { Trace } from "../gen/acms/v1/trace.js";
import type { Task } from "./selection.js";
import type { WatchQuestion, WireAddresses } from "./wire-server.js";

/** Does something, and answers how long the server's event loop was held in one piece meanwhile, in milliseconds. */
export type LongestPiece = (work: () => Promise<void>) => Promise<number>;

/** Starts the server's process, lets `measure` call it, and ends it. */
export async function withServer(
  measure: (addresses: WireAddresses, longestPiece: LongestPiece) => Promise<void>,
): Promise<void> {
  const server = fork(fileURLToPath(new URL("wire-server.js", import.meta.url)), {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  try {
    await measure(await listeningAt(server), (work) => longestPieceOf(server, work));
  } finally {
    server.disconnect();
  }
}

async function longestPieceOf(server: ChildProcess, work: () => Promise<void>): Promise<number> {
  await ask(server, "watch");
  await work();
  return ask(server, "report");
}

/** What the server answers; the numbers of one question after the other come in order. */
function ask(server: ChildProcess, question: WatchQuestion): Promise<number> {
  return new Promise((resolve) => {
    server.once("message", (answer) => resolve(answer as number));
    server.send(question);
  });
}

function listeningAt(server: ChildProcess): Promise<WireAddresses> {
  return new Promise((resolve, reject) => {
    server.once("message", (addresses) => resolve(addresses as WireAddresses));
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`The server of the benchmark ended with ${code}.`)));
  });
}

/** A client as it is generated. */
export function createClient(address: string): AssemblyServiceClient {
  // Ten thousand fragments come back as 7 MB, which is more than a client takes by default.
  return new AssemblyServiceClient(address, credentials.createInsecure(), { "grpc.max_receive_message_length": -1 });
}

/** The request of a task, by relevance. The echo keeps its answer by the request id, so that each task needs its own. */
export function createRequest({ fragments, tokenBudget }: Task, requestId: string, trace?: Trace): AssembleRequest {
  return AssembleRequest.fromPartial({
    requestId,
    fragments: [...fragments],
    budget: { maxTokens: tokenBudget },
    strategies: [{ name: "relevance" }],
    ...(trace !== undefined && { trace }),
  });
}

/** One call. */
export function call(client: AssemblyServiceClient, request: AssembleRequest): Promise<AssembleResponse> {
  return new Promise((resolve, reject) => {
    client.assemble(request, (error, response) => (error === null ? resolve(response) : reject(error)));
  });
}
