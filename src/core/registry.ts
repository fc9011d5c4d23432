import { componentFailure } from "./component-failure.js";
import { ContextError, unknownName } from "./errors.js";
import { decideFailure } from "./hosted/decide-failure.js";
import { hostedError } from "./hosted/hosted-error.js";
import type { HostedStage, PipelineOptions, PipelineSpec } from "./model/pipeline-spec.js";
import type { Profile } from "./profiles/profile.js";
import type { Source } from "./run.js";
import { STAGES, type StageContracts, type StageRole, VERBS } from "./stages.js";
import type { Strategy } from "./strategies/strategy.js";

/** Makes a component from a request's options, and what the request says of hosted ones. */
export type ComponentFactory<R extends StageRole> = (
  options: PipelineOptions,
  hosted: HostedStage,
) => StageContracts[R] & Answering;

/** What a component that lives in another process may want to hear. */
export interface Answering {
  /** An answer of it broke its contract, and is not used. It may answer with another one in its place, which nobody has to believe either. */
  rejected?(fault: string, answer: unknown): Promise<unknown> | undefined;
}

/** A component under its name. */
export interface Part<R extends StageRole> {
  readonly name: string;
  readonly component: StageContracts[R] & Answering;
  readonly source: Source;
}

/** The component of each stage of one assembly. */
export interface Parts {
  readonly stages: { readonly [R in StageRole]: Part<R> };
  readonly profile: Profile;
}

/** `builtin:NAME` always means the strategy or the component of the first layer. */
const BUILT_IN_PREFIX = "builtin:";

/**
 * What exists under which name: a component by role and name, a strategy and a profile by name. Whatever is added later under a name that
 * exists takes its place. A registry may stand on another one and then overrides it without changing it.
 */
export class Registry {
  readonly #below: Registry | undefined;
  readonly #source: Source;
  readonly #factories = new Map<string, ComponentFactory<StageRole>>();
  readonly #strategies = new Map<string, Strategy>();
  readonly #profiles = new Map<string, Profile>();

  /** `source` is where everything in this layer comes from. */
  constructor(below?: Registry, source: Source = "built_in") {
    this.#below = below;
    this.#source = source;
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

  /** True where a strategy has this name. */
  hasStrategy(name: string): boolean {
    return this.#findStrategy(name) !== undefined;
  }

  #findStrategy(name: string): Strategy | undefined {
    const own = this.#strategies.get(name);
    if (own !== undefined) return own;
    return name.startsWith(BUILT_IN_PREFIX)
      ? this.#bottom().#strategies.get(withoutPrefix(name))
      : this.#find((registry) => registry.#strategies.get(name));
  }

  /** The strategy of a name; throws `UNKNOWN_STRATEGY`. */
  strategy(name: string): Strategy {
    const found = this.#findStrategy(name);
    if (found === undefined) throw unknownName("UNKNOWN_STRATEGY", "strategy", name, [...this.strategies().keys()]);
    return found;
  }

  /** Where the strategy of a name comes from. */
  sourceOfStrategy(name: string): Source {
    const layer = this.#find((registry) => (registry.#strategies.has(name) ? registry : undefined));
    return layer === undefined ? "built_in" : layer.#source;
  }

  /** All strategies by name. */
  strategies(): Map<string, Strategy> {
    const all = this.#below?.strategies() ?? new Map<string, Strategy>();
    for (const [name, strategy] of this.#strategies) all.set(name, strategy);
    return all;
  }

  /** The component of a role and name, made with the options; throws `UNKNOWN_COMPONENT`. */
  component<R extends StageRole>(role: R, name: string, options: PipelineOptions): StageContracts[R] {
    return this.part(role, name, options).component;
  }

  /** The same with where it comes from. */
  part<R extends StageRole>(role: R, name: string, options: PipelineOptions, hosted: HostedStage = {}): Part<R> {
    const layer = this.#layerOf(role, name);
    if (layer === undefined) {
      const unknown = unknownName("UNKNOWN_COMPONENT", role.replace("_", " "), name, this.componentNames(role), {
        role,
      });
      if (decideFailure("unknown", role, hosted.policy) === "fail") throw unknown;
      return { name, source: "hosted", component: failing(role, name, unknown) };
    }
    const factory = layer.#factories.get(`${role}/${name}`) ?? layer.#factories.get(`${role}/${withoutPrefix(name)}`)!;
    try {
      return { name, source: layer.#source, component: (factory as ComponentFactory<R>)(options, hosted) };
    } catch (cause) {
      throw cause instanceof ContextError ? cause : componentFailure(role, name, "could not be made", cause);
    }
  }

  /** The layer whose component a name means. */
  #layerOf(role: StageRole, name: string): Registry | undefined {
    const key = `${role}/${name}`;
    const layer = this.#find((registry) => (registry.#factories.has(key) ? registry : undefined));
    if (layer !== undefined || !name.startsWith(BUILT_IN_PREFIX)) return layer;
    const bottom = this.#bottom();
    return bottom.#factories.has(`${role}/${withoutPrefix(name)}`) ? bottom : undefined;
  }

  /** What the server has without what callers brought: the uppermost layer that is built in. */
  get builtIn(): Registry {
    if (this.#source === "built_in" || this.#below === undefined) return this;
    return this.#below.builtIn;
  }

  /** The source of each component of a role, by name. */
  components(role: StageRole): ReadonlyMap<string, Source> {
    const own = [...this.#factories.keys()].filter((key) => key.startsWith(`${role}/`));
    return new Map([
      ...(this.#below?.components(role) ?? []),
      ...own.map((key) => [key.slice(role.length + 1), this.#source] as const),
    ]);
  }

  /** The names of the components of a role. */
  componentNames(role: StageRole): string[] {
    return [...this.components(role).keys()];
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
      return this.part(role, name, spec.options, spec.hosted?.[role]);
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

function withoutPrefix(name: string): string {
  return name.startsWith(BUILT_IN_PREFIX) ? name.slice(BUILT_IN_PREFIX.length) : name;
}

/** Stands where the name of a component is unknown and the request says what to do then: whatever it is asked, it fails. */
function failing<R extends StageRole>(role: R, name: string, cause: ContextError): StageContracts[R] {
  const verb = VERBS[role];
  const fail = (): never => {
    throw hostedError({ role, name }, "unknown", "is not known", { cause });
  };
  return { [verb]: fail } as unknown as StageContracts[R];
}
