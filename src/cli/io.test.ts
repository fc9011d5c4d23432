import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { createCommand, ExitError, runCommand, writeLines } from "./io.js";

function testIo() {
  return { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), env: {} };
}

test("a command that ends has exit code 0", async () => {
  const io = testIo();
  assert.equal(
    await runCommand(
      createCommand(io, "x").action(() => {}),
      [],
      io,
    ),
    0,
  );
});

test("help goes to stdout with exit code 0, wrong use to stderr with exit code 2", async () => {
  const io = testIo();
  assert.equal(await runCommand(createCommand(io, "x"), ["--help"], io), 0);
  assert.equal(await runCommand(createCommand(io, "x"), ["--what"], io), 2);
  io.stdout.end();
  io.stderr.end();
  assert.match(await text(io.stdout), /^Usage: x/);
  assert.match(await text(io.stderr), /unknown option '--what'/);
});

test("a controlled exit writes its message and has its code", async () => {
  const io = testIo();
  const command = createCommand(io, "x").action(() => {
    throw new ExitError(1, "refused");
  });
  assert.equal(await runCommand(command, [], io), 1);
  assert.equal(io.stderr.read()?.toString(), "refused\n");
});

test("what was not thrown on purpose is rethrown", async () => {
  const io = testIo();
  const command = createCommand(io, "x").action(() => {
    throw new TypeError("a bug");
  });
  await assert.rejects(runCommand(command, [], io), TypeError);
});

test("lines wait for a slow reader", async () => {
  let taken = 0;
  const slow = new Writable({
    write(_chunk, _encoding, done) {
      taken++;
      setTimeout(done, 1);
    },
  });
  let made = 0;
  function* lines() {
    for (; made < 20; made++) {
      assert.ok(made - taken <= 1, `${made} made, ${taken} taken`);
      yield "line";
    }
  }
  assert.equal(await writeLines(slow, lines()), true);
  assert.equal(taken, 20);
});

test("a reader that has left ends the writing without an error", async () => {
  let taken = 0;
  const closing = new Writable({
    write(_chunk, _encoding, done) {
      taken++;
      done(taken > 2 ? Object.assign(new Error("write EPIPE"), { code: "EPIPE" }) : null);
    },
  });
  assert.equal(await writeLines(closing, Array.from({ length: 1000 }, String)), false);
  assert.equal(taken, 3);
  assert.equal(await writeLines(closing, ["more"]), false, "and stays ended");
});

test("a reader that leaves during the help is no error", async () => {
  const stdout = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    },
  });
  const io = { stdin: process.stdin, stdout, stderr: stdout, env: {} };
  assert.equal(await runCommand(createCommand(io, "acms"), ["--help"], io), 0);
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(stdout.destroyed);
});

test("any other fault of the stream is an error", async () => {
  const full = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error("no space"), { code: "ENOSPC" }));
    },
  });
  await assert.rejects(writeLines(full, ["a"]), /no space/);
});
