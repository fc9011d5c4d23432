import type { FitPromptRequest, FitPromptResponse } from "../../gen/acms/v1/prompt_service.js";
import type { App } from "../app.js";
import { fitPrompt, readPrompt } from "../core/index.js";
import type { UnaryHandler } from "./unary.js";

/** The handlers of `PromptService`. */
export function promptHandlers(app: App): { fitPrompt: UnaryHandler<FitPromptRequest, FitPromptResponse> } {
  return {
    fitPrompt: (request, { note }) => {
      const { prompt, report } = fitPrompt(readPrompt(request, app.limits));
      note({ tokens: report.estimatedTokens });
      return { prompt, report: { ...report, omitted: [...report.omitted] } };
    },
  };
}
