import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ConfigError, type ConfigSources, loadConfig } from "./load.js";

function load(sources: Partial<ConfigSources>) {
  return loadConfig({ flags: {}, env: {}, ...sources });
}

function faultsOf(sources: Partial<ConfigSources>): readonly string[] {
  try {
    load(sources);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.faults;
  }
  return assert.fail("was accepted");
}

function configFile(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "acms-config-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "acms.json");
  writeFileSync(file, text);
  return file;
}

test("without any source the defaults hold", () => {
  assert.deepEqual(load({}), {
    host: "127.0.0.1",
    port: 50_551,
    maxReceiveBytes: 16_777_216,
    maxFragments: 10_000,
    maxContentCharacters: 1_000_000,
    maxConcurrentCalls: 256,
    shutdownGraceMs: 10_000,
    defaultTokenizer: "chars4",
    expressionTimeLimitMs: 200,
    heartbeatIntervalMs: 10_000,
    maxHosts: 100,
    maxHostedComponents: 32,
    maxAnswerBytes: 4_194_304,
    hostedTimeoutCapMs: 30_000,
    hostedStageTimeoutMs: 200,
    hostedStrategyTimeoutMs: 1_000,
    dataDir: "",
    logLevel: "info",
  });
});

test("flags win over the environment, that over the file, and that over the defaults", (t) => {
  const file = configFile(t, '{"port": 1, "maxFragments": 1, "host": "file"}');
  const env = { ACMS_PORT: "2", ACMS_MAX_FRAGMENTS: "2", ACMS_CONFIG: "/nowhere" };
  const config = load({ flags: { port: "3" }, env, file });
  const { port, maxFragments, host, logLevel } = config;
  assert.deepEqual(
    { port, maxFragments, host, logLevel },
    { port: 3, maxFragments: 2, host: "file", logLevel: "info" },
  );
});

test("the environment names a file where no flag does", (t) => {
  assert.equal(load({ env: { ACMS_CONFIG: configFile(t, '{"port": 7}') } }).port, 7);
});

test("an empty variable counts as absent, an empty flag does not", () => {
  assert.equal(load({ env: { ACMS_PORT: "", ACMS_CONFIG: "" } }).port, 50_551);
  assert.equal(faultsOf({ flags: { port: "" } }).length, 1);
});

test("every fault of every source is reported at once: where it came from, what came, what is allowed", (t) => {
  const file = configFile(t, '{"port": "1", "prot": 1, "maxFragments": 0, "logLevel": null, "host": ["a"]}');
  const env = { ACMS_PORT: "65536", ACMS_LOG_LEVEL: "loud" };
  const flags = { port: "1e3", host: "a:1", defaultTokenizer: "words" };
  const names =
    "host, port, maxReceiveBytes, maxFragments, maxContentCharacters, maxConcurrentCalls, shutdownGraceMs, defaultTokenizer, expressionTimeLimitMs, heartbeatIntervalMs, maxHosts, maxHostedComponents, maxAnswerBytes, hostedTimeoutCapMs, hostedStageTimeoutMs, hostedStrategyTimeoutMs, dataDir, logLevel";
  const ports = "a whole number from 0 to 65535 is allowed";
  const levels = "one of fatal, error, warn, info, debug, trace, silent is allowed";
  const hosts = "an IP address or a host's name, without a port is allowed";
  assert.deepEqual(faultsOf({ flags, env, file }), [
    `${file}: no setting has the name "prot"; there are ${names}`,
    `port in ${file}: "1" came, and ${ports}`,
    `maxFragments in ${file}: 0 came, and a whole number from 1 to 10000000 is allowed`,
    `logLevel in ${file}: null came, and ${levels}`,
    `host in ${file}: an array came, and ${hosts}`,
    `ACMS_PORT: 65536 came, and ${ports}`,
    `ACMS_LOG_LEVEL: "loud" came, and ${levels}`,
    `--host: "a:1" came, and ${hosts}`,
    `--port: "1e3" came, and ${ports}`,
    '--default-tokenizer: "words" came, and one of chars4 is allowed',
  ]);
});

test("a bad value is a fault even where another one wins", () => {
  assert.equal(faultsOf({ flags: { port: "1" }, env: { ACMS_PORT: "x" } }).length, 1);
});

test("a file that is absent, no JSON or no object is a fault", (t) => {
  assert.match(faultsOf({ file: "/nowhere/acms.json" })[0] ?? "", /^\/nowhere\/acms\.json: cannot be read: ENOENT/);
  assert.match(faultsOf({ file: configFile(t, "{port: 1}") })[0] ?? "", /acms\.json: is not JSON: /);
  assert.match(faultsOf({ file: configFile(t, "[1]") })[0] ?? "", /an array came, and an object with settings is/);
});

test("hosts are names and addresses of both families", () => {
  for (const host of ["localhost", "::1", "0.0.0.0", "acms.internal"]) {
    assert.equal(load({ flags: { host } }).host, host);
  }
  for (const host of ["", "[::1]", "a b", "http://a", "127.0.0.1:80"]) {
    assert.equal(faultsOf({ flags: { host } }).length, 1, host);
  }
});

test("a setting beyond what another one allows is refused, wherever it came from", (t) => {
  assert.deepEqual(faultsOf({ flags: { maxAnswerBytes: "16777216" } }), [
    "--max-answer-bytes: 16777216 came, and at most 14680064 is allowed, which is 7/8 of maxReceiveBytes",
  ]);
  const file = configFile(t, '{"hostedTimeoutCapMs": 50, "hostedStrategyTimeoutMs": 51}');
  assert.deepEqual(faultsOf({ env: { ACMS_HOSTED_STAGE_TIMEOUT_MS: "60" }, file }), [
    "ACMS_HOSTED_STAGE_TIMEOUT_MS: 60 came, and at most 50 is allowed, which is hostedTimeoutCapMs",
    `hostedStrategyTimeoutMs in ${file}: 51 came, and at most 50 is allowed, which is hostedTimeoutCapMs`,
  ]);
});

test("what another setting allows is taken, and a default beyond it is no fault", () => {
  const flags = { maxReceiveBytes: "33554432", maxAnswerBytes: "29360128" };
  assert.equal(load({ flags }).maxAnswerBytes, 29_360_128);
  assert.equal(load({ flags: { maxReceiveBytes: "1024", hostedTimeoutCapMs: "1" } }).maxReceiveBytes, 1_024);
});

test("of a setting that is given twice the one that holds has to be allowed by the others", () => {
  const env = { ACMS_MAX_ANSWER_BYTES: "16777216" };
  assert.equal(load({ flags: { maxAnswerBytes: "4096" }, env }).maxAnswerBytes, 4_096);
});

test("a setting that is not valid by itself allows nothing and forbids nothing", () => {
  const faults = faultsOf({ flags: { maxReceiveBytes: "x", maxAnswerBytes: "2147483647" } });
  assert.equal(faults.length, 1);
  assert.match(faults[0]!, /^--max-receive-bytes: "x" came/);
});
