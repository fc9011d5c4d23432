/** Strongly connected components: nodes that need one another stand or fall together. */

/** A graph of nodes with numbers below `size`; edges to nodes that are not given are ignored. */
export interface Graph {
  readonly nodes: readonly number[];
  readonly size: number;
  edgesOf(node: number): readonly number[];
}

/**
 * By node: the number of its component, -1 for nodes that are not given; nodes have equal numbers where each can be reached from the
 * other. O(nodes + edges), without recursion (Tarjan, "Depth-first search and linear graph algorithms", 1972).
 */
export function componentsOf({ nodes, size, edgesOf }: Graph): Int32Array {
  const component = new Int32Array(size).fill(-1);
  const isGiven = new Uint8Array(size);
  for (const node of nodes) isGiven[node] = 1;
  /** From 1; 0: not entered. */
  const entered = new Int32Array(size);
  const lowest = new Int32Array(size);
  const nextEdge = new Int32Array(size);
  const open: number[] = [];
  const path: number[] = [];
  let enteredCount = 0;
  let components = 0;
  const enter = (node: number): void => {
    entered[node] = ++enteredCount;
    lowest[node] = enteredCount;
    open.push(node);
    path.push(node);
  };
  const leave = (node: number): void => {
    path.pop();
    const parent = path.at(-1);
    if (parent !== undefined) lowest[parent] = Math.min(lowest[parent]!, lowest[node]!);
    if (lowest[node] !== entered[node]) return;
    for (let member = open.pop()!; ; member = open.pop()!) {
      component[member] = components;
      if (member === node) break;
    }
    components++;
  };
  for (const start of nodes) {
    if (entered[start] !== 0) continue;
    enter(start);
    while (path.length > 0) {
      const node = path.at(-1)!;
      const next = edgesOf(node)[nextEdge[node]!++];
      if (next === undefined) leave(node);
      else if (isGiven[next] === 0) continue;
      else if (entered[next] === 0) enter(next);
      else if (component[next]! < 0) lowest[node] = Math.min(lowest[node]!, entered[next]!);
    }
  }
  return component;
}
