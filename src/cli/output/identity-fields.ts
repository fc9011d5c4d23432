import { type Fragment, type Instant, Role, Tier } from "../../core/index.js";
import type { ExplanationView } from "./explanation-text.js";
import { nameAt } from "./name-at.js";
import { count } from "./numbers.js";

/** The most fragments that one field names. */
const mostNamed = 8;

const tierNames: Readonly<Record<Tier, string>> = { [Tier.HOT]: "hot", [Tier.WARM]: "warm", [Tier.COLD]: "cold" };
const roleNames: Readonly<Record<Role, string>> = {
  [Role.NONE]: "none",
  [Role.SYSTEM]: "system",
  [Role.USER]: "user",
  [Role.ASSISTANT]: "assistant",
  [Role.TOOL]: "tool",
};

/** Who a fragment is: its own fields as they were in effect, and those that it is linked with. */
export function identityFields(view: ExplanationView): [string, string][] {
  const { request, explanation } = view;
  const { position, fragments } = explanation;
  const given = request.fragments[position];
  const fragment = fragments[position];
  if (given === undefined || fragment === undefined) return [];
  const id = given.fragmentId === "" ? `made by the server; #${position} names it here` : given.fragmentId;
  return [
    ["id", id],
    ["node", fragment.ukoNode],
    [
      "tokens",
      `${count(explanation.tokens)}, ${explanation.isDeclared ? "as declared" : `counted by ${explanation.payload.tokenizer}`}`,
    ],
    ["relevance", `${fragment.relevanceScore}${given.relevanceScore === undefined ? ", as none is given" : ""}`],
    ["kind", `tier ${tierNames[fragment.tier]}, role ${roleNames[fragment.role]}, depth ${fragment.detailDepth}`],
    ["created", given.createdAt === undefined ? "with the request, as no time is given" : timeOf(fragment.createdAt)],
    ...(fragment.pinned ? [["pinned", "by the caller"] as [string, string]] : []),
    ...linkFields(view, fragment),
  ];
}

function linkFields({ request, explanation }: ExplanationView, fragment: Fragment): [string, string][] {
  const { fragments, variants } = explanation;
  const { fragmentId, groupId, requires, inputIndex } = fragment;
  const others = fragments.filter((other) => other.inputIndex !== inputIndex);
  const members = groupId === "" ? [] : others.filter((other) => other.groupId === groupId);
  const requiring = fragmentId === "" ? [] : others.filter((other) => other.requires.includes(fragmentId));
  const names = (list: readonly Fragment[]): string => listed(list.map((each) => nameAt(request, each.inputIndex)));
  const depths = variants.map((each) => `${nameAt(request, each.inputIndex)} (depth ${each.detailDepth})`);
  const fields: [string, string][] = [
    ["group", groupId === "" ? "" : `${groupId}${members.length === 0 ? ", alone" : `, with ${names(members)}`}`],
    ["requires", listed(requires)],
    ["required by", names(requiring)],
    ["variants", listed(depths)],
  ];
  return fields.filter(([, value]) => value !== "");
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
}

function timeOf({ seconds, nanos }: Instant): string {
  return new Date(seconds * 1_000 + Math.floor(nanos / 1e6)).toISOString();
}
