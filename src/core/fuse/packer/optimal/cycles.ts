/** Strongly connected components: nodes that need one another stand or fall together. */

/**
 * Numbers the components of a graph: nodes get equal numbers where each can be reached from the other. Edges to nodes that are not given
 * are ignored. O(nodes + edges), without recursion (Tarjan, "Depth-first search and linear graph algorithms", 1972).
 */
export function componentsOf(
  nodes: readonly number[],
  edgesOf: (node: number) => readonly number[],
): ReadonlyMap<number, number> {
  const given = new Set(nodes);
  const component = new Map<number, number>();
  const entered = new Map<number, number>();
  const lowest = new Map<number, number>();
  const open: number[] = [];
  const path: { readonly node: number; edge: number }[] = [];
  let components = 0;
  const enter = (node: number): void => {
    entered.set(node, entered.size);
    lowest.set(node, entered.get(node)!);
    open.push(node);
    path.push({ node, edge: 0 });
  };
  const leave = (node: number): void => {
    path.pop();
    const parent = path.at(-1);
    if (parent !== undefined) lowest.set(parent.node, Math.min(lowest.get(parent.node)!, lowest.get(node)!));
    if (lowest.get(node) !== entered.get(node)) return;
    for (let member = open.pop()!; ; member = open.pop()!) {
      component.set(member, components);
      if (member === node) break;
    }
    components++;
  };
  for (const start of nodes) {
    if (entered.has(start)) continue;
    enter(start);
    while (path.length > 0) {
      const at = path.at(-1)!;
      const next = edgesOf(at.node)[at.edge++];
      if (next === undefined) leave(at.node);
      else if (!given.has(next)) continue;
      else if (!entered.has(next)) enter(next);
      else if (!component.has(next)) {
        lowest.set(at.node, Math.min(lowest.get(at.node)!, entered.get(next)!));
      }
    }
  }
  return component;
}
