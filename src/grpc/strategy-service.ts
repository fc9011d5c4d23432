import { Source, type StrategySpec as WireSpec, type Strategy as WireStrategy } from "../../gen/acms/v1/strategy.js";
import type { StrategyServiceService } from "../../gen/acms/v1/strategy_service.js";
import type { App } from "../app.js";
import { rankStrategiesAlone, type StrategySpec } from "../core/index.js";
import { pageOf } from "./pages.js";
import type { HandlersOf } from "./unary.js";

/** The handlers of `StrategyService`. */
export function strategyHandlers(app: App): HandlersOf<typeof StrategyServiceService> {
  return {
    listStrategies: ({ pageSize, pageToken }, { namespace }) => {
      const names = [...app.registryOf(namespace).strategies().keys()];
      const { items, nextPageToken } = pageOf(names, (name) => name, pageSize, pageToken);
      return { strategies: items.map((name) => describeStrategy(app, namespace, name)), nextPageToken };
    },
    getStrategy: ({ name }, { namespace }) => ({ strategy: describeStrategy(app, namespace, name) }),
    rankStrategies: async (request, { namespace, signal }) => {
      const around = { registry: app.registryOf(namespace), limits: app.limits, run: app.createRun("", signal) };
      return { candidates: [...(await rankStrategiesAlone(request, around))] };
    },
    registerStrategy: async ({ strategy }, { namespace, signal }) => {
      await app.register(namespace, strategy, signal);
      return { strategy: describeStrategy(app, namespace, strategy!.name) };
    },
    deleteStrategy: async ({ name }, { namespace }) => {
      await app.unregister(namespace, name);
      return {};
    },
  };
}

function describeStrategy(app: App, namespace: string, name: string): WireStrategy {
  const registry = app.registryOf(namespace);
  const strategy = registry.strategy(name);
  const spec = app.specOf(namespace, name);
  return {
    name,
    explanation: strategy.explanation,
    capabilities: strategy.capabilities,
    confidence: strategy.confidence(""),
    source: spec === undefined ? Source.SOURCE_BUILT_IN : Source.SOURCE_REGISTERED,
    config: spec === undefined ? undefined : specToWire(spec),
  };
}

function specToWire({ name, confidence, config }: StrategySpec): WireSpec {
  return { name, confidence, config: config as WireSpec["config"] };
}
