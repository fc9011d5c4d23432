import {
  ContextError,
  checkExpressions,
  createConfigured,
  createFaults,
  type Expressions,
  expressionsOf,
  Registry,
  readStrategySpec,
  type Strategy,
  type StrategySpec,
  type StrategySpecDraft,
} from "./core/index.js";
import { type Registrations, TooManyRegistrationsError } from "./registrations/index.js";

/** Strategies that callers registered, each in its own namespace, over those that are built in. */
export interface Namespaces {
  /** What exists in a namespace. */
  registryOf(namespace: string): Registry;
  /** The settings that a name stands for in a namespace; nothing where it is not registered there. */
  specOf(namespace: string, name: string): StrategySpec | undefined;
  /** Registers settings under a name, in place of what had it; throws `INVALID_REQUEST` or `TOO_MANY_REGISTRATIONS`. */
  register(namespace: string, draft: StrategySpecDraft | undefined, signal: AbortSignal): Promise<void>;
  /** Deletes a registration; throws `UNKNOWN_REGISTRATION`. */
  unregister(namespace: string, name: string): Promise<void>;
}

/** Opens the namespaces that registrations hold. */
export function openNamespaces(base: Registry, registrations: Registrations, expressions: Expressions): Namespaces {
  const registries = new Map<string, Registry>();
  return {
    registryOf: (namespace) => {
      let registry = registries.get(namespace);
      if (registry === undefined) {
        const registered = registrations.list(namespace);
        // A namespace without registrations is not kept: callers may name as many as they like.
        if (registered.size === 0) return base;
        registry = new Registry(base, "registered");
        for (const [name, value] of registered) registry.addStrategy(strategyOf(decode(value)), name);
        registries.set(namespace, registry);
      }
      return registry;
    },
    specOf: (namespace, name) => {
      const value = registrations.list(namespace).get(name);
      return value === undefined ? undefined : decode(value);
    },
    register: async (namespace, draft, signal) => {
      const spec = await readRegistration(draft, expressions, signal);
      try {
        await registrations.put(namespace, spec.name, encode(spec));
      } catch (error) {
        throw error instanceof TooManyRegistrationsError ? tooMany(error) : error;
      }
      registries.delete(namespace);
    },
    unregister: async (namespace, name) => {
      const faults = createFaults();
      if (name === "") faults.add("name", "is empty; the name of a registration is required");
      faults.throwIfAny();
      if (!(await registrations.delete(namespace, name))) {
        throw new ContextError(
          "UNKNOWN_REGISTRATION",
          `no strategy is registered under the name ${JSON.stringify(name)}`,
          {
            metadata: { strategy: name },
          },
        );
      }
      registries.delete(namespace);
    },
  };
}

/** At least one character that shows, and none that controls. */
const PRINTABLE = /^(?=.*\S)\P{Cc}+$/u;

async function readRegistration(
  draft: StrategySpecDraft | undefined,
  expressions: Expressions,
  signal: AbortSignal,
): Promise<StrategySpec> {
  const faults = createFaults();
  if (draft === undefined) {
    faults.add("strategy", "is absent; a strategy is required");
    faults.throwIfAny();
  }
  const spec = readStrategySpec(draft!, "strategy", faults, { overwrites: true });
  if (spec.config === undefined) faults.add("strategy", "has no settings; those of one kind are required");
  if (spec.name !== "" && !PRINTABLE.test(spec.name))
    faults.add("strategy.name", "is blank, or has a control character");
  if (spec.name.startsWith("builtin:"))
    faults.add("strategy.name", "begins with builtin:, which means what is built in");
  await checkExpressions(expressionsOf(spec, "strategy"), expressions, signal, faults);
  faults.throwIfAny();
  return spec;
}

function strategyOf({ name, config, confidence }: StrategySpec): Strategy {
  const strategy = createConfigured(config!, `registered strategy ${name}`);
  return confidence === undefined ? strategy : { ...strategy, confidence: () => confidence };
}

function tooMany(cause: TooManyRegistrationsError): ContextError {
  return new ContextError("TOO_MANY_REGISTRATIONS", cause.message, {
    metadata: { limit: String(cause.limit) },
    cause,
  });
}

/** The version of the form in which registrations are kept. */
const FORM = 1;

function encode(spec: StrategySpec): Uint8Array {
  return Buffer.from(JSON.stringify({ form: FORM, spec }), "utf8");
}

function decode(value: Uint8Array): StrategySpec {
  const { form, spec } = JSON.parse(Buffer.from(value).toString("utf8")) as { form: number; spec: StrategySpec };
  if (form !== FORM)
    throw new ContextError("INTERNAL", `a registration has the form ${form}; this version reads ${FORM}`);
  return spec;
}
