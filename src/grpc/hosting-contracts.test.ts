/** Components that are hosted over a real connection, by the generated client, run the suite of their role, as the built-in ones do. */
import { after, type TestContext } from "node:test";
import { createApp } from "../app.js";
import { checkCounterContract, checkStageContracts, checkStrategyContract } from "../core/contracts.fixture.js";
import { builtInRegistry, STAGES, type StageRole } from "../core/index.js";
import { PLAIN, roleOf } from "../hosting/fake-client.fixture.js";
import { type Answering, attachHost } from "./host.fixture.js";
import { startTestServer } from "./server.fixture.js";

/** The same parts as those of the client without a network. */
const answer: Answering = ({ input }) => {
  const { $case, value } = input!;
  const part = PLAIN[$case] as (given: unknown) => unknown;
  return { $case, value: part(value) } as Awaited<ReturnType<Answering>>;
};

const namespace = "contracts";
const app = createApp({ hosting: { stageTimeoutMs: 10_000, strategyTimeoutMs: 10_000 } });
const server = await startTestServer({ after } as unknown as TestContext, { app });
const host = await attachHost(server.address, {
  components: Object.keys(PLAIN).map((kind) => ({ role: roleOf(kind), name: "fake" })),
  namespace,
  answer,
});
after(() => host.leave());

const registry = app.hosting.registryOf(namespace, builtInRegistry());
const names = Object.fromEntries(STAGES.map((role) => [role, "fake"])) as Record<StageRole, string>;

checkStageContracts(names, registry, 20);
checkStrategyContract("fake", registry, 20);
checkCounterContract(() => app.hosting.counterOf(namespace, "fake", undefined)!);
