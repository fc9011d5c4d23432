/** A client that hosts components over a stream, as an agent would with the generated code. */
import { type ClientDuplexStream, credentials, type Metadata, type ServiceError } from "@grpc/grpc-js";
import { ComponentServiceClient, type HostRequest, type HostResponse } from "../../gen/acms/v1/component_service.js";
import {
  ComponentDeclaration,
  ComponentRole,
  type Invoke,
  type Result,
  type Welcome,
} from "../../gen/acms/v1/hosted_component.js";

type Input = NonNullable<Invoke["input"]>;
type Output = NonNullable<Result["output"]>;
export type InputOf<C extends Input["$case"]> = Extract<Input, { $case: C }>["value"];
export type OutputOf<C extends Input["$case"]> = Extract<Output, { $case: C }>["value"];
export type Message = NonNullable<HostRequest["message"]>;

/** A component as a client brings it: which role it has, and what it answers. */
export type ClientPart = {
  readonly [C in Input["$case"]]: {
    readonly kind: C;
    /** What it declares beside role and name. */
    readonly declared?: Parameters<typeof ComponentDeclaration.fromPartial>[0];
    answer(input: InputOf<C>): OutputOf<C> | Promise<OutputOf<C>>;
  };
}[Input["$case"]];

/** How the server ended a host's call. */
export interface HostEnd {
  readonly status: number;
  readonly message: string;
}

/** A client's stream that hosts components. */
export class ClientHost {
  /** The questions of each kind, in the order in which they came. */
  readonly asked: Input[] = [];
  /** How often it was told that an answer is no longer waited for. */
  cancelled = 0;
  /** True once the server has said that it stops. */
  isToldToStop = false;
  readonly ended: Promise<HostEnd>;
  readonly #client: ComponentServiceClient;
  readonly #stream: ClientDuplexStream<HostRequest, HostResponse>;
  readonly #parts: ReadonlyMap<string, ClientPart>;
  readonly #welcomed: Promise<Welcome>;
  #beat: NodeJS.Timeout | undefined;

  constructor(address: string, metadata: Metadata, parts: ReadonlyMap<string, ClientPart>) {
    this.#parts = parts;
    this.#client = new ComponentServiceClient(address, credentials.createInsecure(), {
      "grpc.use_local_subchannel_pool": 1,
    });
    this.#stream = this.#client.host(metadata);
    this.ended = new Promise((resolve) => {
      this.#stream.on("status", ({ code, details }) => {
        clearInterval(this.#beat);
        this.#client.close();
        resolve({ status: code, message: details });
      });
    });
    this.#stream.on("error", (_error: ServiceError) => {
      // It is what the status says, too.
    });
    this.#welcomed = new Promise((resolve, reject) => {
      this.#stream.on("data", ({ message }: HostResponse) => {
        if (message?.$case === "welcome") resolve(message.value);
        else if (message !== undefined) this.#hear(message);
      });
      void this.ended.then(({ status, message }) => reject(new Error(`the call ended with ${status}: ${message}`)));
    });
  }

  /** Attaches the parts, and answers from then on. */
  async attach(): Promise<Welcome> {
    const components = [...this.#parts].map(([name, { kind, declared }]) =>
      ComponentDeclaration.fromPartial({ role: roleOf(kind), name, ...declared }),
    );
    this.say({ $case: "attach", value: { components, host: "features", maxQuestionBytes: 0 } });
    const welcome = await this.#welcomed;
    const { seconds, nanos } = welcome.heartbeatInterval!;
    const beat = (): void => this.say({ $case: "heartbeat", value: { number: 0 } });
    this.#beat = setInterval(beat, (seconds * 1_000 + nanos / 1e6) / 3);
    return welcome;
  }

  say(message: Message): void {
    this.#stream.write({ message });
  }

  /** Leaves in order. */
  async leave(): Promise<HostEnd> {
    this.say({ $case: "drain", value: { grace: undefined } });
    return this.ended;
  }

  #hear(message: NonNullable<HostResponse["message"]>): void {
    if (message.$case === "cancel") this.cancelled++;
    if (message.$case === "drain") this.isToldToStop = true;
    if (message.$case === "invoke") void this.#answer(message.value);
  }

  async #answer({ invocation, name, input }: Invoke): Promise<void> {
    const part = this.#parts.get(name)!;
    this.asked.push(input!);
    try {
      const value = await (part.answer as (given: unknown) => unknown)(input!.value);
      this.say({ $case: "result", value: { invocation, output: { $case: part.kind, value } as Output } });
    } catch (error) {
      this.say({ $case: "failure", value: { invocation, code: 0, message: String(error) } });
    }
  }
}

/** `strategySelector` is the role `COMPONENT_ROLE_STRATEGY_SELECTOR`. */
function roleOf(kind: ClientPart["kind"]): ComponentRole {
  const name = kind.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return ComponentRole[`COMPONENT_ROLE_${name}` as keyof typeof ComponentRole] as ComponentRole;
}
