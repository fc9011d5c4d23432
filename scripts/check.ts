// Everything that must hold before a change lands: `tsx scripts/check.ts` runs all, `tsx scripts/check.ts lint` what needs no running.
// A check that fails does not keep the next one from running; the last line says how many passed and failed of all.
import { type Check, commandCheck } from "./checks/check.js";
import { features } from "./checks/features.js";
import { generatedCode } from "./checks/generated-code.js";
import { unitTests } from "./checks/unit-tests.js";

const lint: readonly Check[] = [
  commandCheck("formatting and lint", "biome", "check", "--error-on-warnings", "--colors=off"),
  commandCheck("contract: lint", "buf", "lint"),
  commandCheck("contract: formatting", "buf", "format", "-d", "--exit-code"),
  commandCheck("contract: no breaking change", "buf", "breaking", "proto", "--against", "proto/baseline.binpb"),
];

const all: readonly Check[] = [
  generatedCode,
  ...lint,
  commandCheck("types", "npm", "run", "--silent", "types"),
  commandCheck("build", "npm", "run", "--silent", "build"),
  unitTests,
  features,
];

const checks = new Map([
  ["all", all],
  ["lint", lint],
]).get(process.argv[2] ?? "all");

if (checks === undefined) {
  console.error(`there is no group of checks ${JSON.stringify(process.argv[2])}, only all and lint`);
  process.exit(2);
}

let passed = 0;
let failed = 0;
for (const check of checks) {
  const startMs = performance.now();
  const result = await check.run();
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  const count = result.passed + result.failed === 1 ? "" : `: ${result.passed} of ${result.passed + result.failed}`;
  console.log(`${result.failed === 0 ? "ok    " : "FAILED"} ${check.name}${count} (${seconds} s)`);
  if (result.report !== "") console.log(`\n${result.report.trimEnd().replace(/^(?=.)/gm, "  ")}\n`);
  passed += result.passed;
  failed += result.failed;
}

console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
