/**
 * What is not wanted for its own sake enters only where something else needs it. Options that are not wanted and need one another in a
 * circle would call for each other; so they are taken together as a cluster, which something outside of it has to call for.
 */
import { componentsOf } from "./cycles.js";
import type { Component } from "./variables.js";

export interface Clusters {
  readonly count: number;
  /** The cluster of an option; -1 for a wanted one, and for none. */
  clusterOf(variable: number, option: number): number;
  /** The clusters that an option calls for. */
  calledBy(variable: number, option: number): readonly number[];
  /** By cluster: the variables that have options in it, or that may call for it. */
  readonly variables: readonly ReadonlySet<number>[];
}

const NONE: Clusters = { count: 0, clusterOf: () => -1, calledBy: () => [], variables: [] };

/** Finds the clusters of a component. */
export function findClusters({ variables }: Component): Clusters {
  const width = variables.reduce((most, options) => Math.max(most, options.length), 0) + 1;
  const nodes: number[] = [];
  variables.forEach((options, variable) => {
    options.forEach(({ isWanted }, at) => {
      if (!isWanted) nodes.push(variable * width + at + 1);
    });
  });
  if (nodes.length === 0) return NONE;
  const needsOf = (node: number): number[] => {
    const option = variables[Math.floor(node / width)]?.[(node % width) - 1];
    return (option?.needs ?? []).flatMap((need) => need.options.map((number) => need.variable * width + number));
  };
  const clusters = componentsOf({ nodes, size: variables.length * width, edgesOf: needsOf });
  const count = clusters.reduce((most, cluster) => Math.max(most, cluster + 1), 0);
  const clusterOf = (variable: number, option: number): number => clusters[variable * width + option]!;
  const calledBy = (variable: number, option: number): number[] => {
    const called = needsOf(variable * width + option).map((node) => clusters[node]!);
    return called.filter((cluster) => cluster >= 0 && cluster !== clusterOf(variable, option));
  };
  const members: Set<number>[] = Array.from({ length: count }, () => new Set());
  variables.forEach((options, variable) => {
    options.forEach((_, at) => {
      const own = clusterOf(variable, at + 1);
      if (own >= 0) members[own]!.add(variable);
      for (const cluster of calledBy(variable, at + 1)) members[cluster]!.add(variable);
    });
  });
  return { count, clusterOf, calledBy, variables: members };
}
