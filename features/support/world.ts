import assert from "node:assert/strict";
import { setWorldConstructor, World } from "@cucumber/cucumber";
import type { ServiceError } from "@grpc/grpc-js";
import { AssembleRequest } from "../../gen/acms/v1/assembly_service.js";
import { PipelineSpec } from "../../gen/acms/v1/component.js";
import type { ContextPayload } from "../../gen/acms/v1/payload.js";
import type { CompressSkeletonResponse } from "../../gen/acms/v1/stage_service.js";
import { type Allocation, type Candidate, type Strategy, StrategySpec } from "../../gen/acms/v1/strategy.js";
import type {
  ComponentFactory,
  StageContracts,
  StageRole,
  Strategy as StrategyContract,
} from "../../src/core/index.js";
import { type Refusal, refusalOf } from "./refusal.js";
import { openServer, type ServerUnderTest } from "./server.js";
import { camelCase } from "./tables.js";

/** What a client may bring: a component for a stage, or a strategy. */
export interface ClientParts extends StageContracts {
  strategy: StrategyContract;
}

/** What a method of a client's part was asked with. */
type Asked<Part> = Parameters<Extract<Part[keyof Part], (...input: never[]) => unknown>>;

/** What calls answer with, by what it is about. */
interface Answers {
  payload: ContextPayload;
  candidates: Candidate[];
  allocations: Allocation[];
  outline: CompressSkeletonResponse;
  strategies: Strategy[];
  health: string;
}

/** One scenario: a server, the client's request in the making, and the outcome of its calls. */
export class AcmsWorld extends World {
  /** What the next assembly asks. */
  readonly request: AssembleRequest = AssembleRequest.fromPartial({});
  /** Every payload so far, the newest last. */
  readonly payloads: ContextPayload[] = [];
  readonly #answers: Partial<Answers> = {};
  readonly #refusals: { readonly refusal: Refusal; asserted: boolean }[] = [];
  readonly #asked = new Map<string, unknown[][]>();
  #server: ServerUnderTest | undefined;

  async open(): Promise<void> {
    this.#server = await openServer();
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  /** Lets the requests of this scenario use a client's component or strategy, and listens to what it is asked. */
  host<K extends keyof ClientParts>(kind: K, name: string, part: ClientParts[K]): void {
    const asked: unknown[][] = [];
    this.#asked.set(kind, asked);
    const listened = listenTo(part, asked);
    const { registry } = this.#running;
    if (kind === "strategy") registry.addStrategy(listened as StrategyContract, name);
    else registry.addComponent(kind as StageRole, name, (() => listened) as ComponentFactory<StageRole>);
  }

  /** What the client's part was asked with, call by call. */
  askedOf<K extends keyof ClientParts>(kind: K): readonly Asked<ClientParts[K]>[] {
    const asked = this.#asked.get(kind);
    assert(asked, `no client brought a ${kind}`);
    return asked as Asked<ClientParts[K]>[];
  }

  /** Names the component of a stage in the next request. */
  choose(role: StageRole, name: string): void {
    this.request.pipeline = PipelineSpec.fromPartial({ ...this.request.pipeline, [camelCase(role)]: name });
  }

  async assemble(strategies: readonly string[] = []): Promise<void> {
    this.request.strategies = strategies.map((name) => StrategySpec.fromPartial({ name }));
    await this.#call("payload", async () => {
      const { payload } = await this.#running.assembly.assemble(this.request);
      this.payloads.push(payload!);
      return payload!;
    });
  }

  async selectStrategies(hint: string[]): Promise<void> {
    const request = { hint, query: "", fragments: this.request.fragments, component: "" };
    await this.#call("candidates", async () => (await this.#running.stages.selectStrategies(request)).candidates);
  }

  async rankStrategies(): Promise<void> {
    const request = { query: "", fragments: this.request.fragments };
    await this.#call("candidates", async () => (await this.#running.strategies.rankStrategies(request)).candidates);
  }

  async listStrategies(): Promise<void> {
    const request = { pageSize: 0, pageToken: "" };
    await this.#call("strategies", async () => (await this.#running.strategies.listStrategies(request)).strategies);
  }

  async getStrategy(name: string): Promise<void> {
    await this.#call("strategies", async () => [(await this.#running.strategies.getStrategy({ name })).strategy!]);
  }

  async allocate(budgetTokens: number, confidences: readonly number[]): Promise<void> {
    const candidates = confidences.map((confidence, i) => ({ strategy: `strategy-${i + 1}`, confidence }));
    const request = { budgetTokens, candidates, component: "" };
    await this.#call("allocations", async () => (await this.#running.stages.allocateBudget(request)).allocations);
  }

  /** Shortens the fragments of the request in the making; no component named means the default one. */
  async compress(budgetTokens: number, component = ""): Promise<void> {
    const request = { fragments: this.request.fragments, budgetTokens, component, tokenizer: "" };
    await this.#call("outline", () => this.#running.stages.compressSkeleton(request));
  }

  async checkHealth(service: string): Promise<void> {
    await this.#call("health", async () => (await this.#running.health.check({ service })).status);
  }

  /** The newest answer of a kind; where its call was refused, that is what the failing step shows. */
  answer<K extends keyof Answers>(kind: K): Answers[K] {
    const answer = this.#answers[kind];
    const refusal = this.#refusals.at(-1)?.refusal;
    assert(answer !== undefined, `there is no ${kind}${refusal ? `: ${refusal.status}: ${refusal.message}` : ""}`);
    return answer as Answers[K];
  }

  get payload(): ContextPayload {
    return this.answer("payload");
  }

  /** The newest refusal, which counts as asserted from now on. */
  get refusal(): Refusal {
    const newest = this.#refusals.at(-1);
    assert(newest, "no call was refused");
    newest.asserted = true;
    return newest.refusal;
  }

  /** Refusals that no step looked at. */
  get unexpectedRefusals(): readonly Refusal[] {
    return this.#refusals.filter(({ asserted }) => !asserted).map(({ refusal }) => refusal);
  }

  get #running(): ServerUnderTest {
    assert(this.#server, "the server is not open");
    return this.#server;
  }

  async #call<K extends keyof Answers>(kind: K, send: () => Promise<Answers[K]>): Promise<void> {
    delete this.#answers[kind];
    try {
      this.#answers[kind] = await send();
    } catch (error) {
      if (!isServiceError(error)) throw error;
      this.#refusals.push({ refusal: refusalOf(error), asserted: false });
    }
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "metadata" in error;
}

/** The part itself, with what each of its methods is asked written down. */
function listenTo<Part extends object>(part: Part, asked: unknown[][]): Part {
  return new Proxy(part, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== "function") return member;
      return (...input: unknown[]): unknown => {
        asked.push(input);
        return Reflect.apply(member, target, input);
      };
    },
  });
}

setWorldConstructor(AcmsWorld);
