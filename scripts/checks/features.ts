import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { loadConfiguration, runCucumber } from "@cucumber/cucumber/api";
import type { Check } from "./check.js";

/** The scenarios under features, as cucumber.json sets them up. */
export const features: Check = {
  name: "features",
  run: async () => {
    const stdout = new PassThrough();
    const output = text(stdout);
    const environment = { cwd: process.cwd(), stdout, stderr: stdout };
    const { runConfiguration } = await loadConfiguration({}, environment);
    const statuses = new Map<string, string[]>();
    let passed = 0;
    let failed = 0;
    const { success } = await runCucumber(runConfiguration, environment, (message) => {
      const { testCaseStarted, testStepFinished, testCaseFinished } = message;
      if (testCaseStarted) statuses.set(testCaseStarted.id, []);
      if (testStepFinished) {
        statuses.get(testStepFinished.testCaseStartedId)?.push(testStepFinished.testStepResult.status);
      }
      if (testCaseFinished && !testCaseFinished.willBeRetried) {
        const holds = statuses.get(testCaseFinished.testCaseStartedId)?.every((status) => status === "PASSED");
        if (holds) passed++;
        else failed++;
      }
    });
    // What fails outside of every scenario, such as a hook around all of them.
    if (!success && failed === 0) failed = 1;
    stdout.end();
    const report = await output;
    return { passed, failed, report: failed === 0 ? "" : report.slice(Math.max(0, report.indexOf("Failures:"))) };
  },
};
