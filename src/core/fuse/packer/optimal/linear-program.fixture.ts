import type { Fragment } from "../../../model/fragment.js";
import type { PackingInput } from "../../packing.js";

/**
 * A packing as a linear program in whole numbers, in the LP format: the greatest sum of scores of what is not
 * committed, within the caps of the sections. Read from the fragments' own fields, shared with no packer.
 */
export function linearProgramOf({ fragments, committed, tokens, sections }: PackingInput): string {
  const free = fragments.filter((fragment) => !committed.has(fragment));
  const name = ({ inputIndex }: Fragment): string => `x${inputIndex}`;
  const held = new Set([...committed].map(keyOf));
  const rows: string[] = [];
  for (const key of new Set(free.map(keyOf))) {
    const variants = free.filter((fragment) => keyOf(fragment) === key);
    if (key !== undefined && variants.length > 1) rows.push(`${variants.map(name).join(" + ")} <= 1`);
  }
  for (const fragment of free) {
    for (const enough of needsOf(fragment, fragments)) {
      if (enough.includes(fragment) || enough.some((one) => committed.has(one))) continue;
      rows.push(`${name(fragment)} ${enough.map((one) => `- ${name(one)}`).join(" ")} <= 0`);
    }
  }
  for (const { holds, capTokens } of sections?.list ?? []) {
    const held = free.filter(holds);
    if (held.length === 0 || capTokens === Number.POSITIVE_INFINITY) continue;
    const taken = [...committed].filter(holds).reduce((total, { tokenCount }) => total + tokenCount, 0);
    rows.push(`${held.map((one) => `${one.tokenCount} ${name(one)}`).join(" + ")} <= ${capTokens - taken}`);
  }
  const isShut = (fragment: Fragment): boolean => keyOf(fragment) !== undefined && held.has(keyOf(fragment));
  const sum = (of: (fragment: Fragment) => number): string => free.map((one) => `${of(one)} ${name(one)}`).join(" + ");
  return [
    "Maximize",
    ` value: ${sum(({ relevanceScore }) => relevanceScore)}`,
    "Subject To",
    ` tokens: ${sum(({ tokenCount }) => tokenCount)} <= ${tokens}`,
    ...rows.map((row, i) => ` r${i}: ${row}`),
    "Bounds",
    ...free.filter(isShut).map((fragment) => ` ${name(fragment)} = 0`),
    "Binary",
    ...free.filter((fragment) => !isShut(fragment)).map((fragment) => ` ${name(fragment)}`),
    "End",
  ].join("\n");
}

function keyOf({ variantKey, groupId, role, ukoNode, provenance }: Fragment): string | undefined {
  if (variantKey !== "") return `given ${groupId} ${variantKey}`;
  return role !== 0 || groupId !== "" ? undefined : `node ${ukoNode} ${provenance.location}`;
}

function needsOf({ requires, groupId }: Fragment, all: readonly Fragment[]): Fragment[][] {
  const required = requires.map((id) => all.filter(({ fragmentId }) => fragmentId === id));
  const group = groupId === "" ? [] : all.filter((one) => one.groupId === groupId);
  const parts = group.map((member) =>
    group.filter((one) => one === member || (one.variantKey !== "" && one.variantKey === member.variantKey)),
  );
  return [...required, ...parts];
}
