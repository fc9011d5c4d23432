import {
  type ComponentDeclaration,
  FragmentField,
  ComponentRole as WireRole,
} from "../../gen/acms/v1/hosted_component.js";
import {
  type ComponentRole,
  ContextError,
  codePointCount,
  isLongerThan,
  quote,
  STAGES,
  type StrategyCapabilities,
} from "../core/index.js";
import type { HostingLimits } from "./limits.js";
import { durationFromWire } from "./wire.js";

/** A component as a host declares it, checked, with nothing absent. */
export interface Declaration {
  readonly role: ComponentRole;
  readonly name: string;
  /** Empty: all fields. */
  readonly needs: readonly FragmentField[];
  readonly pure: boolean;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly explanation: string;
  readonly confidence: number;
  readonly capabilities: StrategyCapabilities;
  readonly estimates: boolean;
  /** Equal for declarations that are alike: all but the concurrency, which is a host's own. */
  readonly likeness: string;
  /** As it came. */
  readonly wire: ComponentDeclaration;
}

/** The roles by their numbers on the wire. */
const ROLES: readonly (ComponentRole | undefined)[] = [undefined, ...STAGES, "strategy", "token_counter"];

/** The role of a number on the wire; nothing for a number of none. */
export function roleFromWire(role: WireRole): ComponentRole | undefined {
  return ROLES[role];
}

/** The number of a role on the wire. */
export function roleToWire(role: ComponentRole): WireRole {
  return ROLES.indexOf(role);
}

const DEFAULT_CONCURRENCY = 8;
const MAX_CONCURRENCY = 1_000;
/** The most characters of a name, of a component or of a host; a character is a code point. */
export const MAX_NAME_CHARACTERS = 128;
const MAX_EXPLANATION_CHARACTERS = 1_000;

/** At least one character that shows, and none that controls. */
const PRINTABLE = /^(?=.*\S)\P{Cc}+$/u;

const NO_CAPABILITIES: StrategyCapabilities = {
  supportsSemanticSearch: false,
  supportsGraphNavigation: false,
  supportsTemporalArchaeology: false,
  maxFragments: 0,
  qualityScore: 0,
};

/** Reads a declaration; throws `INVALID_REQUEST` with every fault. */
export function readDeclaration(wire: ComponentDeclaration, limits: HostingLimits): Declaration {
  const role = roleFromWire(wire.role);
  const timeoutMs = timeoutOf(wire, limits);
  const { confidence = 1, capabilities = NO_CAPABILITIES } = wire;
  const faults = [
    ...(role === undefined ? [`the role is ${wire.role}; allowed are the numbers 1 to ${ROLES.length - 1}`] : []),
    ...nameFaults(wire.name),
    ...needsFaults(wire.needs),
    ...(wire.concurrency > MAX_CONCURRENCY
      ? [`the concurrency is ${wire.concurrency}; allowed are 1 to ${MAX_CONCURRENCY}`]
      : []),
    ...(timeoutMs > 0 && timeoutMs <= limits.maxTimeoutMs
      ? []
      : [`the timeout is ${timeoutMs} ms; allowed is above 0 and at most ${limits.maxTimeoutMs}`]),
    ...(confidence >= 0 && Number.isFinite(confidence)
      ? []
      : [`the confidence is ${confidence}; allowed are finite numbers from 0.0`]),
    ...(capabilities.qualityScore >= 0 && capabilities.qualityScore <= 1 && capabilities.maxFragments >= 0
      ? []
      : ["the capabilities have a quality outside 0.0 to 1.0, or a negative number of fragments"]),
    ...(isLongerThan(wire.explanation, MAX_EXPLANATION_CHARACTERS)
      ? [`the explanation has ${tooMany(wire.explanation, MAX_EXPLANATION_CHARACTERS)}`]
      : []),
  ];
  if (faults.length > 0) throw new ContextError("INVALID_REQUEST", faults.join("; "));
  const needs = [...wire.needs].sort((a, b) => a - b);
  const concurrency = wire.concurrency === 0 ? DEFAULT_CONCURRENCY : wire.concurrency;
  const { name, pure, explanation, estimates } = wire;
  const same = { role, name, needs, pure, timeoutMs, explanation, confidence, capabilities, estimates };
  return { ...same, role: role!, concurrency, likeness: JSON.stringify(same), wire };
}

function timeoutOf({ role, timeout }: ComponentDeclaration, limits: HostingLimits): number {
  if (timeout !== undefined) return durationFromWire(timeout);
  const ranks = role === WireRole.COMPONENT_ROLE_STRATEGY;
  return Math.min(limits.maxTimeoutMs, ranks ? limits.strategyTimeoutMs : limits.stageTimeoutMs);
}

/** What is wrong with a text that is too long, as in "has 129 characters; at most 128 are allowed". */
export function tooMany(text: string, limit: number): string {
  return `${codePointCount(text)} characters; at most ${limit} are allowed`;
}

function nameFaults(name: string): string[] {
  if (isLongerThan(name, MAX_NAME_CHARACTERS)) return [`the name has ${tooMany(name, MAX_NAME_CHARACTERS)}`];
  if (!PRINTABLE.test(name)) return [`the name ${quote(name)} is blank, or has a control character`];
  return name.startsWith("builtin:")
    ? [`the name ${quote(name)} begins with builtin:, which means what is built in`]
    : [];
}

function needsFaults(needs: readonly FragmentField[]): string[] {
  const seen = new Set<number>();
  return needs.flatMap((field) => {
    const isField = field >= FragmentField.FRAGMENT_FIELD_FRAGMENT_ID && field <= FragmentField.FRAGMENT_FIELD_VECTOR;
    const fault = !isField
      ? [`it needs the field ${field}, which there is not`]
      : seen.has(field)
        ? [`it needs the field ${field} twice`]
        : [];
    seen.add(field);
    return fault;
  });
}
