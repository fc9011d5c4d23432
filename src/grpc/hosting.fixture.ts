import type { TestContext } from "node:test";
import { credentials, Metadata } from "@grpc/grpc-js";
import type { AssembleRequest, AssembleResponse } from "../../gen/acms/v1/assembly_service.js";
import {
  type Component,
  ComponentServiceClient,
  type ListComponentsResponse,
} from "../../gen/acms/v1/component_service.js";
import { ComponentRole } from "../../gen/acms/v1/hosted_component.js";
import type { ContextPayload } from "../../gen/acms/v1/payload.js";
import { type AppOptions, createApp } from "../app.js";
import { AMPLE_TIME } from "../hosting/hosting.fixture.js";
import { type Answering, attachHost, type TestHost } from "./host.fixture.js";
import { answered, assembleOver, ended, eventually, startTestServer, type TestServer } from "./server.fixture.js";

export type Request = Parameters<typeof AssembleRequest.fromPartial>[0];
export type HostOptions = Parameters<typeof attachHost>[1];

export const scorer = { role: ComponentRole.COMPONENT_ROLE_SCORER, name: "mine" };

export const request: Request = {
  budget: { maxTokens: 100 },
  pipeline: { profile: "fusion", scorer: "mine" },
  trace: 3,
  fragments: [
    { fragmentId: "a", ukoNode: "a", content: "alpha", tokenCount: 60, relevanceScore: 0.9 },
    { fragmentId: "b", ukoNode: "b", content: "beta", tokenCount: 60, relevanceScore: 0.1 },
  ],
};

export async function serverWith(t: TestContext, hosting: AppOptions["hosting"] = {}): Promise<TestServer> {
  return startTestServer(t, { app: createApp({ hosting: { ...AMPLE_TIME, ...hosting } }) });
}

export async function hostAt(t: TestContext, server: TestServer, options: HostOptions): Promise<TestHost> {
  const host = await attachHost(server.address, options);
  t.after(() => host.cut());
  return host;
}

/** Waits until the server has heard all that a host said: it answers in order. */
export async function heardBy(host: TestHost): Promise<void> {
  const number = 1_000 + host.heard.length;
  host.say({ $case: "heartbeat", value: { number } });
  const isEcho = (one: TestHost["heard"][number]): boolean => one.$case === "heartbeat" && one.value.number === number;
  if (!(await eventually(() => host.heard.find(isEcho)))) throw new Error("the server does not answer a heartbeat");
}

export function calling(server: TestServer, fields: Request = {}, namespace?: string) {
  const metadata = new Metadata();
  if (namespace !== undefined) metadata.set("acms-namespace", namespace);
  return assembleOver(server.client(), { ...request, ...fields }, {}, metadata);
}

export async function assembled(server: TestServer, fields: Request = {}, namespace?: string): Promise<ContextPayload> {
  return (await answered<AssembleResponse>(calling(server, fields, namespace))).payload!;
}

export const failPolicy = { profile: "fusion", scorer: "mine", failurePolicies: [{ stage: 6, policy: 1 }] };
export const skipPolicy = { profile: "fusion", scorer: "mine", failurePolicies: [{ stage: 6, policy: 2 }] };

export const warningsOf = ({ warnings }: ContextPayload): string[] => warnings.map(({ code }) => code);

export async function listed(server: TestServer, role: ComponentRole, namespace?: string): Promise<Component[]> {
  const client = new ComponentServiceClient(server.address, credentials.createInsecure());
  const metadata = new Metadata();
  if (namespace !== undefined) metadata.set("acms-namespace", namespace);
  try {
    const request = { pageSize: 0, pageToken: "", role };
    const listing = ended<ListComponentsResponse>((callback) => client.listComponents(request, metadata, callback));
    return (await answered(listing)).components;
  } finally {
    client.close();
  }
}

export const idsOf = ({ fragments }: ContextPayload): string[] => fragments.map(({ fragmentId }) => fragmentId);

/** Scores fragments from the last to the first. */
export const lastBest: Answering = ({ input }) => {
  if (input?.$case !== "scorer") throw new Error(`asked for a ${input?.$case}`);
  const { length } = input.value.fragments;
  return scoring(input.value.fragments.map((_, i) => (i + 1) / length));
};

export const scoring = (scores: number[]) => ({
  $case: "scorer" as const,
  value: { scores, baseline: 0, parts: undefined },
});

export const never: Answering = () => undefined;
