import type { ComponentFactory, Registry, StageRole } from "../../core/index.js";
import type { HostedComponent } from "../hosted-component.js";
import { remoteAllocator, remoteExecutor, remoteSelector, remoteStrategy } from "./choose.js";
import { remoteDeduplicator, remoteResolver, remoteScorer } from "./fuse.js";
import { remotePacker } from "./packer.js";
import { remoteCompressor, remoteOrderer, remotePreamble } from "./present.js";
import type { RemoteFactory } from "./questions.js";

/** The contract of each stage over a stream. */
const REMOTE: { readonly [R in StageRole]: RemoteFactory<ReturnType<ComponentFactory<R>>> } = {
  strategy_selector: remoteSelector,
  budget_allocator: remoteAllocator,
  strategy_executor: remoteExecutor,
  deduplicator: remoteDeduplicator,
  depth_resolver: remoteResolver,
  scorer: remoteScorer,
  packer: remotePacker,
  orderer: remoteOrderer,
  preamble_generator: remotePreamble,
  skeleton_compressor: remoteCompressor,
};

/** Makes a hosted component known to a registry, under its name; a token counter is not a registry's business. */
export function addRemote(registry: Registry, component: HostedComponent): void {
  const { role, name } = component;
  if (role === "strategy") registry.addStrategy(remoteStrategy(component));
  else if (role !== "token_counter") {
    const remote: RemoteFactory<unknown> = REMOTE[role];
    const factory = (_options: unknown, stage: Parameters<typeof remote>[1]) => remote(component, stage);
    registry.addComponent(role, name, factory as ComponentFactory<StageRole>);
  }
}
