import type { EventEmitter } from "node:events";
import type { Metadata, Server, ServiceDefinition, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { OpenStream } from "./duplex.js";
import { type Refusal, toStatus } from "./status.js";
import type { CallSurroundings } from "./unary.js";

type Handler = (call: EventEmitter & { readonly metadata: Metadata }, ...rest: unknown[]) => unknown;

/**
 * What a library adds its services to, so that their streams end when the server stops: its watchers of health and readers of descriptors
 * leave only when their callers do, and would hold a stop for its whole grace. What was sent before the end still arrives.
 */
export function endingWithStop(server: Server, around: CallSurroundings): Pick<Server, "addService"> {
  return {
    addService: (service: ServiceDefinition, implementation: UntypedServiceImplementation): void => {
      const handlers = Object.entries(implementation as Record<string, Handler>).map(([name, method]) => {
        const handler = method.bind(implementation);
        return [name, methodOf(service, name)?.responseStream ? endedByStop(handler, around) : handler];
      });
      server.addService(service, Object.fromEntries(handlers) as UntypedServiceImplementation);
    },
  };
}

/** A handler may go by the name that its method has in the contract, or by that in lower camel case. */
function methodOf(service: ServiceDefinition, name: string): ServiceDefinition[string] | undefined {
  return service[name] ?? Object.values(service).find(({ originalName }) => originalName === name);
}

function endedByStop(handler: Handler, { streams, records }: CallSurroundings): Handler {
  return (call) => {
    const end = (): void => {
      if (!streams.delete(stream)) return;
      const record = records.get(call.metadata);
      if (record !== undefined) record.reason = SERVER_STOPS.reason;
      call.emit("error", toStatus(SERVER_STOPS));
    };
    const stream: OpenStream = { stopping: end, close: end };
    streams.add(stream);
    // The library says it after every stream, however it ended.
    call.once("cancelled", () => streams.delete(stream));
    return handler(call);
  };
}

const SERVER_STOPS: Refusal = { reason: "SERVER_STOPPING", message: "the server stops", metadata: {}, violations: [] };
