/** Hosted components run the suite of their role, as the built-in ones do. */
import { after } from "node:test";
import { checkCounterContract, checkStageContracts, checkStrategyContract } from "../core/contracts.fixture.js";
import { builtInRegistry, STAGES, type StageRole } from "../core/index.js";
import { attachFake, PLAIN } from "./fake-client.fixture.js";
import { createHosting } from "./host.js";

let ids = 0;
const hosting = createHosting(
  { newId: () => `session${ids++}`, exists: () => false },
  { stageTimeoutMs: 10_000, strategyTimeoutMs: 10_000 },
);
const client = attachFake(hosting, { answers: PLAIN });
after(() => client.drain());

const registry = hosting.registryOf("", builtInRegistry());
const names = Object.fromEntries(STAGES.map((role) => [role, "fake"])) as Record<StageRole, string>;

checkStageContracts(names, registry);
checkStrategyContract("fake", registry);
checkCounterContract(() => hosting.counterOf("", "fake", undefined)!);
