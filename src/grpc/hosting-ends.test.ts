/** How a host left, as the log tells it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:http2";
import { createConnection } from "node:net";
import { type TestContext, test } from "node:test";
import { HostRequest } from "../../gen/acms/v1/component_service.js";
import { ComponentDeclaration } from "../../gen/acms/v1/hosted_component.js";
import { hostAt, scorer, serverWith } from "./hosting.fixture.js";
import type { TestServer } from "./server.fixture.js";
import { frame } from "./wire.fixture.js";

const losses: Record<string, (t: TestContext, server: TestServer) => Promise<void>> = {
  "is cancelled": async (t, server) => (await hostAt(t, server, { components: [scorer] })).cut(),
  "loses its connection": async (_, { address }) => {
    const socket = createConnection(Number(address.split(":")[1]), "127.0.0.1");
    const session = connect(`http://${address}`, { createConnection: () => socket });
    const path = "/acms.v1.ComponentService/Host";
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
    });
    stream.on("error", () => {});
    const components = [ComponentDeclaration.fromPartial(scorer)];
    const message = { $case: "attach" as const, value: { components, host: "test", maxQuestionBytes: 0 } };
    stream.write(frame(HostRequest.encode({ message }).finish()));
    await once(stream, "data");
    socket.destroy();
  },
};

for (const [what, lose] of Object.entries(losses)) {
  test(`a host whose call ${what} is logged as lost, not as one that broke the rules`, async (t) => {
    const server = await serverWith(t);
    await lose(t, server);
    const left = await server.line(({ msg }) => msg === "a host left");
    assert.deepEqual([left.cause, left.components], ["lost", ["scorer/mine"]]);
    const call = await server.line(({ method }) => method === "/acms.v1.ComponentService/Host");
    assert.deepEqual([call.status, call.reason], ["CANCELLED", "CANCELLED"]);
  });
}

test("a host that ends its side without a drain is logged as one that broke the rules", async (t) => {
  const server = await serverWith(t);
  const host = await hostAt(t, server, { components: [scorer] });
  host.stream.end();
  const left = await server.line(({ msg }) => msg === "a host left");
  assert.match(String(left.cause), /^CONVERSATION_BROKEN/);
  assert.deepEqual(left.components, ["scorer/mine"]);
  const call = await server.line(({ method }) => method === "/acms.v1.ComponentService/Host");
  assert.deepEqual([call.status, call.reason], ["INVALID_ARGUMENT", "CONVERSATION_BROKEN"]);
});
