import type { StrategyConfigDraft } from "../model/strategy-spec.js";
import { createExpressionStrategy } from "./expression.js";
import { createPriorityContext } from "./priority-context.js";
import { createSlidingWindow } from "./sliding-window.js";
import type { Strategy } from "./strategy.js";

const TOKENS = 2;

/** The strategy that valid settings stand for; `path` is where they stand, for faults that only show when it runs. */
export function createConfigured(config: StrategyConfigDraft, path: string): Strategy {
  switch (config.$case) {
    case "slidingWindow": {
      const { windowSize, windowMode } = config.value;
      return createSlidingWindow({ windowSize, windowMode: windowMode === TOKENS ? "tokens" : "messages" });
    }
    case "priority": {
      const { rules, scoreExpression } = config.value;
      if (scoreExpression !== "") return createExpressionStrategy("priority", { score: scoreExpression }, path);
      return createPriorityContext({ rules: rules.length > 0 ? rules : undefined });
    }
    case "expression":
      return createExpressionStrategy(
        "expression",
        {
          where: config.value.where === "" ? undefined : config.value.where,
          score: config.value.score === "" ? undefined : config.value.score,
        },
        path,
      );
  }
}
