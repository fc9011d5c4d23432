import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A host in a process of its own. */
export class SpawnedHost {
  readonly #child: ChildProcess;
  #said = "";

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      this.#said += text;
    });
  }

  /** Starts one that hosts a scorer which answers nothing, and waits until it is attached. */
  static async start(address: string, namespace: string, name: string): Promise<SpawnedHost> {
    const program = fileURLToPath(new URL("hosting_process.ts", import.meta.url));
    const run = ["--import", "tsx", program, address, namespace, name];
    const host = new SpawnedHost(
      spawn(process.execPath, run, {
        stdio: ["ignore", "pipe", "inherit", "ipc"],
        env: { ...process.env, NODE_OPTIONS: "" },
      }),
    );
    await host.hasSaid("attached");
    return host;
  }

  async hasSaid(word: string): Promise<void> {
    while (!this.#said.includes(word)) {
      if (this.#child.exitCode !== null) throw new Error(`the host ended with ${this.#child.exitCode}: ${this.#said}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Stops it as it is, without ending it. */
  freeze(): void {
    this.#child.kill("SIGSTOP");
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
  }
}
