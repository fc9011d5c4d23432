// Imports nothing, so that signals are heeded before a program is loaded.

/** The part of a process that tells of signals. */
export interface SignalSource {
  once(name: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  removeListener(name: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

/** The first signal to stop, whenever it comes. */
export interface StopSignal {
  /** From its coming on nobody listens, so that a second signal ends the process as it does by default. */
  readonly came: Promise<NodeJS.Signals>;
  /** Listens no longer: signals do what they do by default. */
  release(): void;
}

const STOP_SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Listens for a signal to stop from now on. */
export function awaitStopSignal(signals: SignalSource): StopSignal {
  let release = (): void => {};
  const came = new Promise<NodeJS.Signals>((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      release();
      resolve(signal);
    };
    release = () => {
      for (const name of STOP_SIGNALS) signals.removeListener(name, stop);
    };
    for (const name of STOP_SIGNALS) signals.once(name, stop);
  });
  return { came, release };
}

/** Loads a program; a signal that comes before it is loaded ends the process instead, as there is nothing yet to stop. */
export async function loadUnlessStopped<Program>(
  stop: StopSignal | undefined,
  load: () => Promise<Program>,
  end: () => void,
): Promise<Program> {
  let isLoading = true;
  void stop?.came.then(() => {
    if (isLoading) end();
  });
  const program = await load();
  isLoading = false;
  return program;
}
