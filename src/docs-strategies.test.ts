// What docs/strategies.md says is so: its requests have the outcomes that it states, and its lists are those of the code.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { credentials } from "@grpc/grpc-js";
import {
  RegisterStrategyRequest,
  type RegisterStrategyResponse,
  StrategyServiceClient,
} from "../gen/acms/v1/strategy_service.js";
import { type CapturedRun, captureRun } from "./cli/captured-run.js";
import { builtInRegistry, STAGES } from "./core/index.js";
import { FIELD_TYPES, VARIABLE_TYPES } from "./expressions/fields.js";
import { FUNCTION_NAMES } from "./expressions/functions.js";
import { EXPRESSION_LIMITS } from "./expressions/limits.js";
import { answered, ended, startTestServer } from "./grpc/server.fixture.js";
import { parseProtoJson } from "./proto-json/index.js";

const page = readFileSync(new URL("../docs/strategies.md", import.meta.url), "utf8");
const NAMED = "Settings under a name";

interface Example {
  /** The heading that it stands under. */
  readonly heading: string;
  readonly json: string;
  /** The text after it, up to the next example or heading. */
  readonly after: string;
}

const examples: Example[] = page.split(/^#+ /m).flatMap((section) => {
  const heading = section.slice(0, section.indexOf("\n"));
  return section
    .split(/^```json\n/m)
    .slice(1)
    .map((text) => {
      const end = text.indexOf("\n```\n");
      return { heading, json: text.slice(0, end), after: text.slice(end + 5) };
    });
});

interface PrintedPayload {
  readonly fragments: readonly { readonly fragmentId: string }[];
  readonly decisions: readonly {
    readonly fragmentId: string;
    readonly reason: string;
    readonly tokensMissing?: number;
  }[];
  readonly strategiesUsed: readonly string[];
}

/** What a run came to, in the words of the page. */
function outcomeOf({ code, stdout, stderr }: CapturedRun, example: Example): string {
  if (code !== 0) return `\`\`\`text\n${stderr.trimEnd()}\n\`\`\``;
  const { payload } = JSON.parse(stdout) as { payload: PrintedPayload };
  const kept = payload.fragments.map(({ fragmentId }) => `\`${fragmentId}\``);
  const dropped = payload.decisions.map(({ fragmentId, reason, tokensMissing }) => {
    const words = reason.replace("REASON_", "").toLowerCase().replaceAll("_", " ");
    return `\`${fragmentId}\` (${words}${tokensMissing === undefined ? "" : `, lacks ${tokensMissing}`})`;
  });
  const used = payload.strategiesUsed.map((name) => `\`${name}\``);
  const saysUsed = statedOutcome(example).includes("Strategies used: ");
  return `Kept: ${kept.join(", ")}. Dropped: ${dropped.join(", ")}.${saysUsed ? ` Strategies used: ${used.join(", ")}.` : ""}`;
}

/** The outcome that the page states right after an example. */
function statedOutcome({ after }: Example): string {
  return /^\s*(Kept: [^\n]*|```text\n.*?\n```)\n/s.exec(after)?.[1] ?? "nothing is stated";
}

describe("each request has the outcome that the page states", () => {
  const own = examples.filter(({ heading }) => heading !== NAMED);
  test("all are found", () => assert.equal(own.length, 11));
  own.forEach((example, i) => {
    test(`${i + 1}, ${example.heading}`, async () => {
      const run = await captureRun(["assemble", "-"], { stdin: example.json });
      assert.equal(outcomeOf(run, example), statedOutcome(example));
    });
  });
});

test("a registered name is used as the page shows", async (t) => {
  const [registration, request] = examples.filter(({ heading }) => heading === NAMED);
  const { address } = await startTestServer(t);
  const client = new StrategyServiceClient(address, credentials.createInsecure());
  t.after(() => client.close());
  const bytes = parseProtoJson("acms.v1.RegisterStrategyRequest", registration!.json);
  const { strategy } = await answered(
    ended<RegisterStrategyResponse>((callback) =>
      client.registerStrategy(RegisterStrategyRequest.decode(bytes), callback),
    ),
  );
  assert.equal(strategy?.confidence, 0.9);
  const run = await captureRun(["assemble", "-", "--server", address], { stdin: request!.json });
  assert.equal(outcomeOf(run, request!), statedOutcome(request!));
});

/** The rows of a table, by the words of its first heading; cells without their spaces. */
function rowsOf(firstHeading: string): string[][] {
  const [, ...lines] =
    new RegExp(`^\\| ${firstHeading} +\\|.*\n((?:\\|.*\n)+)`, "m").exec(page)?.[1]?.split("\n") ?? [];
  return lines.filter((line) => line !== "").map((line) => line.split(/(?<=\s)\|/).map((cell) => cell.trim()));
}

const namesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

test("the table of strategies has each, with its confidence", () => {
  const rows = rowsOf("strategy").map((cells) => [namesIn(cells[0]!)[0], Number(cells[5])]);
  const strategies = [...builtInRegistry().strategies().values()].map(({ name, confidence }) => [name, confidence("")]);
  assert.deepEqual(rows.slice(0, -1).sort(), strategies.sort());
  assert.equal(rows.at(-1)?.[1], 0.75);
});

test("the table of components has each, under the profiles that use it", () => {
  const registry = builtInRegistry();
  const rows = rowsOf("stage");
  assert.deepEqual(
    rows.map(([stage]) => namesIn(stage!)[0]),
    STAGES.map((role) => role.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())),
  );
  rows.forEach(([, direct, fusion, others], i) => {
    const role = STAGES[i]!;
    assert.deepEqual(
      [direct, fusion].map((cell) => namesIn(cell!)[0]),
      ["direct", "fusion"].map((name) => registry.profile(name).components[role]),
    );
    const names = [direct, fusion, others].flatMap((cell) => namesIn(cell!));
    assert.deepEqual([...new Set(names)].sort(), registry.componentNames(role).sort());
  });
});

test("the fields, functions and limits of expressions are all there, and no others", () => {
  const names = rowsOf("name").flatMap(([cell]) => namesIn(cell!));
  const fields = [...Object.keys(FIELD_TYPES), "metadata"].map((name) => `fragment.${name}`);
  assert.deepEqual(names.sort(), [...fields, ...Object.keys(VARIABLE_TYPES)].sort());
  const [functions = ""] = /^Functions and methods: .*?\n\n/ms.exec(page) ?? [];
  const macros = ["all", "exists", "exists_one", "filter", "has", "map"];
  assert.deepEqual(namesIn(functions).sort(), [...FUNCTION_NAMES, ...macros].sort());
  const { characters, brackets, macros: deep, timeMs } = EXPRESSION_LIMITS;
  assert.deepEqual(
    rowsOf("limit").map(([, value]) => value),
    [characters.toLocaleString("en"), `${brackets} deep`, `${deep} deep`, `${timeMs} ms`],
  );
});
