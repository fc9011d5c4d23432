import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setWorldConstructor, World } from "@cucumber/cucumber";
import { Metadata } from "@grpc/grpc-js";
import { AssembleRequest, type CompareStrategiesResponse } from "../../gen/acms/v1/assembly_service.js";
import type { CompareVariant } from "../../gen/acms/v1/comparison.js";
import { PipelineSpec } from "../../gen/acms/v1/component.js";
import type { Component } from "../../gen/acms/v1/component_service.js";
import type { ContextFragment } from "../../gen/acms/v1/fragment.js";
import type { ContextPayload } from "../../gen/acms/v1/payload.js";
import type { PromptReport } from "../../gen/acms/v1/prompt.js";
import { FitPromptRequest } from "../../gen/acms/v1/prompt_service.js";
import type { ScoredFragment } from "../../gen/acms/v1/scored_fragment.js";
import type {
  CompressSkeletonResponse,
  DeduplicateResponse,
  GeneratePreambleResponse,
  OrderResponse,
  PackResponse,
  ResolveDepthResponse,
  ScoreResponse,
} from "../../gen/acms/v1/stage_service.js";
import { type Allocation, type Candidate, type Strategy, StrategySpec } from "../../gen/acms/v1/strategy.js";
import type { Decision } from "../../gen/acms/v1/trace.js";
import type { StageRole } from "../../src/core/index.js";
import { openRegistrations, type Registrations } from "../../src/registrations/index.js";
import { ClientHost, type ClientPart, type InputOf } from "./hosting.js";
import { Outcomes } from "./outcomes.js";
import { isServiceError, type Refusal, refusalOf } from "./refusal.js";
import { openServer, type ServerUnderTest } from "./server.js";
import { SpawnedHost } from "./spawned_host.js";
import { camelCase } from "./tables.js";
import { checkVectors, messageOf } from "./vectors.js";

/** What calls answer with, by what it is about. */
export interface Answers {
  payload: ContextPayload;
  comparison: CompareStrategiesResponse;
  kept: DeduplicateResponse | ResolveDepthResponse;
  scored: ScoreResponse;
  packed: PackResponse;
  ordered: OrderResponse;
  preamble: GeneratePreambleResponse;
  outline: CompressSkeletonResponse;
  candidates: Candidate[];
  allocations: Allocation[];
  strategies: Strategy[];
  components: Component[];
  /** The names of the strategies, page by page. */
  pages: string[][];
  deleted: object;
  prompt: FittedPrompt;
  health: string;
  /** What is wrong with the answers to the vectors. */
  faults: readonly string[];
}

/** A prompt that was fitted, and what was done to it. */
interface FittedPrompt {
  readonly prompt: string;
  readonly report: PromptReport;
}

/** One scenario: a server, the client's request in the making, and the outcomes of its calls. */
export class AcmsWorld extends World {
  /** What the next assembly asks; the calls of single stages take their fragments, budget and options from it. */
  readonly request: AssembleRequest = AssembleRequest.fromPartial({});
  /** What the next fitting of a prompt asks. */
  readonly prompt: FitPromptRequest = FitPromptRequest.fromPartial({});
  /** What the next packing by itself is given in place of the request's fragments. */
  scored: ScoredFragment[] = [];
  /** Where the client's strategies are registered. Absent: where all are that name none. */
  namespace: string | undefined;
  /** Every payload so far, the newest last. */
  readonly payloads: ContextPayload[] = [];
  /** Every comparison so far with what it compared, the newest last. */
  readonly comparisons: { readonly variants: CompareVariant[]; readonly response: CompareStrategiesResponse }[] = [];
  readonly outcomes = new Outcomes<Answers>();
  /** The clients that host something, the newest last. */
  readonly hosts: ClientHost[] = [];
  #spawned: SpawnedHost | undefined;
  #server: ServerUnderTest | undefined;
  #registrations: Registrations | undefined;
  #folder: string | undefined;

  async open(): Promise<void> {
    this.#registrations = await openRegistrations(this.#folder);
    this.#server = await openServer({ registrations: this.#registrations, metadata: () => this.#metadata() });
  }

  async close(): Promise<void> {
    for (const host of this.hosts) void host.leave();
    await this.#spawned?.kill();
    await this.#stop();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true });
  }

  /** From now on the server keeps its registrations in a folder. */
  async keepData(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), "acms-features-"));
    await this.restart();
  }

  async restart(): Promise<void> {
    await this.#stop();
    await this.open();
  }

  /** Has a client host a component under a name, in the scenario's namespace, which is one of its own where it has none yet. */
  async host(name: string, part: ClientPart): Promise<ClientHost> {
    this.namespace ??= "features";
    const host = new ClientHost(this.server.address, this.#metadata(), new Map([[name, part]]));
    this.hosts.push(host);
    const { refused } = await host.attach();
    assert.deepEqual(refused, []);
    return host;
  }

  /** Has a process of its own host a scorer that answers nothing. */
  async spawnHost(name: string): Promise<void> {
    this.namespace ??= "features";
    this.#spawned = await SpawnedHost.start(this.server.address, this.namespace, name);
  }

  get spawnedHost(): SpawnedHost {
    assert(this.#spawned, "no client has a process of its own");
    return this.#spawned;
  }

  /** What the clients' components of a kind were asked, question by question. */
  askedOf<C extends ClientPart["kind"]>(kind: C): readonly InputOf<C>[] {
    const asked = this.hosts.flatMap((host) => host.asked).filter(({ $case }) => $case === kind);
    return asked.map(({ value }) => value as InputOf<C>);
  }

  /** Names the component of a stage in the next request. */
  choose(role: StageRole, name: string): void {
    this.request.pipeline = PipelineSpec.fromPartial({ ...this.request.pipeline, [camelCase(role)]: name });
  }

  /** Assembles the request in the making, by the strategies that it names. */
  async assemble(): Promise<void> {
    await this.outcomes.record("payload", async () => {
      const { payload } = await this.server.assembly.assemble(this.request);
      this.payloads.push(payload!);
      return payload!;
    });
  }

  async assembleBy(...strategies: readonly (string | StrategySpec)[]): Promise<void> {
    this.request.strategies = strategies.map((strategy) =>
      typeof strategy === "string" ? StrategySpec.fromPartial({ name: strategy }) : strategy,
    );
    await this.assemble();
  }

  /** Fits the prompt in the making into a budget. */
  async fitPrompt(budget: number): Promise<void> {
    this.prompt.budget = budget;
    await this.outcomes.record("prompt", async () => {
      const { prompt, report } = await this.server.prompts.fitPrompt(this.prompt);
      return { prompt, report: report! };
    });
  }

  /** Has the server assemble every vector's request. */
  async runVectors(): Promise<void> {
    await this.outcomes.record("faults", () =>
      checkVectors(async (request) => {
        try {
          const { payload } = await this.server.assembly.assemble(messageOf(request));
          return payload!;
        } catch (error) {
          if (isServiceError(error)) return refusalOf(error);
          throw error;
        }
      }),
    );
  }

  async checkHealth(service: string): Promise<void> {
    await this.outcomes.record("health", async () => (await this.server.health.check({ service })).status);
  }

  /** The newest answer of a kind; where its call was refused, that is what the failing step shows. */
  answer<K extends keyof Answers>(kind: K): Answers[K] {
    return this.outcomes.newest(kind);
  }

  get payload(): ContextPayload {
    return this.answer("payload");
  }

  get fitted(): FittedPrompt {
    return this.answer("prompt");
  }

  /** The fragments that the newest call of an assembly or a stage came to. */
  get fragments(): readonly ContextFragment[] {
    const answer = this.outcomes.newest("payload", "kept", "scored", "packed", "ordered");
    return "packed" in answer ? answer.packed.map(({ fragment }) => fragment!) : answer.fragments;
  }

  /** The decisions of the newest call that explains any. */
  get decisions(): readonly Decision[] {
    return this.outcomes.newest("payload", "kept", "packed").decisions;
  }

  /** The newest refusal, which counts as asserted from now on. */
  get refusal(): Refusal {
    return this.outcomes.refusal;
  }

  get server(): ServerUnderTest {
    assert(this.#server, "the server is not open");
    return this.#server;
  }

  #metadata(): Metadata {
    const metadata = new Metadata();
    if (this.namespace !== undefined) metadata.set("acms-namespace", this.namespace);
    return metadata;
  }

  async #stop(): Promise<void> {
    await this.#server?.close();
    await this.#registrations?.close();
  }
}

setWorldConstructor(AcmsWorld);
