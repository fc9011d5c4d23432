import { ErrorReason } from "../../gen/acms/v1/error_reason.js";
import type { ComponentDeclaration, RefusedComponent, TakenComponent } from "../../gen/acms/v1/hosted_component.js";
import { type ComponentRole, ContextError, cutToCodePoints, quote } from "../core/index.js";
import { type Declaration, MAX_NAME_CHARACTERS, readDeclaration, roleFromWire } from "./declaration.js";
import { HostedComponent } from "./hosted-component.js";
import type { HostingLimits } from "./limits.js";
import type { Session } from "./session.js";
import { durationToWire } from "./wire.js";

/** What became of declarations. */
export interface Joined {
  readonly taken: TakenComponent[];
  readonly refused: RefusedComponent[];
  /** Why the first that was refused was. */
  readonly first: ContextError | undefined;
}

/** What the members of a namespace need to know of its surroundings. */
export interface MembershipSurroundings {
  readonly namespace: string;
  readonly limits: HostingLimits;
  /** True where the namespace knows the name without its hosts. */
  exists(role: ComponentRole, name: string): boolean;
  /** Which components there are has changed. */
  changed(): void;
}

/** The hosted components of one namespace, and whose they are. */
export class Membership {
  readonly #around: MembershipSurroundings;
  readonly #components = new Map<string, HostedComponent>();
  readonly #ofSession = new Map<Session, Set<HostedComponent>>();
  /** Forgets components whose last host was lost. */
  readonly #forgetting = new Map<HostedComponent, NodeJS.Timeout>();

  constructor(around: MembershipSurroundings) {
    this.#around = around;
  }

  get components(): readonly HostedComponent[] {
    return [...this.#components.values()];
  }

  get(role: ComponentRole, name: string): HostedComponent | undefined {
    return this.#components.get(keyOf(role, name));
  }

  componentsOf(session: Session): ReadonlySet<HostedComponent> {
    return this.#ofSession.get(session) ?? NOTHING;
  }

  /** Takes a session's components in, each by itself. */
  join(session: Session, declarations: readonly ComponentDeclaration[]): Joined {
    const taken: TakenComponent[] = [];
    const refused: RefusedComponent[] = [];
    let first: ContextError | undefined;
    for (const wire of declarations) {
      try {
        const declaration = readDeclaration(wire, this.#around.limits);
        this.#take(session, declaration);
        const { role, name } = wire;
        const { timeoutMs, concurrency } = declaration;
        taken.push({ role, name, timeout: durationToWire(timeoutMs), concurrency });
      } catch (error) {
        if (!(error instanceof ContextError)) throw error;
        first ??= error;
        refused.push(refusedOf(wire, error));
      }
    }
    return { taken, refused, first };
  }

  /** Takes none of a session's components in, for a reason that all of them have. */
  refuse(declarations: readonly ComponentDeclaration[], why: string): Joined {
    const refused = declarations.map((wire) => {
      const role = roleFromWire(wire.role)?.replaceAll("_", " ") ?? "component";
      return refusedOf(wire, new ContextError("INVALID_REQUEST", `the ${role} ${quote(wire.name)} ${why}`));
    });
    return { taken: [], refused, first: undefined };
  }

  /** Lets components of a session go, in order. */
  remove(session: Session, declarations: readonly ComponentDeclaration[]): void {
    for (const { role, name } of declarations) {
      const known = roleFromWire(role);
      const component = known === undefined ? undefined : this.get(known, name);
      if (component !== undefined && this.#ofSession.get(session)?.delete(component)) {
        this.#detach(session, component, true);
      }
    }
  }

  /** Lets all components of a session go. In order they are forgotten at once; of a session that was lost they stay known for a while. */
  leave(session: Session, { inOrder }: { readonly inOrder: boolean }): void {
    const components = this.#ofSession.get(session) ?? NOTHING;
    this.#ofSession.delete(session);
    for (const component of components) this.#detach(session, component, inOrder);
  }

  #take(session: Session, declaration: Declaration): void {
    const { role, name, likeness } = declaration;
    const own = this.#ofSession.get(session) ?? new Set<HostedComponent>();
    const key = keyOf(role, name);
    const known = this.#components.get(key);
    if (known !== undefined && own.has(known)) throw refusal("INVALID_REQUEST", "is declared twice", declaration);
    if (own.size >= this.#around.limits.maxComponents) {
      throw new ContextError(
        "TOO_MANY_HOSTED",
        `the host brings more than ${this.#around.limits.maxComponents} components`,
        {
          metadata: { limit: String(this.#around.limits.maxComponents) },
        },
      );
    }
    if (this.#around.namespace === "" && this.#around.exists(role, name)) {
      throw refusal(
        "NAMESPACE_REQUIRED",
        "exists, and may be overwritten in a namespace only; name one in the call's metadata acms-namespace",
        declaration,
      );
    }
    if (known !== undefined && known.sessions.length > 0 && known.declaration.likeness !== likeness) {
      throw refusal("COMPONENT_TAKEN", "is hosted by another client with another declaration", declaration);
    }
    const component = known ?? new HostedComponent(declaration, this.#around.limits);
    clearTimeout(this.#forgetting.get(component));
    this.#forgetting.delete(component);
    this.#components.set(key, component);
    own.add(component);
    this.#ofSession.set(session, own);
    component.attach(session, declaration);
    this.#around.changed();
  }

  #detach(session: Session, component: HostedComponent, inOrder: boolean): void {
    component.detach(session);
    if (component.sessions.length > 0) return;
    if (inOrder) {
      this.#forget(component);
      return;
    }
    const timer = setTimeout(() => this.#forget(component), this.#around.limits.detachedMs);
    timer.unref();
    this.#forgetting.set(component, timer);
    // Names that nobody serves must not pile up, however many hosts come and are lost.
    if (this.#forgetting.size > MAX_DETACHED) this.#forget([...this.#forgetting.keys()][0]!);
  }

  #forget(component: HostedComponent): void {
    clearTimeout(this.#forgetting.get(component));
    this.#forgetting.delete(component);
    this.#components.delete(keyOf(component.role, component.name));
    this.#around.changed();
  }
}

const NOTHING: ReadonlySet<HostedComponent> = new Set();

/** The most components of a namespace that stay known without a host. */
const MAX_DETACHED = 1_000;

function keyOf(role: ComponentRole, name: string): string {
  return `${role}/${name}`;
}

function refusedOf({ role, name }: ComponentDeclaration, { reason, message }: ContextError): RefusedComponent {
  return {
    role,
    name: cutToCodePoints(name, MAX_NAME_CHARACTERS),
    reason: ErrorReason[`ERROR_REASON_${reason}` as keyof typeof ErrorReason] as ErrorReason,
    message,
  };
}

function refusal(
  reason: "INVALID_REQUEST" | "NAMESPACE_REQUIRED" | "COMPONENT_TAKEN",
  what: string,
  { role, name }: Declaration,
): ContextError {
  return new ContextError(reason, `the ${role.replaceAll("_", " ")} ${quote(name)} ${what}`, {
    metadata: { role, component: name },
  });
}
