/**
 * A host in a process of its own, for scenarios that kill or freeze it: it hosts a scorer under the name given, says so, and answers nothing.
 *
 * Usage: hosting_process.ts ADDRESS NAMESPACE NAME
 */
import { fileURLToPath } from "node:url";
import { Metadata } from "@grpc/grpc-js";
import { lastBest } from "./client_parts.js";
import { ClientHost, type ClientPart } from "./hosting.js";

async function main([address = "", namespace = "", name = ""]: readonly string[]): Promise<void> {
  const metadata = new Metadata();
  metadata.set("acms-namespace", namespace);
  const silent: ClientPart = {
    kind: "scorer",
    declared: { ...lastBest.declared, timeout: { seconds: 20 }, pure: true },
    answer: () => {
      process.stdout.write("asked\n");
      return new Promise(() => {
        // The one who started this process ends it.
      });
    },
  };
  await new ClientHost(address, metadata, new Map([[name, silent]])).attach();
  process.stdout.write("attached\n");
  process.on("disconnect", () => process.exit());
}

// The runner of the features loads every file of this folder.
if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
