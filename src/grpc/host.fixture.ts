/** A client that hosts components over a real stream, for tests: it does what a function says with each question. */
import { type ClientDuplexStream, credentials, Metadata, type StatusObject } from "@grpc/grpc-js";
import { ComponentServiceClient, type HostRequest, type HostResponse } from "../../gen/acms/v1/component_service.js";
import { ComponentDeclaration, type Invoke, type Welcome } from "../../gen/acms/v1/hosted_component.js";

type Declared = Parameters<typeof ComponentDeclaration.fromPartial>[0];
export type HostMessage = NonNullable<HostRequest["message"]>;
type Output = Extract<HostMessage, { $case: "result" }>["value"]["output"];

/** A stream to a server, from attach on. */
export interface TestHost {
  readonly stream: ClientDuplexStream<HostRequest, HostResponse>;
  readonly welcome: Welcome;
  /** Every message after the welcome, the newest last. */
  readonly heard: NonNullable<HostResponse["message"]>[];
  /** How the call ended. */
  readonly ended: Promise<StatusObject>;
  say(message: HostMessage): void;
  /** Leaves in order, and waits for the end. */
  leave(): Promise<StatusObject>;
  /** Goes without a word. */
  cut(): void;
}

/** Answers a question, now or later; nothing: it stays open. */
export type Answering = (
  question: Invoke,
  host: { say(message: HostMessage): void },
) => Output | undefined | Promise<Output | undefined>;

/** Attaches to a server; rejects where the call ends before the welcome. */
export async function attachHost(
  address: string,
  {
    components,
    namespace,
    answer,
    beats = true,
  }: {
    readonly components: readonly Declared[];
    readonly namespace?: string;
    readonly answer?: Answering;
    /** False: it sends no heartbeats. */
    readonly beats?: boolean;
  },
): Promise<TestHost> {
  const client = new ComponentServiceClient(address, credentials.createInsecure(), {
    "grpc.use_local_subchannel_pool": 1,
  });
  const metadata = new Metadata();
  if (namespace !== undefined) metadata.set("acms-namespace", namespace);
  const stream = client.host(metadata);
  const heard: TestHost["heard"] = [];
  const say = (message: HostMessage): void => void stream.write({ message });
  let beat: NodeJS.Timeout | undefined;
  const ended = new Promise<StatusObject>((resolve) => {
    stream.on("status", (status) => {
      clearInterval(beat);
      client.close();
      resolve(status);
    });
  });
  stream.on("error", () => {
    // The status says the same.
  });
  const welcomed = new Promise<Welcome>((resolve, reject) => {
    stream.on("data", ({ message }: HostResponse) => {
      if (message === undefined) return;
      if (message.$case === "welcome") resolve(message.value);
      else heard.push(message);
      if (message.$case !== "invoke" || answer === undefined) return;
      const { invocation } = message.value;
      void Promise.resolve(answer(message.value, { say })).then((output) => {
        if (output !== undefined) say({ $case: "result", value: { invocation, output } });
      });
    });
    void ended.then((status) => {
      reject(Object.assign(new Error(`the call ended with ${status.code}: ${status.details}`), { status }));
    });
  });
  const declared = components.map((one) => ComponentDeclaration.fromPartial(one));
  say({ $case: "attach", value: { components: declared, host: "test", maxQuestionBytes: 0 } });
  const welcome = await welcomed;
  if (beats && welcome.heartbeatInterval !== undefined) {
    const { seconds, nanos } = welcome.heartbeatInterval;
    beat = setInterval(() => say({ $case: "heartbeat", value: { number: 1 } }), (seconds * 1_000 + nanos / 1e6) / 2);
    beat.unref();
  }
  return {
    stream,
    welcome,
    heard,
    ended,
    say,
    leave: () => {
      say({ $case: "drain", value: { grace: undefined } });
      return ended;
    },
    cut: () => stream.cancel(),
  };
}
