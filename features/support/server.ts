import {
  type Client,
  credentials,
  type Metadata,
  makeGenericClientConstructor,
  type ServiceError,
} from "@grpc/grpc-js";
import { service as HealthService } from "grpc-health-check";
import { pino } from "pino";
import { AssemblyServiceClient, AssemblyServiceService } from "../../gen/acms/v1/assembly_service.js";
import { ComponentServiceClient, ComponentServiceService } from "../../gen/acms/v1/component_service.js";
import { PromptServiceClient, PromptServiceService } from "../../gen/acms/v1/prompt_service.js";
import { StageServiceClient, StageServiceService } from "../../gen/acms/v1/stage_service.js";
import { StrategyServiceClient, StrategyServiceService } from "../../gen/acms/v1/strategy_service.js";
import { createApp } from "../../src/app.js";
import { createExpressions } from "../../src/expressions/expressions.js";
import { startServer } from "../../src/grpc/server.js";
import type { Registrations } from "../../src/registrations/index.js";

/**
 * What evaluates expressions in all scenarios: its thread takes longer to start than most scenarios to run. A slow machine fails no scenario,
 * so it has more time than usual.
 */
export const expressions = createExpressions({ workers: 1, timeMs: 5_000 });

/** The calls of a service, each answering with a promise; a refused call rejects with the `ServiceError`. */
type Methods<Service> = {
  readonly [Method in keyof Service]: Service[Method] extends {
    requestSerialize: (request: infer Request) => Buffer;
    responseDeserialize: (bytes: Buffer) => infer Response;
  }
    ? (request: Request) => Promise<Response>
    : never;
};

/** The method of the standard health service that the scenarios use. */
interface HealthMethods {
  readonly check: (request: { service: string }) => Promise<{ status: string }>;
}

/** A server of its own for one scenario, and its generated clients. */
export interface ServerUnderTest {
  /** Where it listens, for clients of other kinds. */
  readonly address: string;
  readonly assembly: Methods<typeof AssemblyServiceService>;
  readonly stages: Methods<typeof StageServiceService>;
  readonly strategies: Methods<typeof StrategyServiceService>;
  readonly prompts: Methods<typeof PromptServiceService>;
  readonly components: Methods<Pick<typeof ComponentServiceService, "listComponents">>;
  readonly health: HealthMethods;
  /** Stops it, as a signal does. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Hosts have more time than usual, for the same reason, and are found dead sooner. */
const hosting = { stageTimeoutMs: 20_000, strategyTimeoutMs: 20_000, heartbeatIntervalMs: 1_000 };

const HealthClient = makeGenericClientConstructor(HealthService, "grpc.health.v1.Health");

/** What a scenario decides about its server. */
export interface ServerSettings {
  readonly registrations: Registrations;
  /** The metadata of the next call. */
  readonly metadata: () => Metadata;
}

/** Starts a server on a free port and connects the clients. */
export async function openServer({ registrations, metadata }: ServerSettings): Promise<ServerUnderTest> {
  const options = {
    host: "127.0.0.1",
    port: 0,
    maxReceiveBytes: 16 * 1024 * 1024,
    maxConcurrentCalls: 64,
    shutdownGraceMs: 1_000,
  };
  const server = await startServer(
    createApp({ registrations, expressions, hosting }),
    options,
    pino({ level: "silent" }),
  );
  const clients: Client[] = [];
  const connect = <Service extends object>(
    ClientOf: new (address: string, insecure: ReturnType<typeof credentials.createInsecure>) => Client,
    service: Service,
  ): Methods<Service> => {
    const client = new ClientOf(server.address, credentials.createInsecure());
    clients.push(client);
    return methodsOf(client, service, metadata);
  };
  return {
    address: server.address,
    assembly: connect(AssemblyServiceClient, AssemblyServiceService),
    stages: connect(StageServiceClient, StageServiceService),
    strategies: connect(StrategyServiceClient, StrategyServiceService),
    prompts: connect(PromptServiceClient, PromptServiceService),
    components: connect(ComponentServiceClient, {
      listComponents: ComponentServiceService.listComponents,
    }),
    health: connect(HealthClient, { check: HealthService.Check }) as unknown as HealthMethods,
    stop: () => server.stop(),
    close: async () => {
      for (const client of clients) client.close();
      await server.stop();
    },
  };
}

type Callback = (error: ServiceError | null, answer: unknown) => void;
type Send = (request: unknown, metadata: Metadata, callback: Callback) => void;

function methodsOf<Service extends object>(
  client: Client,
  service: Service,
  metadata: () => Metadata,
): Methods<Service> {
  const methods = client as unknown as Record<string, Send>;
  const promising = (name: string) => (request: unknown) =>
    new Promise((resolve, reject) => {
      methods[name]!(request, metadata(), (error, answer) => (error === null ? resolve(answer) : reject(error)));
    });
  return Object.fromEntries(Object.keys(service).map((name) => [name, promising(name)])) as Methods<Service>;
}
