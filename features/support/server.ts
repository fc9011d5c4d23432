import { type Client, credentials, makeGenericClientConstructor, type ServiceError } from "@grpc/grpc-js";
import { service as HealthService } from "grpc-health-check";
import { pino } from "pino";
import { AssemblyServiceClient, AssemblyServiceService } from "../../gen/acms/v1/assembly_service.js";
import { StageServiceClient, StageServiceService } from "../../gen/acms/v1/stage_service.js";
import { StrategyServiceClient, StrategyServiceService } from "../../gen/acms/v1/strategy_service.js";
import { createApp } from "../../src/app.js";
import { builtInRegistry, Registry } from "../../src/core/index.js";
import { startServer } from "../../src/grpc/server.js";

/** The methods of a service, each answering with a promise; a refused call rejects with the `ServiceError`. */
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
  /** Where parts of the scenario are added to what is built in. */
  readonly registry: Registry;
  readonly assembly: Methods<typeof AssemblyServiceService>;
  readonly stages: Methods<typeof StageServiceService>;
  readonly strategies: Methods<typeof StrategyServiceService>;
  readonly health: HealthMethods;
  close(): Promise<void>;
}

const HealthClient = makeGenericClientConstructor(HealthService, "grpc.health.v1.Health");

/** Starts a server on a free port and connects the clients. */
export async function openServer(): Promise<ServerUnderTest> {
  const registry = new Registry(builtInRegistry());
  const options = {
    host: "127.0.0.1",
    port: 0,
    maxReceiveBytes: 16 * 1024 * 1024,
    maxConcurrentCalls: 64,
    shutdownGraceMs: 1_000,
  };
  const server = await startServer(createApp({ registry }), options, pino({ level: "silent" }));
  const clients: Client[] = [];
  const connect = <Service extends object>(
    ClientOf: new (address: string, insecure: ReturnType<typeof credentials.createInsecure>) => Client,
    service: Service,
  ): Methods<Service> => {
    const client = new ClientOf(server.address, credentials.createInsecure());
    clients.push(client);
    return methodsOf(client, service);
  };
  return {
    registry,
    assembly: connect(AssemblyServiceClient, AssemblyServiceService),
    stages: connect(StageServiceClient, StageServiceService),
    strategies: connect(StrategyServiceClient, StrategyServiceService),
    health: connect(HealthClient, { check: HealthService.Check }) as unknown as HealthMethods,
    close: async () => {
      for (const client of clients) client.close();
      await server.stop();
    },
  };
}

type Callback = (error: ServiceError | null, answer: unknown) => void;

function methodsOf<Service extends object>(client: Client, service: Service): Methods<Service> {
  const methods = client as unknown as Record<string, (request: unknown, callback: Callback) => void>;
  const promising = (name: string) => (request: unknown) =>
    new Promise((resolve, reject) => {
      methods[name]!(request, (error, answer) => (error === null ? resolve(answer) : reject(error)));
    });
  return Object.fromEntries(Object.keys(service).map((name) => [name, promising(name)])) as Methods<Service>;
}
