import { type Component, ComponentState } from "../../gen/acms/v1/component_service.js";
import { Source } from "../../gen/acms/v1/strategy.js";
import { type ComponentRole, ContextError, Registry, type TokenCounter } from "../core/index.js";
import { roleToWire } from "./declaration.js";
import type { HostedComponent } from "./hosted-component.js";
import { DEFAULT_HOSTING_LIMITS, type HostingLimits } from "./limits.js";
import { Membership } from "./membership.js";
import type { HostListener, HostPeer } from "./peer.js";
import { remoteCounter } from "./remote/present.js";
import { addRemote } from "./remote/remote-components.js";
import { Session } from "./session.js";
import { durationToWire } from "./wire.js";

/** What hosting needs of the rest of the product. */
export interface HostingSurroundings {
  readonly newId: () => string;
  /** True where a namespace knows a name without its hosts. */
  exists(namespace: string, role: ComponentRole, name: string): boolean;
}

/** The components that clients host, each in the namespace of its client. */
export interface Hosting {
  /** Opens a session for a stream; throws `TOO_MANY_HOSTED` where there are as many as there may be. */
  open(peer: HostPeer): HostListener;
  /**
   * What a namespace has with its hosted components over what it has without. Where no namespace is named they stand beside it: a name that
   * exists without its host means what it means without.
   */
  registryOf(namespace: string, below: Registry): Registry;
  /** The hosted token counter of a name; nothing where there is none. */
  counterOf(namespace: string, name: string, remainingMs: (() => number) | undefined): TokenCounter | undefined;
  /** The hosted components of a namespace, as a list shows them. */
  list(namespace: string): Component[];
}

/** One namespace that somebody hosts in, or did a moment ago. */
interface House {
  readonly membership: Membership;
  /** Sessions that live here, attached or not yet. */
  sessions: number;
  /** The registry over another one, for as long as the components are the same. */
  layer: { readonly below: Registry; readonly registry: Registry } | undefined;
}

/** Opens the door for hosts. */
export function createHosting({ newId, exists }: HostingSurroundings, given: Partial<HostingLimits> = {}): Hosting {
  const limits = { ...DEFAULT_HOSTING_LIMITS, ...given };
  const houses = new Map<string, House>();
  let sessions = 0;
  const houseOf = (namespace: string): House => {
    const known = houses.get(namespace);
    if (known !== undefined) return known;
    const membership = new Membership({
      namespace,
      limits,
      exists: (role, name) => exists(namespace, role, name),
      changed: () => {
        house.layer = undefined;
        leaveIfEmpty(namespace, house);
      },
    });
    const house: House = { membership, sessions: 0, layer: undefined };
    houses.set(namespace, house);
    return house;
  };
  const leaveIfEmpty = (namespace: string, { membership, sessions: left }: House): void => {
    if (left === 0 && membership.components.length === 0) houses.delete(namespace);
  };
  // Who names no namespace shadows nothing, whichever of the two names came first.
  const isHidden = (namespace: string, { role, name }: HostedComponent): boolean =>
    namespace === "" && exists(namespace, role, name);
  const shownIn = (namespace: string): readonly HostedComponent[] =>
    (houses.get(namespace)?.membership.components ?? []).filter((component) => !isHidden(namespace, component));
  return {
    open: (peer) => {
      if (sessions >= limits.maxSessions) throw tooManySessions(limits);
      const { namespace } = peer;
      const house = houseOf(namespace);
      const closed = (): void => {
        sessions--;
        house.sessions--;
        leaveIfEmpty(namespace, house);
      };
      sessions++;
      house.sessions++;
      return new Session({ id: newId(), peer, limits, membership: house.membership, closed });
    },
    registryOf: (namespace, below) => {
      const house = houses.get(namespace);
      if (house === undefined || house.membership.components.length === 0) return below;
      if (house.layer?.below === below) return house.layer.registry;
      const registry = new Registry(below, "hosted");
      for (const component of shownIn(namespace)) addRemote(registry, component);
      house.layer = { below, registry };
      return registry;
    },
    counterOf: (namespace, name, remainingMs) => {
      const component = houses.get(namespace)?.membership.get("token_counter", name);
      if (component === undefined || isHidden(namespace, component)) return undefined;
      return remoteCounter(component, remainingMs);
    },
    list: (namespace) => shownIn(namespace).map(describe),
  };
}

function tooManySessions({ maxSessions, heartbeatIntervalMs }: HostingLimits): ContextError {
  return new ContextError("TOO_MANY_HOSTED", `the server has ${maxSessions} hosts, which are the most it takes`, {
    metadata: { limit: String(maxSessions) },
    retryAfterMs: heartbeatIntervalMs,
  });
}

function describe({ role, name, sessions, stats, breaker, declaration }: HostedComponent): Component {
  const latency = (part: number) => {
    const ms = stats.latencyMs(part);
    return ms === undefined ? undefined : durationToWire(ms);
  };
  return {
    role: roleToWire(role),
    name,
    source: Source.SOURCE_HOSTED,
    state: stateOf(sessions.length, breaker.isPaused()),
    instances: sessions.length,
    calls: stats.calls,
    failures: stats.failures,
    latencyP50: latency(0.5),
    latencyP95: latency(0.95),
    declaration: declaration.wire,
    hosts: [...new Set(sessions.map(({ host }) => host))].filter((host) => host !== "").sort(),
  };
}

function stateOf(instances: number, isPaused: boolean): ComponentState {
  if (instances === 0) return ComponentState.COMPONENT_STATE_DETACHED;
  return isPaused ? ComponentState.COMPONENT_STATE_PAUSED : ComponentState.COMPONENT_STATE_READY;
}
