import { type ClientOptions, credentials, type ServiceError, status as Status } from "@grpc/grpc-js";
import { AssemblyServiceClient } from "../../../gen/acms/v1/assembly_service.js";
import { PromptServiceClient } from "../../../gen/acms/v1/prompt_service.js";
import { StrategyServiceClient } from "../../../gen/acms/v1/strategy_service.js";
import { BadRequest } from "../../../gen/google/rpc/error_details.js";
import { Status as RpcStatus } from "../../../gen/google/rpc/status.js";
import type { Violation } from "../../core/index.js";
import { type Door, RefusedError } from "./door.js";

/** A server, by the generated clients. Nothing is dialled before the first call. */
export function openOverGrpc(address: string): Door {
  const assembly = new AssemblyServiceClient(address, credentials.createInsecure(), clientOptions(address));
  const prompts = new PromptServiceClient(address, credentials.createInsecure(), clientOptions(address));
  const strategies = new StrategyServiceClient(address, credentials.createInsecure(), clientOptions(address));
  return {
    assemble: (request) => call(address, (done) => assembly.assemble(request, done)),
    compareStrategies: (request) => call(address, (done) => assembly.compareStrategies(request, done)),
    listStrategies: (request) => call(address, (done) => strategies.listStrategies(request, done)),
    fitPrompt: (request) => call(address, (done) => prompts.fitPrompt(request, done)),
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

function call<Response>(address: string, start: (done: Callback<Response>) => unknown): Promise<Response> {
  return new Promise((resolve, reject) => {
    start((error, response) => {
      if (error === null) resolve(response);
      else reject(refusedBy(address, error));
    });
  });
}

function refusedBy(address: string, error: ServiceError): RefusedError {
  const status = Status[error.code] ?? `status ${error.code}`;
  const message = error.code === Status.UNAVAILABLE ? `no answer from ${address}: ${error.details}` : error.details;
  return new RefusedError(status, message, violationsOf(error), { cause: error });
}

/** The violations in the details of a status; a server that sends none, or something else, has none to tell. */
function violationsOf(error: ServiceError): readonly Violation[] {
  const [bytes] = error.metadata.get("grpc-status-details-bin");
  if (!Buffer.isBuffer(bytes)) {
    return [];
  }
  try {
    return RpcStatus.decode(bytes)
      .details.filter(({ typeUrl }) => typeUrl === "type.googleapis.com/google.rpc.BadRequest")
      .flatMap(({ value }) => BadRequest.decode(value).fieldViolations)
      .map(({ field, description }) => ({ field, description }));
  } catch {
    // The status and its message say what went wrong; details that cannot be read must not take their place.
    return [];
  }
}
