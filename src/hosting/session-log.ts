/** What the log says of a session: who came with what, what changed, and why it ended. Names alone, never what is asked or answered. */

import { ErrorReason } from "../../gen/acms/v1/error_reason.js";
import type { ComponentDeclaration, RefusedComponent, TakenComponent } from "../../gen/acms/v1/hosted_component.js";
import { ContextError } from "../core/index.js";
import { roleFromWire } from "./declaration.js";
import type { HostPeer } from "./peer.js";

/** The most names of one line; of more there is a number. */
const MAX_NAMES = 50;

interface Joined {
  readonly taken: readonly TakenComponent[];
  readonly refused: readonly RefusedComponent[];
}

/** Why a session ended, and whether that is as it should be. */
export interface EndCause {
  readonly inOrder: boolean;
  readonly cause: string;
}

/** The cause of an end: what ended the stream, or where nobody said anything, whether the host had said that it leaves. */
export function causeOfEnd(error: unknown, isDraining: boolean): EndCause {
  if (error === undefined) return isDraining ? { inOrder: true, cause: "drained" } : { inOrder: false, cause: "lost" };
  if (!(error instanceof ContextError)) return { inOrder: false, cause: "INTERNAL" };
  return { inOrder: error.reason === "SERVER_STOPPING", cause: `${error.reason}: ${error.message}` };
}

export class SessionLog {
  readonly #peer: HostPeer;
  #components: readonly string[] = [];
  readonly #who: { sessionId: string; namespace: string; host?: string };

  constructor(peer: HostPeer, sessionId: string) {
    this.#peer = peer;
    this.#who = { sessionId, namespace: peer.namespace };
  }

  /** A host said who it is, and was told what was taken. */
  attached(host: string, joined: Joined): void {
    if (host !== "") this.#who.host = host.toWellFormed();
    this.#peer.log("info", "a host attached", { ...this.#who, ...namesOf(joined) });
  }

  updated(joined: Joined, removed: readonly ComponentDeclaration[]): void {
    this.#peer.log("info", "a host updated its components", {
      ...this.#who,
      ...namesOf(joined),
      ...(removed.length > 0 && { removed: listOf(removed) }),
    });
  }

  /** A host leaves, and these are the components that it has until then. */
  leaving(components: Iterable<{ readonly role: string; readonly name: string }>): void {
    this.#components = shortened([...components].map(({ role, name }) => `${role}/${name}`));
  }

  ended({ inOrder, cause }: EndCause): void {
    const components = this.#components;
    const facts = { ...this.#who, ...(components.length > 0 && { components }), cause };
    this.#peer.log(inOrder ? "info" : "warn", "a host left", facts);
  }
}

function namesOf({ taken, refused }: Joined): Record<string, unknown> {
  return {
    taken: listOf(taken),
    ...(refused.length > 0 && {
      refused: shortened(
        refused.map((one) => `${nameOf(one)}: ${ErrorReason[one.reason]?.replace(/^ERROR_REASON_/, "")}`),
      ),
    }),
  };
}

function listOf(components: readonly Pick<TakenComponent, "role" | "name">[]): string[] {
  return shortened(components.slice(0, MAX_NAMES + 1).map(nameOf), components.length);
}

function nameOf({ role, name }: Pick<TakenComponent, "role" | "name">): string {
  return `${roleFromWire(role) ?? role}/${name.slice(0, 256).toWellFormed()}`;
}

function shortened(names: readonly string[], count = names.length): string[] {
  return count <= MAX_NAMES ? [...names] : [...names.slice(0, MAX_NAMES), `and ${count - MAX_NAMES} more`];
}
