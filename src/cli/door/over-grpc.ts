import {
  type ClientOptions,
  type ClientUnaryCall,
  credentials,
  Metadata,
  type ServiceError,
  status as Status,
} from "@grpc/grpc-js";
import { AssemblyServiceClient } from "../../../gen/acms/v1/assembly_service.js";
import { PromptServiceClient } from "../../../gen/acms/v1/prompt_service.js";
import { StrategyServiceClient } from "../../../gen/acms/v1/strategy_service.js";
import { BadRequest, ErrorInfo } from "../../../gen/google/rpc/error_details.js";
import { Status as RpcStatus } from "../../../gen/google/rpc/status.js";
import { type Door, type RefusalFacts, RefusedError } from "./door.js";

/** A server, by the generated clients, and a namespace in it, absent for that of all who name none. Nothing is dialled before the first call. */
export function openOverGrpc(address: string, namespace?: string): Door {
  const assembly = new AssemblyServiceClient(address, credentials.createInsecure(), clientOptions(address));
  const prompts = new PromptServiceClient(address, credentials.createInsecure(), clientOptions(address));
  const strategies = new StrategyServiceClient(address, credentials.createInsecure(), clientOptions(address));
  const metadata = new Metadata();
  if (namespace !== undefined) metadata.set("acms-namespace", namespace);
  return {
    assemble: (request) => call(address, (done) => assembly.assemble(request, metadata, done)),
    compareStrategies: (request) => call(address, (done) => assembly.compareStrategies(request, metadata, done)),
    listStrategies: (request) => call(address, (done) => strategies.listStrategies(request, metadata, done)),
    fitPrompt: (request) => call(address, (done) => prompts.fitPrompt(request, metadata, done)),
    close: () => {
      assembly.close();
      prompts.close();
      strategies.close();
    },
  };
}

/** What a client of a server needs to be told. */
export function clientOptions(address: string): ClientOptions {
  return {
    // Every client receives 4 MiB at most unless told otherwise, which a payload may exceed.
    "grpc.max_receive_message_length": -1,
    // A proxy of the environment is for what is outside; by default it would be asked for loopback addresses too.
    ...(isLoopback(address) ? { "grpc.enable_http_proxy": 0 } : {}),
  };
}

function isLoopback(address: string): boolean {
  return /^(?:127\.|localhost:|\[::1\]:)/.test(address);
}

type Callback<Response> = (error: ServiceError | null, response: Response) => void;

function call<Response>(address: string, start: (done: Callback<Response>) => ClientUnaryCall): Promise<Response> {
  return new Promise((resolve, reject) => {
    let isHeard = false;
    const running = start((error, response) => {
      if (error === null) resolve(response);
      else reject(refusedBy(address, error, isHeard));
    });
    running.on("metadata", () => {
      isHeard = true;
    });
  });
}

/**
 * A server that fails a call sends headers and a status, or the status alone, and then some header with it; what the client says on its own
 * account has none.
 */
function refusedBy(address: string, error: ServiceError, isHeard: boolean): RefusedError {
  const status = Status[error.code] ?? `status ${error.code}`;
  const isAnswer = isHeard || Object.keys(error.metadata.getMap()).length > 0;
  const isSilence = error.code === Status.UNAVAILABLE && !isAnswer;
  const message = isSilence ? `no answer from ${address}: ${error.details}` : error.details;
  return new RefusedError(status, message, { ...factsOf(error), cause: error });
}

/** Reason and violations in the details of a status; a server that sends none, or something else, has none to tell. */
function factsOf(error: ServiceError): RefusalFacts {
  const [bytes] = error.metadata.get("grpc-status-details-bin");
  if (!Buffer.isBuffer(bytes)) {
    return {};
  }
  try {
    const { details } = RpcStatus.decode(bytes);
    const named = (name: string): Uint8Array[] =>
      details.filter(({ typeUrl }) => typeUrl === `type.googleapis.com/google.rpc.${name}`).map(({ value }) => value);
    const violations = named("BadRequest")
      .flatMap((value) => BadRequest.decode(value).fieldViolations)
      .map(({ field, description }) => ({ field, description }));
    const info = named("ErrorInfo").map((value) => ErrorInfo.decode(value));
    return { reason: info.find(({ domain }) => domain === "acms")?.reason ?? "", violations };
  } catch {
    // The status and its message say what went wrong; details that cannot be read must not take their place.
    return {};
  }
}
