/**
 * The story: of all that is known, what goes into the prompt? Ten stages in three movements. Choose: which strategies rank, with which
 * shares. Fuse: merge what they nominate and spend the budget on it. Present: order it, introduce it, outline the parents. Then seal.
 */
import { openAssembly } from "./assembly.js";
import { allocateBudget } from "./choose/allocate-budget.js";
import { executeStrategies } from "./choose/execute-strategies.js";
import { selectStrategies } from "./choose/select-strategies.js";
import { commitPins } from "./fuse/commit-pins.js";
import { deduplicate } from "./fuse/deduplicate.js";
import { packFragments } from "./fuse/pack-fragments.js";
import { reserveTokens } from "./fuse/reserve-tokens.js";
import { resolveDepths } from "./fuse/resolve-depths.js";
import { scoreFragments } from "./fuse/score-fragments.js";
import type { Payload } from "./model/payload.js";
import type { Request } from "./model/request.js";
import { compressSkeleton } from "./present/compress-skeleton.js";
import { generatePreamble } from "./present/generate-preamble.js";
import { orderFragments } from "./present/order-fragments.js";
import type { Registry } from "./registry.js";
import type { Run } from "./run.js";
import { seal } from "./seal.js";

/**
 * Assembles a payload from a valid request. Throws a `ContextError`: for a name that does not exist, for pins that do not fit, for a
 * component that failed or broke its contract; an aborted run ends with the reason of its signal.
 */
export async function assemble(request: Request, registry: Registry, run: Run): Promise<Payload> {
  await run.breathe();
  const assembly = openAssembly(request, registry, run);
  const committed = commitPins(assembly);
  const reserves = reserveTokens(assembly, committed);

  const candidates = await selectStrategies(assembly);
  const allocations = await allocateBudget(assembly, candidates, reserves.spendableTokens);
  const nominated = await executeStrategies(assembly, allocations, committed);

  const distinct = await deduplicate(assembly, nominated, committed);
  const resolved = await resolveDepths(assembly, distinct);
  const scored = await scoreFragments(assembly, resolved);
  const selection = await packFragments(assembly, scored, committed, reserves.spendableTokens);

  const ordered = await orderFragments(assembly, selection);
  const preamble = await generatePreamble(assembly, ordered, reserves);
  const skeleton = await compressSkeleton(assembly, reserves);

  await run.breathe();
  return seal(assembly, { ordered, preamble, skeleton });
}
