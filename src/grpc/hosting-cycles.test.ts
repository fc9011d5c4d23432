/** Hosts that come and go leave nothing behind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { credentials } from "@grpc/grpc-js";
import { ComponentServiceClient, type HostResponse } from "../../gen/acms/v1/component_service.js";
import { ComponentDeclaration } from "../../gen/acms/v1/hosted_component.js";
import { scorer, serverWith } from "./hosting.fixture.js";
import { pause } from "./server.fixture.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

async function heapMebibytes(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collect();
    await pause(20);
  }
  return process.memoryUsage().heapUsed / 1_048_576;
}

test("two thousand hosts that come and go leave no memory behind, whether they leave in order or are cut off", async (t) => {
  const server = await serverWith(t);
  const client = new ComponentServiceClient(server.address, credentials.createInsecure());
  t.after(() => client.close());
  const components = [ComponentDeclaration.fromPartial(scorer)];
  const cycle = (inOrder: boolean): Promise<void> =>
    new Promise((resolve) => {
      const stream = client.host();
      stream.on("error", () => {
        // Who is cut off sees an error.
      });
      stream.on("status", () => resolve());
      stream.on("data", ({ message }: HostResponse) => {
        if (message?.$case !== "welcome") return;
        if (inOrder) stream.write({ message: { $case: "drain", value: { grace: undefined } } });
        else stream.cancel();
      });
      stream.write({ message: { $case: "attach", value: { components, host: "", maxQuestionBytes: 0 } } });
    });
  for (let i = 0; i < 500; i++) await cycle(i % 2 === 0);
  const before = await heapMebibytes();
  for (let i = 0; i < 2_000; i++) await cycle(i % 2 === 0);
  // A line of the log for each call stays with the test's server.
  (server.lines as unknown[]).length = 0;
  const grown = (await heapMebibytes()) - before;
  assert.ok(grown < 3, `the heap has grown by ${grown} MiB`);
});
