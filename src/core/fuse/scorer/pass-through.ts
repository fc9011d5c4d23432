import type { Scorer } from "../../stages.js";

/** The score of the nomination is the score. */
export const nominationScore: Scorer = { score: (_fragments, nominated) => ({ scores: nominated }) };
