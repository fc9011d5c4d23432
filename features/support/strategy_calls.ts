/** The calls of the strategies' service. */
import { StrategySpec } from "../../gen/acms/v1/strategy.js";
import type { AcmsWorld } from "./world.js";

export async function rankStrategies({ outcomes, request, server }: AcmsWorld, query = ""): Promise<void> {
  const draft = { query, fragments: request.fragments };
  await outcomes.record("candidates", async () => (await server.strategies.rankStrategies(draft)).candidates);
}

/** Lists one page; the size 0 means the server's own. */
export async function listStrategies({ outcomes, server }: AcmsWorld, pageSize = 0, pageToken = ""): Promise<void> {
  await outcomes.record("strategies", async () => {
    return (await server.strategies.listStrategies({ pageSize, pageToken })).strategies;
  });
}

/** Lists page after page to the end. */
export async function listPages({ outcomes, server }: AcmsWorld, pageSize: number): Promise<void> {
  await outcomes.record("pages", async () => {
    const pages: string[][] = [];
    for (let pageToken = "", more = true; more; more = pageToken !== "") {
      const { strategies, nextPageToken } = await server.strategies.listStrategies({ pageSize, pageToken });
      pages.push(strategies.map(({ name }) => name));
      pageToken = nextPageToken;
    }
    return pages;
  });
}

export async function getStrategy({ outcomes, server }: AcmsWorld, name: string): Promise<void> {
  await outcomes.record("strategies", async () => [(await server.strategies.getStrategy({ name })).strategy!]);
}

/** Registers settings under a name, with a confidence where one is given. */
export async function registerStrategy(
  { outcomes, server }: AcmsWorld,
  name: string,
  config: StrategySpec["config"],
  confidence?: number,
): Promise<void> {
  const strategy = { ...StrategySpec.fromPartial({ name }), config, confidence };
  await outcomes.record("strategies", async () => [(await server.strategies.registerStrategy({ strategy })).strategy!]);
}

export async function deleteStrategy({ outcomes, server }: AcmsWorld, name: string): Promise<void> {
  await outcomes.record("deleted", () => server.strategies.deleteStrategy({ name }));
}
