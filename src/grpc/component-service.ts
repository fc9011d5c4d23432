import { type Component, type ComponentServiceService, ComponentState } from "../../gen/acms/v1/component_service.js";
import { ComponentRole as WireRole } from "../../gen/acms/v1/hosted_component.js";
import type { Duration } from "../../gen/google/protobuf/duration.js";
import type { App } from "../app.js";
import { type ComponentRole, type Source, STAGES } from "../core/index.js";
import type { CallStats } from "../hosting/index.js";
import { pageOf } from "./pages.js";
import { sourceToWire } from "./to-wire.js";
import type { HandlersOf } from "./unary.js";

/** The handlers of `ComponentService`. */
export function componentHandlers(app: App): HandlersOf<typeof ComponentServiceService> {
  return {
    listComponents: ({ pageSize, pageToken, role }, { namespace }) => {
      const wanted = componentsOf(app, namespace).filter((component) => role === 0 || component.role === role);
      const { items, nextPageToken } = pageOf(wanted, sortKeyOf, pageSize, pageToken);
      return { components: [...items], nextPageToken };
    },
    host: (peer) => app.hosting.open(peer),
  };
}

/** Roles in their order, and within them the names. */
function sortKeyOf({ role, name }: Component): string {
  return `${String(role).padStart(2, "0")} ${name}`;
}

function componentsOf(app: App, namespace: string): Component[] {
  const registry = app.registryOf(namespace);
  const hosted = app.hosting.list(namespace);
  const isHosted = new Set(hosted.map(({ role, name }) => `${role}/${name}`));
  const own = (number: WireRole, role: ComponentRole, names: ReadonlyMap<string, Source>): Component[] =>
    [...names].flatMap(([name, source]) => {
      if (isHosted.has(`${number}/${name}`)) return [];
      // A name that is registered means another strategy in each namespace; what is built in is one for all.
      const stats = source === "registered" ? app.stats.ofRegistered(namespace, name) : app.stats.ofBuiltIn(role, name);
      return [describe({ role: number, name, source: sourceToWire(source) }, stats)];
    });
  const strategies = [...registry.strategies().keys()].map((name) => [name, registry.sourceOfStrategy(name)] as const);
  const counters = app.tokenizers.map((name) => [name, "built_in"] as const);
  return [
    ...hosted,
    ...STAGES.flatMap((role, i) => own(i + 1, role, registry.components(role))),
    ...own(WireRole.COMPONENT_ROLE_STRATEGY, "strategy", new Map(strategies)),
    ...own(WireRole.COMPONENT_ROLE_TOKEN_COUNTER, "token_counter", new Map(counters)),
  ];
}

function describe(known: Pick<Component, "role" | "name" | "source">, stats: CallStats | undefined): Component {
  return {
    ...known,
    state: ComponentState.COMPONENT_STATE_READY,
    instances: 0,
    calls: stats?.calls ?? 0,
    failures: stats?.failures ?? 0,
    latencyP50: durationOf(stats?.latencyMs(0.5)),
    latencyP95: durationOf(stats?.latencyMs(0.95)),
    declaration: undefined,
    hosts: [],
  };
}

function durationOf(ms: number | undefined): Duration | undefined {
  if (ms === undefined) return undefined;
  const seconds = Math.floor(ms / 1_000);
  return { seconds, nanos: Math.floor((ms - seconds * 1_000) * 1e6) };
}
