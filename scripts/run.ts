// `acms serve` for someone who tries it out: as soon as the server listens, it says what to type. One process, so that a signal reaches the
// server itself.
import { Writable } from "node:stream";
import { awaitStopSignal, loadUnlessStopped } from "../src/cli/stop-signal.js";

const stop = awaitStopSignal(process);
const load = () => Promise.all([import("../src/cli/cli.js"), import("../src/cli/io.js")]);
const [{ createCli }, { runCommand }] = await loadUnlessStopped(stop, load, () => process.exit(0));

const stdout = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    const text = chunk.toString();
    const address = /^acms listens on (\S+)$/m.exec(text)?.[1];
    process.stdout.write(address === undefined ? text : text + whatToTry(address), done);
  },
});

function whatToTry(address: string): string {
  const acms = "node dist/src/cli/main.js";
  return `
Try it in another terminal:

  cd ${quoted(process.cwd())}
  ${acms} strategies --format text --server ${address}
  ${acms} fragments . --query "how are budgets split" | ${acms} assemble --budget 8000 --format text --server ${address} -
  npx buf curl --protocol grpc --http2-prior-knowledge http://${address}/acms.v1.StrategyService/RankStrategies

Ctrl-C stops the server. Its log follows, a line for each call.

`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

const { stdin, stderr, env } = process;
const io = { stdin, stdout, stderr, env };
process.exitCode = await runCommand(
  createCli(io, () => stop),
  ["serve", ...process.argv.slice(2)],
  io,
);
