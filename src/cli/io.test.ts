import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { PassThrough, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { InvalidArgumentError } from "commander";
import { type CliIo, createCommand, ExitError, runCommand, writeLines } from "./io.js";

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

const noSpace = Object.assign(new Error("ENOSPC: no space left on device, write"), {
  code: "ENOSPC",
  errno: -28,
  syscall: "write",
});

/** A stream as that of a file on a full disk. */
function fullDisk(): Writable {
  return new Writable({
    write(_chunk, _encoding, done) {
      done(noSpace);
    },
  });
}

test("a standard output that takes no more is told in a line, with exit code 2, also under help", async () => {
  const writing = (io: CliIo) =>
    createCommand(io, "x").action(async () => {
      await writeLines(io.stdout, ["a"]);
    });
  for (const args of [[], ["--help"]]) {
    const io = { ...testIo(), stdout: fullDisk() };
    assert.equal(await runCommand(writing(io), args, io), 2);
    assert.equal(io.stderr.read()?.toString(), "error: cannot write the standard output: no space left on device\n");
  }
});

test("a standard error that takes nothing leaves the exit code as it is", async () => {
  const io = { ...testIo(), stderr: fullDisk() };
  assert.equal(await runCommand(createCommand(io, "x"), ["--what"], io), 2);
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(io.stderr.destroyed);
});

test("what the operating system refuses is told in a line, with exit code 2", async () => {
  const io = testIo();
  const command = createCommand(io, "x").action(() => {
    readFileSync("/nowhere/a\u001b[31m\nb");
  });
  assert.equal(await runCommand(command, [], io), 2);
  assert.equal(
    io.stderr.read()?.toString(),
    "error: ENOENT: no such file or directory, open '/nowhere/a\\u{001b}[31m\\u{000a}b'\n",
  );
});

test("a line of a message stays a line, and cannot steer the terminal", async () => {
  const io = testIo();
  const command = createCommand(io, "x").action(() => {
    throw new ExitError(1, ["a\r\nINTERNAL: forged", "\u001b]0;title\u0007\u007f\u009b31m\u202eb\u2069"]);
  });
  assert.equal(await runCommand(command, [], io), 1);
  assert.equal(
    io.stderr.read()?.toString(),
    "a\\u{000d}\\u{000a}INTERNAL: forged\n\\u{001b}]0;title\\u{0007}\\u{007f}\\u{009b}31m\\u{202e}b\\u{2069}\n",
  );
});

test("what was given in vain cannot steer the terminal either", async () => {
  const told = async (...args: string[]): Promise<string> => {
    const io = testIo();
    const command = createCommand(io, "x").option("--depth <n>", "", (text) => {
      throw new InvalidArgumentError(`It must not be ${text}.`);
    });
    assert.equal(await runCommand(command.addCommand(createCommand(io, "assemble")), args, io), 2);
    return io.stderr.read()?.toString() ?? "";
  };
  assert.equal(await told("\u001b[31mcmd\nerror: b"), "error: unknown command '\\u{001b}[31mcmd\\u{000a}error: b'\n");
  assert.equal(await told("--zz\u009b\r"), "error: unknown option '--zz\\u{009b}\\u{000d}'\n");
  assert.equal(
    await told("--depth", "\u001b\n"),
    "error: option '--depth <n>' argument '\\u{001b}\\u{000a}' is invalid. It must not be \\u{001b}\\u{000a}.\n",
  );
  assert.equal(
    await told("x\n(Did you mean y?)"),
    "error: unknown command 'x\\u{000a}(Did you mean y?)'\n",
    "a suggestion of somebody else's is none",
  );
  assert.equal(await told("asemble"), "error: unknown command 'asemble'\n(Did you mean assemble?)\n");
});
