/**
 * The host's side of the benchmark, a process of its own: it hosts a scorer that answers each nomination's score as it came, or one that never
 * answers, or it attaches and leaves again and again. It ends when its parent lets go of it.
 *
 * Usage: hosting-host.js ADDRESS answers|silent|cycles
 */
import { type ClientDuplexStream, credentials } from "@grpc/grpc-js";
import { ComponentServiceClient, type HostRequest, type HostResponse } from "../gen/acms/v1/component_service.js";
import { ComponentDeclaration, ComponentRole, FragmentField } from "../gen/acms/v1/hosted_component.js";

type Message = NonNullable<HostRequest["message"]>;
type Stream = ClientDuplexStream<HostRequest, HostResponse>;

/** What the parent tells: how often to attach and leave. */
export interface CyclesWanted {
  readonly cycles: number;
}

/** The fields of fragments without their texts. */
const METADATA_FIELDS = [
  FragmentField.FRAGMENT_FIELD_FRAGMENT_ID,
  FragmentField.FRAGMENT_FIELD_TOKEN_COUNT,
  FragmentField.FRAGMENT_FIELD_RELEVANCE_SCORE,
  FragmentField.FRAGMENT_FIELD_DETAIL_DEPTH,
  FragmentField.FRAGMENT_FIELD_TIER,
  FragmentField.FRAGMENT_FIELD_ROLE,
];

const scorer = ComponentDeclaration.fromPartial({
  role: ComponentRole.COMPONENT_ROLE_SCORER,
  name: "no_op",
  needs: METADATA_FIELDS,
  timeout: { seconds: 20 },
});

function attach(client: ComponentServiceClient, hear: (message: HostResponse, stream: Stream) => void): Stream {
  const stream = client.host();
  stream.on("error", () => {
    // A server that stops ends the stream; the parent knows.
  });
  stream.on("data", (message: HostResponse) => hear(message, stream));
  say(stream, { $case: "attach", value: { components: [scorer], host: "benchmark", maxQuestionBytes: 0 } });
  return stream;
}

function say(stream: Stream, message: Message): void {
  stream.write({ message });
}

function host(client: ComponentServiceClient, answers: boolean): void {
  attach(client, ({ message }, stream) => {
    if (message?.$case === "welcome") {
      const { seconds, nanos } = message.value.heartbeatInterval!;
      setInterval(() => say(stream, { $case: "heartbeat", value: { number: 0 } }), seconds * 500 + nanos / 2e6);
      process.send?.("attached");
    }
    if (message?.$case !== "invoke" || message.value.input?.$case !== "scorer") return;
    if (!answers) {
      process.send?.("asked");
      return;
    }
    const { invocation, input } = message.value;
    const value = { scores: input.value.nominationScores, parts: undefined, baseline: 0 };
    say(stream, { $case: "result", value: { invocation, output: { $case: "scorer", value } } });
  });
}

/** Attaches, and leaves in order once welcomed. */
function cycle(client: ComponentServiceClient): Promise<void> {
  return new Promise((resolve) => {
    const stream = attach(client, ({ message }) => {
      if (message?.$case === "welcome") say(stream, { $case: "drain", value: { grace: undefined } });
    });
    stream.on("status", () => resolve());
  });
}

const [address = "", mode = ""] = process.argv.slice(2);
const client = new ComponentServiceClient(address, credentials.createInsecure());
process.on("disconnect", () => process.exit());
if (mode === "cycles") {
  process.on("message", async ({ cycles }: CyclesWanted) => {
    for (let i = 0; i < cycles; i += 1) await cycle(client);
    process.send?.("done");
  });
} else {
  host(client, mode === "answers");
}
