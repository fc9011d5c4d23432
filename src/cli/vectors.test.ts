/** `acms assemble` answers the vectors as a server does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, faultsOf, readVectors } from "../../features/support/vectors.js";
import { AssembleResponse } from "../../gen/acms/v1/assembly_service.js";
import { type JsonValue, parseProtoJson } from "../proto-json/index.js";
import { captureRun } from "./captured-run.js";

async function assemble(request: JsonValue): Promise<Answer> {
  const { code, stdout, stderr } = await captureRun(["assemble", "-"], { stdin: JSON.stringify(request) });
  if (code === 0) return AssembleResponse.decode(parseProtoJson("acms.v1.AssembleResponse", stdout)).payload!;
  const [, status, message] = /^([A-Z_]+): (.*)$/s.exec(stderr) ?? [];
  assert.ok(status !== undefined && message !== undefined, stderr);
  return { status, message };
}

const vectors = readVectors();

test("there are vectors", () => assert.ok(vectors.length > 0));

for (const vector of vectors) {
  test(vector.name, async () => {
    assert.deepEqual(await faultsOf(vector, assemble), []);
  });
}
