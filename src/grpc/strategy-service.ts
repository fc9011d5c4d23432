import { Source, type Strategy as WireStrategy } from "../../gen/acms/v1/strategy.js";
import type {
  GetStrategyRequest,
  GetStrategyResponse,
  ListStrategiesRequest,
  ListStrategiesResponse,
  RankStrategiesRequest,
  RankStrategiesResponse,
} from "../../gen/acms/v1/strategy_service.js";
import type { App } from "../app.js";
import { rankStrategiesAlone, type Strategy } from "../core/index.js";
import { pageOf } from "./pages.js";
import type { UnaryHandler } from "./unary.js";

/** The handlers of `StrategyService`. */
export function strategyHandlers(app: App): {
  listStrategies: UnaryHandler<ListStrategiesRequest, ListStrategiesResponse>;
  getStrategy: UnaryHandler<GetStrategyRequest, GetStrategyResponse>;
  rankStrategies: UnaryHandler<RankStrategiesRequest, RankStrategiesResponse>;
} {
  const { registry } = app;
  return {
    listStrategies: ({ pageSize, pageToken }) => {
      const { items, nextPageToken } = pageOf([...registry.strategies()], ([name]) => name, pageSize, pageToken);
      return {
        strategies: items.map(([name, strategy]) => strategyToWire(name, strategy, registry.isBuiltIn(name))),
        nextPageToken,
      };
    },
    getStrategy: ({ name }) => ({ strategy: strategyToWire(name, registry.strategy(name), registry.isBuiltIn(name)) }),
    rankStrategies: async (request, { signal }) => {
      const around = { registry, limits: app.limits, run: app.createRun("", signal) };
      return { candidates: [...(await rankStrategiesAlone(request, around))] };
    },
  };
}

function strategyToWire(name: string, strategy: Strategy, isBuiltIn: boolean): WireStrategy {
  return {
    name,
    explanation: strategy.explanation,
    capabilities: strategy.capabilities,
    confidence: strategy.confidence(""),
    source: isBuiltIn ? Source.SOURCE_BUILT_IN : Source.SOURCE_REGISTERED,
    config: undefined,
  };
}
