import assert from "node:assert/strict";
import { type DataTable, Given, Then, When } from "@cucumber/cucumber";
import { status as Status } from "@grpc/grpc-js";
import { PipelineSpec } from "../../gen/acms/v1/component.js";
import { type Component, ComponentState } from "../../gen/acms/v1/component_service.js";
import type { ComponentRole } from "../../gen/acms/v1/hosted_component.js";
import { ScorerOutput } from "../../gen/acms/v1/hosted_stage.js";
import { Source } from "../../gen/acms/v1/strategy.js";
import { STAGES, type StageRole } from "../../src/core/index.js";
import {
  cheapestFirst,
  countWords,
  deepestFirst,
  lastBest,
  readBackwards,
  shallowestPerNode,
  takeAll,
} from "../support/client_parts.js";
import type { ClientPart } from "../support/hosting.js";
import { camelCase } from "../support/tables.js";
import type { AcmsWorld } from "../support/world.js";

const parts: Readonly<Record<string, ClientPart>> = {
  "scorer that prefers what came last": lastBest,
  "pure scorer that prefers what came last": {
    ...lastBest,
    declared: { ...lastBest.declared, pure: true, timeout: { seconds: 20 } },
  } as ClientPart,
  "depth resolver that prefers the shallowest": shallowestPerNode,
  "packer that takes the cheapest first": cheapestFirst,
  "packer that takes everything": takeAll,
  "orderer that reads from the last to the first": readBackwards,
  "token counter that counts words": countWords,
  "strategy that ranks the deepest first": deepestFirst,
  "scorer that fails": scorerThat(() => {
    throw new Error("no model today");
  }),
  "scorer that answers one score too few": scorerThat((count) => Array.from({ length: count - 1 }, () => 0.5)),
  "scorer that answers scores above one": scorerThat((count) => Array.from({ length: count }, () => 1.5)),
  "scorer that answers scores that are no number": scorerThat((count) =>
    Array.from({ length: count }, () => Number.NaN),
  ),
};

function scorerThat(scores: (count: number) => number[]): ClientPart {
  return {
    kind: "scorer",
    answer: ({ fragments }) => ScorerOutput.fromPartial({ scores: scores(fragments.length) }),
  };
}

/** Scores as it should, after a while. */
function slowly(ms: number, timeout: { seconds?: number; nanos?: number }): ClientPart {
  return {
    kind: "scorer",
    declared: { timeout },
    answer: async ({ fragments }) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return ScorerOutput.fromPartial({ scores: fragments.map((_, i) => (i + 1) / fragments.length) });
    },
  };
}

Given(
  /^a client's (pure scorer|scorer|depth resolver|packer|orderer|token counter|strategy) "([^"]*)" that (prefers .*|takes .*|reads .*|counts words|ranks the deepest first|fails|answers one .*|answers scores .*)$/,
  async function (this: AcmsWorld, role: string, name: string, behaviour: string) {
    const part = parts[`${role} that ${behaviour}`];
    assert(part, `no client has a ${role} that ${behaviour}`);
    await this.host(name, part);
  },
);

Given("a client's scorer {string} that answers late", async function (this: AcmsWorld, name: string) {
  await this.host(name, slowly(200, { nanos: 50_000_000 }));
});

Given(
  "a client's scorer {string} that thinks for {int} milliseconds",
  async function (this: AcmsWorld, name: string, ms: number) {
    await this.host(name, slowly(ms, { seconds: 10 }));
  },
);

Given("a client's scorer {string} that answers twice", async function (this: AcmsWorld, name: string) {
  let invocation = 0;
  const host = await this.host(name, {
    ...lastBest,
    kind: "scorer",
    answer: ({ fragments }) => {
      const value = ScorerOutput.fromPartial({ scores: fragments.map((_, i) => (i + 1) / fragments.length) });
      host.say({ $case: "result", value: { invocation: ++invocation, output: { $case: "scorer", value } } });
      return value;
    },
  });
});

Given("a client's scorer {string} that floods the server", async function (this: AcmsWorld, name: string) {
  const host = await this.host(name, {
    kind: "scorer",
    answer: () => {
      for (let i = 0; i < 5_000; i++) host.say({ $case: "heartbeat", value: { number: i } });
      return new Promise(() => {
        // It has no time to answer.
      });
    },
  });
});

Given(
  "a client's process that hosts the scorer {string} and answers nothing",
  async function (this: AcmsWorld, name: string) {
    await this.spawnHost(name);
  },
);

Given("the request counts by {string}", function (this: AcmsWorld, tokenizer: string) {
  this.request.tokenizer = tokenizer;
});

Given(
  /^where its (.*) fails the request shall (fail|skip|fall back)$/,
  function (this: AcmsWorld, stage: string, policy: string) {
    const number = STAGES.indexOf(stage.replaceAll(" ", "_") as StageRole) + 1;
    assert(number > 0, `there is no stage ${stage}`);
    const failurePolicies = [{ stage: number, policy: ["fail", "skip", "fall back"].indexOf(policy) + 1 }];
    this.request.pipeline = PipelineSpec.fromPartial({ ...this.request.pipeline, failurePolicies });
  },
);

When("the client assembles {int} times by {string}", async function (this: AcmsWorld, times: number, strategy: string) {
  for (let i = 0; i < times; i++) await this.assembleBy(strategy);
});

When(
  "the client's process is killed while the client assembles by {string}",
  async function (this: AcmsWorld, strategy: string) {
    const running = this.assembleBy(strategy);
    await this.spawnedHost.hasSaid("asked");
    await this.spawnedHost.kill();
    await running;
  },
);

When(
  "the client's process is frozen while the client assembles by {string}",
  async function (this: AcmsWorld, strategy: string) {
    const running = this.assembleBy(strategy);
    await this.spawnedHost.hasSaid("asked");
    this.spawnedHost.freeze();
    await running;
  },
);

When("the server stops while the client assembles by {string}", async function (this: AcmsWorld, strategy: string) {
  const running = this.assembleBy(strategy);
  while (this.askedOf("scorer").length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await Promise.all([this.server.stop(), running]);
});

When("the client lists the {stage}s", async function (this: AcmsWorld, role: StageRole) {
  const request = { pageSize: 0, pageToken: "", role: (STAGES.indexOf(role) + 1) as ComponentRole };
  await this.outcomes.record(
    "components",
    async () => (await this.server.components.listComponents(request)).components,
  );
});

Then("these components are among them:", function (this: AcmsWorld, table: DataTable) {
  const components = this.answer("components");
  for (const expected of table.hashes()) {
    const component = components.find(({ name }) => name === expected.name);
    assert(component, `there is no component ${expected.name}`);
    for (const [column, value] of Object.entries(expected)) {
      assert.equal(String(cellOf(component, column)), value, `${component.name}: ${column}`);
    }
  }
});

function cellOf(component: Component, column: string): unknown {
  const words = (name: string | undefined, prefix: string) =>
    name?.replace(prefix, "").toLowerCase().replaceAll("_", " ");
  if (column === "source") return words(Source[component.source], "SOURCE_");
  if (column === "state") return words(ComponentState[component.state], "COMPONENT_STATE_");
  return component[camelCase(column) as keyof Component];
}

Then("nothing departs from what was asked", function (this: AcmsWorld) {
  assert.deepEqual(this.payload.warnings, []);
});

Then("the warning names {names}", function (this: AcmsWorld, texts: string[]) {
  const message = this.payload.warnings.map((warning) => warning.message).join("\n");
  for (const text of texts) assert(message.includes(text), `${text} is not in: ${message}`);
});

Then("each client's component was asked {int} times", function (this: AcmsWorld, times: number) {
  assert.deepEqual(
    this.hosts.map(({ asked }) => asked.length),
    this.hosts.map(() => times),
  );
});

Then("the client's stream has ended with {word}", async function (this: AcmsWorld, status: string) {
  const { status: code, message } = await this.hosts.at(-1)!.ended;
  assert.equal(Status[code], status, message);
});

Then("the client was told that the server stops", function (this: AcmsWorld) {
  assert(this.hosts.at(-1)!.isToldToStop);
});
