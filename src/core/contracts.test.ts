/** Every built-in component runs the suite of its role. */
import { builtInRegistry } from "./built-in.js";
import { checkCounterContract, checkStageContract, checkStrategyContract } from "./contracts.fixture.js";
import { characterCounter } from "./drafts.fixture.js";
import { STAGES } from "./stages.js";

const registry = builtInRegistry();

for (const role of STAGES) for (const name of registry.componentNames(role)) checkStageContract(role, name, registry);
for (const name of registry.strategies().keys()) checkStrategyContract(name, registry);
checkCounterContract(() => characterCounter);
