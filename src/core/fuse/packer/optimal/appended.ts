/**
 * A list with one more element, which may be the list itself. Nearly all lists of links hold one to three elements, and there are tens of
 * thousands of them; `push` makes room for seventeen in each, and a spread grows as `push` does.
 */
export function appended<T>(list: readonly T[], element: T): T[] {
  if (list.length === 0) return [element];
  if (list.length === 1) return [list[0]!, element];
  if (list.length === 2) return [list[0]!, list[1]!, element];
  const longer = list as T[];
  longer.push(element);
  return longer;
}
