import { componentFailure } from "./component-failure.js";
import { ContextError, unknownName } from "./errors.js";
import type { PipelineOptions, PipelineSpec } from "./model/pipeline-spec.js";
import type { Profile } from "./profiles/profile.js";
import { STAGES, type StageContracts, type StageRole } from "./stages.js";
import type { Strategy } from "./strategies/strategy.js";

/** Makes a component from a request's options. */
export type ComponentFactory<R extends StageRole> = (options: PipelineOptions) => StageContracts[R];

/** A component under its name. */
export interface Part<R extends StageRole> {
  readonly name: string;
  readonly component: StageContracts[R];
}

/** The component of each stage of one assembly. */
export interface Parts {
  readonly stages: { readonly [R in StageRole]: Part<R> };
  readonly profile: Profile;
}

/** `builtin:NAME` always means the strategy of the first layer. */
const BUILT_IN_PREFIX = "builtin:";

/**
 * What exists under which name: a component by role and name, a strategy and a profile by name. Whatever is added later under a name that
 * exists takes its place. A registry may stand on another one and then overrides it without changing it.
 */
export class Registry {
  readonly #below: Registry | undefined;
  readonly #factories = new Map<string, ComponentFactory<StageRole>>();
  readonly #strategies = new Map<string, Strategy>();
  readonly #profiles = new Map<string, Profile>();

  constructor(below?: Registry) {
    this.#below = below;
  }

  addComponent<R extends StageRole>(role: R, name: string, factory: ComponentFactory<R>): this {
    this.#factories.set(`${role}/${name}`, factory as ComponentFactory<StageRole>);
    return this;
  }

  addStrategy(strategy: Strategy, name = strategy.name): this {
    this.#strategies.set(name, strategy);
    return this;
  }

  addProfile(profile: Profile): this {
    this.#profiles.set(profile.name, profile);
    return this;
  }

  /** The strategy of a name; throws `UNKNOWN_STRATEGY`. */
  strategy(name: string): Strategy {
    const found =
      this.#strategies.get(name) ??
      (name.startsWith(BUILT_IN_PREFIX)
        ? this.#bottom().#strategies.get(name.slice(BUILT_IN_PREFIX.length))
        : this.#find((registry) => registry.#strategies.get(name)));
    if (found === undefined) throw unknownName("UNKNOWN_STRATEGY", "strategy", name, [...this.strategies().keys()]);
    return found;
  }

  /** All strategies by name. */
  strategies(): ReadonlyMap<string, Strategy> {
    return new Map([...(this.#below?.strategies() ?? []), ...this.#strategies]);
  }

  /** The component of a role and name, made with the options; throws `UNKNOWN_COMPONENT`. */
  component<R extends StageRole>(role: R, name: string, options: PipelineOptions): StageContracts[R] {
    const key = `${role}/${name}`;
    const factory = this.#find((registry) => registry.#factories.get(key)) as ComponentFactory<R> | undefined;
    if (factory === undefined) {
      throw unknownName("UNKNOWN_COMPONENT", role.replace("_", " "), name, this.componentNames(role), { role });
    }
    try {
      return factory(options);
    } catch (cause) {
      throw cause instanceof ContextError ? cause : componentFailure(role, name, "could not be made", cause);
    }
  }

  /** The names of the components of a role. */
  componentNames(role: StageRole): string[] {
    const own = [...this.#factories.keys()].filter((key) => key.startsWith(`${role}/`));
    return [
      ...new Set([...(this.#below?.componentNames(role) ?? []), ...own.map((key) => key.slice(role.length + 1))]),
    ];
  }

  /** The profile of a name; throws `UNKNOWN_PROFILE`. */
  profile(name: string): Profile {
    const found = this.#find((registry) => registry.#profiles.get(name));
    if (found === undefined) throw unknownName("UNKNOWN_PROFILE", "profile", name, this.#profileNames());
    return found;
  }

  /** The components that a request's pipeline names, the profile's for the stages that it does not. */
  parts(spec: PipelineSpec): Parts {
    const profile = this.profile(spec.profile === "" ? "direct" : spec.profile);
    const part = <R extends StageRole>(role: R): Part<R> => {
      const name = spec.components[role] ?? profile.components[role];
      return { name, component: this.component(role, name, spec.options) };
    };
    const stages = Object.fromEntries(STAGES.map((role) => [role, part(role)]));
    return { profile, stages: stages as unknown as Parts["stages"] };
  }

  #profileNames(): string[] {
    return [...new Set([...(this.#below === undefined ? [] : this.#below.#profileNames()), ...this.#profiles.keys()])];
  }

  #find<T>(look: (registry: Registry) => T | undefined): T | undefined {
    return look(this) ?? (this.#below === undefined ? undefined : this.#below.#find(look));
  }

  #bottom(): Registry {
    return this.#below === undefined ? this : this.#below.#bottom();
  }
}
