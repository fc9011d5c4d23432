import assert from "node:assert/strict";
import { test } from "node:test";
import { status as Status } from "@grpc/grpc-js";
import { startTestServer } from "./server.fixture.js";
import { frame, rawCall } from "./wire.fixture.js";

const unknown = {
  "a method that its service does not have": "/acms.v1.AssemblyService/Nope",
  "a service that does not exist": "/acms.v1.NoService/Assemble",
  "no method at all": "/",
};

for (const [what, path] of Object.entries(unknown)) {
  test(`a call of ${what} is UNIMPLEMENTED, and has one line in the log without content`, async (t) => {
    const server = await startTestServer(t);
    const { failure } = await rawCall(server.address, { path, body: frame(Buffer.from("swordfish")) });
    assert.equal(failure.code, Status.UNIMPLEMENTED);
    assert.equal(failure.message, `The server does not implement the method ${path}`);
    const line = await server.line(({ method }) => method === path);
    assert.equal(line.status, "UNIMPLEMENTED");
    assert.equal(typeof line.durationMs, "number");
    // A later call's line comes after all lines of the earlier one.
    await rawCall(server.address);
    await server.line(({ method }) => method !== path);
    assert.equal(server.lines.length, 2);
    assert.ok(!JSON.stringify(server.lines).includes("swordfish"));
  });
}

test("a path that is long or odd is logged short and readable", async (t) => {
  const server = await startTestServer(t);
  const path = `/x\u00e9y/${"z".repeat(10_000)}`;
  const { failure } = await rawCall(server.address, { path });
  assert.equal(failure.code, Status.UNIMPLEMENTED);
  const line = await server.line(({ status }) => status === "UNIMPLEMENTED");
  assert.match(String(line.method), /^\/x\?+y\/z+…$/);
  assert.ok(String(line.method).length <= 257);
});
