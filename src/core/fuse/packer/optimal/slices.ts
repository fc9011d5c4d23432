/** Searches in parts: a generator yields wherever others may have a turn. */
import type { MaybePromise, Run } from "../../../run.js";

/** Runs a search to its end; it breathes wherever the search yields. */
export function runInSlices<T>(slices: Generator<void, T>, run: Run): MaybePromise<T> {
  for (let slice = slices.next(); ; slice = slices.next()) {
    if (slice.done) return slice.value;
    const pause = run.breathe();
    if (pause !== undefined) return pause.then(() => runInSlices(slices, run));
  }
}
