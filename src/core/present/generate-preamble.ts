import { type Assembly, ask } from "../assembly.js";
import type { Reserves } from "../fuse/reserve-tokens.js";
import { checkCounts } from "../model/count-fragments.js";
import type { Warning } from "../model/payload.js";
import { cutToUnits } from "../model/text.js";
import type { Run } from "../run.js";
import type { Ordered } from "./order-fragments.js";

/** The text before the fragments, counted. */
export interface Preamble {
  readonly text: string;
  readonly tokens: number;
}

const NO_PREAMBLE: Preamble = { text: "", tokens: 0 };

/** Stage 9. Asks for the preamble, counts it, and cuts it to the tokens that were set aside. */
export async function generatePreamble(
  assembly: Assembly,
  ordered: Ordered,
  { preambleTokens }: Reserves,
): Promise<Preamble> {
  const { run, warnings, parts, trace } = assembly;
  const input = {
    selected: ordered.fragments,
    strategiesUsed: ordered.strategiesUsed,
    // Counted only for a generator that looks.
    get dropped() {
      return trace.dropCounts();
    },
    maxTokens: preambleTokens,
  };
  const text = await ask(assembly, "preamble_generator", (generator) => generator.generate(input, run), preambleFault);
  const { preamble, warning } = await fitPreamble(text, preambleTokens, parts.stages.preamble_generator.name, run);
  if (warning !== undefined) warnings.push(warning);
  return preamble;
}

/** Says what is wrong with a generator's answer, or nothing. */
export function preambleFault(text: string): string | undefined {
  return typeof text === "string" ? undefined : "did not answer with a text";
}

/** A generator's text as it may enter a payload: well-formed, counted, and cut to so many tokens, with a warning where it was. */
export async function fitPreamble(
  text: string,
  maxTokens: number,
  component: string,
  run: Run,
): Promise<{ preamble: Preamble; warning: Warning | undefined }> {
  if (text === "") return { preamble: NO_PREAMBLE, warning: undefined };
  const wellFormed = text.toWellFormed();
  const preamble = await cutToTokens(wellFormed, maxTokens, run);
  if (preamble.text === wellFormed) return { preamble, warning: undefined };
  const message = `the preamble was cut to the ${maxTokens} tokens that are set aside for it`;
  return { preamble, warning: { code: "preamble_cut", stage: "preamble_generator", component, message } };
}

/** The longest start of a text within so many tokens, by bisection on its length; each length tried is counted. */
async function cutToTokens(text: string, maxTokens: number, run: Run): Promise<Preamble> {
  const whole = await countText(text, run);
  if (whole <= maxTokens) return { text, tokens: whole };
  let best: Preamble = NO_PREAMBLE;
  let least = 0;
  let most = text.length - 1;
  while (least <= most) {
    const middle = (least + most) >> 1;
    const cut = cutToUnits(text, middle);
    const tokens = await countText(cut, run);
    if (tokens <= maxTokens) {
      best = { text: cut, tokens };
      least = middle + 1;
    } else {
      most = middle - 1;
    }
  }
  return best;
}

async function countText(text: string, { counter, signal }: Run): Promise<number> {
  const counts = await counter.count([text], signal);
  checkCounts(counts, 1, counter.name);
  return counts[0]!;
}
