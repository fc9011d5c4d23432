import assert from "node:assert/strict";
import { test } from "node:test";
import { planIdFault } from "./plan-id.js";

test("a ULID is a plan id", () => {
  for (const id of ["01JQTESTPN00000000000000AA", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "00000000000000000000000000"]) {
    assert.equal(planIdFault(id), undefined, id);
  }
});

test("anything else is a fault that says ULID and what came", () => {
  const faulty = {
    empty: "",
    "too short": "01JQTESTPN00000000000000A",
    "too long": "01JQTESTPN00000000000000AAA",
    "in small letters": "01jqtestpn00000000000000aa",
    "beyond 128 bits": "81JQTESTPN00000000000000AA",
    "with an I": "01JQTESTPN00000000000000AI",
    "with an L": "01JQTESTPN00000000000000AL",
    "with an O": "01JQTESTPN00000000000000AO",
    "with a U": "01JQTESTPN00000000000000AU",
    "with a line end": "01JQTESTPN00000000000000AA\n",
    "with a digit of another script": "01JQTESTPN00000000000000A٣",
  };
  for (const [what, id] of Object.entries(faulty)) {
    const fault = planIdFault(id) ?? "";
    assert.match(fault, /ULID/, what);
    assert.ok(fault.includes(JSON.stringify(id)), what);
  }
});
