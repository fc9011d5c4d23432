import type { StrategySpec as WireSpec, Strategy as WireStrategy } from "../../gen/acms/v1/strategy.js";
import type { StrategyServiceService } from "../../gen/acms/v1/strategy_service.js";
import type { App } from "../app.js";
import { rankStrategiesAlone, type StrategySpec } from "../core/index.js";
import { pageOf } from "./pages.js";
import { sourceToWire } from "./to-wire.js";
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
    rankStrategies: async (request, call) => {
      const around = { registry: app.registryOf(call.namespace), limits: app.limits, run: app.createRun("", call) };
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
  const source = registry.sourceOfStrategy(name);
  const spec = source === "registered" ? app.specOf(namespace, name) : undefined;
  return {
    name,
    explanation: strategy.explanation,
    capabilities: strategy.capabilities,
    confidence: strategy.confidence(""),
    source: sourceToWire(source),
    config: spec === undefined ? undefined : specToWire(spec),
  };
}

function specToWire({ name, confidence, config }: StrategySpec): WireSpec {
  return { name, confidence, config: config as WireSpec["config"] };
}
