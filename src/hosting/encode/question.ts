/** A question as bytes: what the generated code encodes, with the fragments written into it. */
import { Invoke } from "../../../gen/acms/v1/hosted_component.js";
import {
  BudgetAllocatorInput,
  DeduplicatorInput,
  DepthResolverInput,
  OrdererInput,
  PackerInput,
  PreambleGeneratorInput,
  ScorerInput,
  SkeletonCompressorInput,
  StrategyExecutorInput,
  StrategyInput,
  StrategySelectorInput,
  TokenCounterInput,
} from "../../../gen/acms/v1/hosted_stage.js";
import type { Duration } from "../../../gen/google/protobuf/duration.js";
import type { Fragment } from "../../core/index.js";
import { ByteWriter, varintSize } from "./byte-writer.js";
import type { FragmentWriter } from "./fragment-writer.js";

/** A question's content, by the role's member of `Invoke`. */
export type Input = NonNullable<Invoke["input"]>;

type ValueOf<C extends Input["$case"]> = Extract<Input, { $case: C }>["value"];

/** A question of a kind, and the fragments that it is about, where it is about any, with a number for each, where it has any. */
export interface Asked<C extends Input["$case"] = Input["$case"]> {
  readonly $case: C;
  readonly value: Omit<ValueOf<C>, "fragments" | "nominationScores">;
  readonly fragments?: readonly Fragment[];
  readonly nominationScores?: Float64Array;
}

/** All that a question has beside its content. */
export interface QuestionHead {
  readonly invocation: number;
  readonly name: string;
  readonly timeout: Duration;
}

/** How a member of `Invoke` is encoded. */
interface Member<Value> {
  /** Its number in `Invoke`. */
  readonly number: number;
  /** The tag of its fragments; 0: it has none. */
  readonly fragmentsTag: number;
  readonly codec: { encode(value: Value): { finish(): Uint8Array } };
}

const MEMBERS: { readonly [C in Input["$case"]]: Member<ValueOf<C>> } = {
  strategy: { number: 4, fragmentsTag: 0x0a, codec: StrategyInput },
  strategySelector: { number: 5, fragmentsTag: 0x1a, codec: StrategySelectorInput },
  budgetAllocator: { number: 6, fragmentsTag: 0, codec: BudgetAllocatorInput },
  strategyExecutor: { number: 7, fragmentsTag: 0x0a, codec: StrategyExecutorInput },
  deduplicator: { number: 8, fragmentsTag: 0x0a, codec: DeduplicatorInput },
  depthResolver: { number: 9, fragmentsTag: 0x0a, codec: DepthResolverInput },
  scorer: { number: 10, fragmentsTag: 0x0a, codec: ScorerInput },
  packer: { number: 11, fragmentsTag: 0x0a, codec: PackerInput },
  orderer: { number: 12, fragmentsTag: 0x0a, codec: OrdererInput },
  preambleGenerator: { number: 13, fragmentsTag: 0x0a, codec: PreambleGeneratorInput },
  skeletonCompressor: { number: 14, fragmentsTag: 0x0a, codec: SkeletonCompressorInput },
  tokenCounter: { number: 15, fragmentsTag: 0, codec: TokenCounterInput },
};

/** `invoke` in `HostResponse`. */
const INVOKE_TAG = 0x1a;

/** `nomination_scores` in `ScorerInput`. */
const NOMINATION_SCORES_TAG = 0x12;

/** One for all questions: they are encoded one after the other. */
const scratch = new ByteWriter();

/** The bytes of the `HostResponse` that asks; throws a `RangeError` where they are more than so many, and whatever the encoder throws. */
export function encodeQuestion(
  head: QuestionHead,
  { $case, value, fragments = [], nominationScores }: Asked,
  { write, maxBytes }: { readonly write: FragmentWriter; readonly maxBytes: number },
): Buffer {
  const { number, fragmentsTag, codec } = MEMBERS[$case] as Member<unknown>;
  const invoke = Invoke.encode({ ...head, input: undefined }).finish();
  const input = codec.encode({ ...value, fragments: [], nominationScores: [] }).finish();
  scratch.clear();
  for (const fragment of fragments) {
    write(fragment, fragmentsTag, scratch);
    if (scratch.length > maxBytes) throw new RangeError(`has more than ${maxBytes} bytes`);
  }
  if (nominationScores !== undefined && nominationScores.length > 0) {
    scratch.doubles(NOMINATION_SCORES_TAG, nominationScores);
  }
  const inputBytes = input.length + scratch.length;
  const invokeBytes = invoke.length + 1 + varintSize(inputBytes) + inputBytes;
  const total = 1 + varintSize(invokeBytes) + invokeBytes;
  if (total > maxBytes) throw new RangeError(`has ${total} bytes`);
  const bytes = Buffer.allocUnsafe(total);
  bytes[0] = INVOKE_TAG;
  let at = putVarint(bytes, 1, invokeBytes);
  bytes.set(invoke, at);
  at += invoke.length;
  bytes[at] = number * 8 + 2;
  at = putVarint(bytes, at + 1, inputBytes);
  bytes.set(input, at);
  bytes.set(scratch.bytes, at + input.length);
  return bytes;
}

function putVarint(bytes: Buffer, at: number, value: number): number {
  let next = at;
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes[next++] = (rest % 128) | 128;
  bytes[next++] = rest;
  return next;
}
