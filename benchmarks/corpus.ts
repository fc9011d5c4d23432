import { type ContextFragment, Role, Tier } from "../gen/acms/v1/fragment.js";
import { createRandom, type Random } from "./random.js";

/** Length of each content in characters, all of them ASCII. */
export const CONTENT_LENGTH = 400;

const FIRST_SECOND = 1_700_000_000;

const NOUNS =
  "budget fragment server request payload ranking stage token window module parser client session reader index".split(
    " ",
  );
const VERBS = "keeps drops reads counts splits returns checks holds orders measures seals hashes sends names".split(
  " ",
);
const LINKS = "before after while because unless although since where".split(" ");
const MODULES = "billing search editor gateway planner archive".split(" ");
const KINDS = "file ticket page".split(" ");

/**
 * `count` fragments as a client would send them, the same for the same seed: prose with code in between, a relevance
 * drawn in full double precision, a declared price of 80 to 140 tokens, two metadata entries, provenance, and creation
 * times that rise with the position. Every content and every id occurs once.
 */
export function createFragments(count: number, seed = 1): ContextFragment[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, position) => createFragment(position, random));
}

function createFragment(position: number, random: Random): ContextFragment {
  const module = pick(MODULES, random);
  const path = `${module}/part-${position % 97}/source-${position}.ts`;
  return {
    fragmentId: `fragment-${position.toString().padStart(6, "0")}`,
    ukoNode: `project://app/${path}`,
    content: createContent(position, random),
    tokenCount: 80 + random.below(61),
    relevanceScore: random.double(),
    detailDepth: random.below(10),
    tier: Tier.TIER_HOT + random.below(3),
    role: Role.ROLE_UNSPECIFIED,
    metadata: new Map([
      ["module", module],
      ["revision", random.below(2 ** 31).toString(16)],
    ]),
    createdAt: { seconds: FIRST_SECOND + position * 7, nanos: random.below(1_000) * 1_000_000 },
    provenance: {
      resourceUri: `https://repository.example/${path}`,
      resourceType: pick(KINDS, random),
      location: `lines ${random.below(500)}-${500 + random.below(500)}`,
      mergedFrom: [],
    },
    pinned: false,
    groupId: "",
    requires: [],
    variantKey: "",
    vector: [],
  };
}

function createContent(position: number, random: Random): string {
  let text = `// Part ${position} of the notes.\n`;
  while (text.length < CONTENT_LENGTH) {
    text += random.below(4) === 0 ? createStatement(random) : createSentence(random);
  }
  return flatten(`${text.slice(0, CONTENT_LENGTH - 2)}.\n`);
}

function createSentence(random: Random): string {
  const clause = () => `the ${pick(NOUNS, random)} ${pick(VERBS, random)} each ${pick(NOUNS, random)}`;
  const sentence = `${clause()} ${pick(LINKS, random)} ${clause()}. `;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function createStatement(random: Random): string {
  const name = `${pick(NOUNS, random)}${random.below(100)}`;
  return `\nconst ${name} = ${pick(VERBS, random)}(${pick(NOUNS, random)}, ${random.below(10_000)});\n`;
}

function pick(words: readonly string[], random: Random): string {
  return words[random.below(words.length)] as string;
}

/** Pieces put together stay a tree inside V8 until they are read; what a decoder makes is flat from the start. */
function flatten(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}
