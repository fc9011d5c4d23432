import assert from "node:assert/strict";
import { test } from "node:test";
import { parseProtoJson } from "../../proto-json/index.js";
import { captureRun } from "../captured-run.js";

test("strategies come as ProtoJSON, by name", async () => {
  const { code, stdout, stderr } = await captureRun(["strategies"]);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  parseProtoJson("acms.v1.ListStrategiesResponse", stdout);
  const { strategies } = JSON.parse(stdout);
  const names = strategies.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, [...names].sort());
  const relevance = strategies.find(({ name }: { name: string }) => name === "relevance");
  assert.equal(relevance.confidence, 0.8);
  assert.equal(relevance.capabilities.supportsSemanticSearch, true);
  assert.equal(relevance.capabilities.supportsGraphNavigation, false);
});

test("for people each says how it ranks and what it can do", async () => {
  const { code, stdout } = await captureRun(["strategies", "--format", "text"]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^recency {2}confidence 0\.6\n {2}Ranks fragments by creation time[\s\S]*?\n {2}quality [\d.]+; any number of fragments; supports temporal archaeology\n\n/m,
  );
  assert.ok(stdout.split("\n").every((line) => line.length <= 80));
});
