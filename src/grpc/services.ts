import type { Server } from "@grpc/grpc-js";
import { AssemblyServiceService } from "../../gen/acms/v1/assembly_service.js";
import { ComponentServiceService } from "../../gen/acms/v1/component_service.js";
import { PromptServiceService } from "../../gen/acms/v1/prompt_service.js";
import { StageServiceService } from "../../gen/acms/v1/stage_service.js";
import { StrategyServiceService } from "../../gen/acms/v1/strategy_service.js";
import type { App } from "../app.js";
import { assemblyHandlers } from "./assembly-service.js";
import { componentHandlers } from "./component-service.js";
import { promptHandlers } from "./prompt-service.js";
import { stageHandlers } from "./stage-service.js";
import { strategyHandlers } from "./strategy-service.js";
import { addService, type CallSurroundings } from "./unary.js";

/** The full names of the services, for health and reflection. */
export const SERVICE_NAMES = [
  "acms.v1.AssemblyService",
  "acms.v1.StageService",
  "acms.v1.StrategyService",
  "acms.v1.PromptService",
  "acms.v1.ComponentService",
] as const;

/** Binds every service of the contract to a server. */
export function addServices(server: Server, app: App, around: CallSurroundings): void {
  addService(server, AssemblyServiceService, assemblyHandlers(app), around);
  addService(server, StrategyServiceService, strategyHandlers(app), around);
  addService(server, StageServiceService, stageHandlers(app), around);
  addService(server, PromptServiceService, promptHandlers(app), around);
  addService(server, ComponentServiceService, componentHandlers(app), around);
}
