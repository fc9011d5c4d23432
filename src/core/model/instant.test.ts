import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareInstants, instantFault, instantOfMs } from "./instant.js";

const instants = fc.record({
  seconds: fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }),
  nanos: fc.integer({ min: 0, max: 999_999_999 }),
});

test("the first and the last instant of the wire's timestamp are valid", () => {
  assert.equal(instantFault({ seconds: -62_135_596_800, nanos: 0 }), undefined);
  assert.equal(instantFault({ seconds: 253_402_300_799, nanos: 999_999_999 }), undefined);
});

test("a year before 1 or after 9999 is a fault that names the seconds", () => {
  assert.match(instantFault({ seconds: -62_135_596_801, nanos: 0 }) ?? "", /-62135596801 seconds.*years 1 to 9999/);
  assert.match(instantFault({ seconds: 253_402_300_800, nanos: 0 }) ?? "", /253402300800 seconds/);
  assert.notEqual(instantFault({ seconds: Number.NaN, nanos: 0 }), undefined);
});

test("nanoseconds below 0 and of a whole second are faults", () => {
  assert.match(instantFault({ seconds: 0, nanos: -1 }) ?? "", /-1 nanoseconds/);
  assert.match(instantFault({ seconds: 0, nanos: 1_000_000_000 }) ?? "", /1000000000 nanoseconds/);
});

test("instants compare by seconds and then by nanoseconds", () => {
  assert.ok(compareInstants({ seconds: 1, nanos: 999_999_999 }, { seconds: 2, nanos: 0 }) < 0);
  assert.ok(compareInstants({ seconds: 2, nanos: 1 }, { seconds: 2, nanos: 0 }) > 0);
  assert.equal(compareInstants({ seconds: -5, nanos: 7 }, { seconds: -5, nanos: 7 }), 0);
});

test("instants compare as their nanoseconds from 1970 do", () => {
  const nanosOf = ({ seconds, nanos }: { seconds: number; nanos: number }) =>
    BigInt(seconds) * 10n ** 9n + BigInt(nanos);
  fc.assert(
    fc.property(instants, instants, (a, b) => {
      const [x, y] = [nanosOf(a), nanosOf(b)];
      assert.equal(Math.sign(compareInstants(a, b)), x < y ? -1 : x > y ? 1 : 0);
    }),
    { seed: 1, numRuns: 300 },
  );
});

test("milliseconds before 1970 have nanoseconds from 0", () => {
  assert.deepEqual(instantOfMs(-1), { seconds: -1, nanos: 999_000_000 });
  assert.deepEqual(instantOfMs(0), { seconds: 0, nanos: 0 });
  assert.deepEqual(instantOfMs(1_750_000_000_123), { seconds: 1_750_000_000, nanos: 123_000_000 });
});

test("every millisecond is a valid instant", () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (ms) => {
      assert.equal(instantFault(instantOfMs(ms)), undefined);
    }),
    { seed: 1, numRuns: 300 },
  );
});
