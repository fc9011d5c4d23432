import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { credentials, status as Status } from "@grpc/grpc-js";
import { FitPromptRequest, type FitPromptResponse, PromptServiceClient } from "../../gen/acms/v1/prompt_service.js";
import { createApp } from "../app.js";
import { answered, ended, failing, startTestServer } from "./server.fixture.js";

async function connect(t: TestContext, app = createApp()) {
  const server = await startTestServer(t, { app });
  const client = new PromptServiceClient(server.address, credentials.createInsecure());
  t.after(() => client.close());
  const fit = (request: Parameters<typeof FitPromptRequest.fromPartial>[0]) =>
    ended<FitPromptResponse>((callback) => client.fitPrompt(FitPromptRequest.fromPartial(request), callback));
  return { server, fit };
}

const text = (name: string, content: string) => ({ name, parts: [{ content }] });

test("a prompt comes back with its report", async (t) => {
  const { server, fit } = await connect(t);
  const sections = [text("context", "c".repeat(8_000)), text("instructions", "Review.")];
  const { prompt, report } = await answered(fit({ sections, budget: 1_000 }));
  assert.equal(prompt, "Review.\n\nNote: this prompt was cut to fit its token budget: context left out.");
  assert.deepEqual(report, {
    budget: 1_000,
    effectiveBudget: 900,
    estimatedTokens: 20,
    omitted: ["context"],
    projectShrunk: false,
    planTruncationPercent: 0,
    hardFailed: false,
    failedLimit: "",
    noteInjected: true,
  });
  const line = await server.line(({ method }) => String(method).endsWith("FitPrompt"));
  assert.equal(line.tokens, 20);
  assert.ok(!JSON.stringify(server.lines).includes("Review."));
});

test("a policy of each kind is understood", async (t) => {
  const { fit } = await connect(t);
  const sections = [
    { ...text("a", "a".repeat(40)), policy: { policy: { $case: "keep" as const, value: {} } } },
    { ...text("b", "b\n".repeat(400)), policy: { policy: { $case: "headLines" as const, value: { lines: 2 } } } },
    { ...text("c", "c".repeat(400)), policy: { policy: { $case: "shorten" as const, value: { floorCharacters: 5 } } } },
    { ...text("d", "d".repeat(400)), policy: { policy: { $case: "drop" as const, value: {} } } },
  ];
  const noteTemplate = "{cuts}";
  const { prompt } = await answered(fit({ sections, layout: "plain", budget: 95, marginPercent: 0, noteTemplate }));
  const pieces = ["d left out, c shortened, b cut to 2 lines", "a".repeat(40), "b\nb", "c".repeat(13)];
  assert.equal(prompt, pieces.join("\n\n"));
});

test("that nothing fits is an answer", async (t) => {
  const { fit } = await connect(t);
  const { prompt, report } = await answered(fit({ sections: [text("instructions", "i".repeat(800))], budget: 50 }));
  assert.deepEqual([prompt, report?.hardFailed, report?.failedLimit], ["", true, "minimum"]);
});

test("every fault of a request is named, the server's own limit of a text among them", async (t) => {
  const { fit } = await connect(t, createApp({ limits: { maxContentCharacters: 10 } }));
  const failure = await failing(fit({ sections: [text("instructions", "i".repeat(11))], layout: "wide" }));
  assert.deepEqual([failure.code, failure.reason], [Status.INVALID_ARGUMENT, "INVALID_REQUEST"]);
  assert.deepEqual(
    failure.violations.map(({ field }) => field),
    ["layout", "sections[0].parts[0].content", "budget"],
  );
  assert.match(failure.violations[0]?.description ?? "", /allowed are review, plain/);
});
