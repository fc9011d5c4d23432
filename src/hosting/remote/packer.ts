/** The packer, spoken over a stream: what stands or falls together is told as positions, and what comes back is put into the packing's form. */
import type {
  FragmentSet,
  PackerInput,
  PackerNomination,
  PackerSection,
  Requirement,
} from "../../../gen/acms/v1/hosted_stage.js";
import {
  type Answering,
  type Fragment,
  NOT_NOMINATED,
  type Packer,
  type Packing,
  type PackingInput,
  Reason,
} from "../../core/index.js";
import { AnswerFault, fragmentsAtPositions, positionsOf } from "../wire.js";
import { asInt32 } from "./choose.js";
import { patienceOf, type RemoteFactory } from "./questions.js";

export const remotePacker: RemoteFactory<Packer & Answering> = (component, stage) => ({
  pack: (input, run) => {
    const running = runningOf(input);
    const question = { $case: "packer", fragments: running, value: questionOf(input, running) } as const;
    return component.ask(question, patienceOf(run, stage), ({ chosen }) =>
      packingOf(fragmentsAtPositions(running, chosen), input),
    );
  },
  rejected: (fault, answer) => component.rejected(fault, answer),
});

/** What may enter: what is nominated, what that requires and is in reach, and what is committed. */
function runningOf({ nominations, fragments, committed, links, out }: PackingInput): Fragment[] {
  const running = new Set<Fragment>();
  const put = (fragment: Fragment): void => {
    if (out[fragment.inputIndex] === 0) running.add(fragment);
  };
  for (const { positions } of nominations) for (const i of positions) put(fragments[i]!);
  if (links.any) {
    // What is added while the set is walked is walked as well.
    for (const fragment of running) {
      for (const required of links.requiredBy(fragment)) for (const one of links.groupOf(required)) put(one);
    }
    dropUnreachable(running, { committed, links });
  }
  for (const fragment of committed) running.add(fragment);
  return [...running];
}

/** Takes out what needs something that is not there, and what needs that, and so on; each link is looked at a few times. */
function dropUnreachable(
  running: Set<Fragment>,
  { committed, links }: Pick<PackingInput, "committed" | "links">,
): void {
  const isThere = (fragment: Fragment): boolean => running.has(fragment) || committed.has(fragment);
  const isTorn = (fragment: Fragment): boolean =>
    !links.requiredBy(fragment).every(isThere) || !links.partsOf(fragment).every((part) => part.some(isThere));
  const dependants = new Map<Fragment, Fragment[]>();
  for (const fragment of running) {
    for (const required of links.requiredBy(fragment)) {
      const others = dependants.get(required);
      if (others === undefined) dependants.set(required, [fragment]);
      else others.push(fragment);
    }
  }
  const waiting = [...running].filter(isTorn);
  for (let torn = waiting.pop(); torn !== undefined; torn = waiting.pop()) {
    if (!running.delete(torn)) continue;
    const concerned = [...(dependants.get(torn) ?? []), ...links.groupOf(torn)];
    for (const other of concerned) if (running.has(other) && isTorn(other)) waiting.push(other);
  }
}

function questionOf(input: PackingInput, running: readonly Fragment[]): Omit<PackerInput, "fragments"> {
  const { nominations, fragments, committed, links, variants, scores, tokenCounts, tokens, baseline } = input;
  const positions = positionsOf(running);
  const placesOf = (some: Iterable<Fragment>): number[] =>
    [...some].flatMap((fragment) => positions.get(fragment) ?? []);
  const setOf = (some: readonly Fragment[]): FragmentSet => ({ fragments: placesOf(some) });
  const groups = links.any ? new Set(running.map((fragment) => links.groupOf(fragment))) : [];
  return {
    tokenCounts: running.map(({ inputIndex }) => tokenCounts[inputIndex]!),
    scores: running.map(({ inputIndex }) => scores[inputIndex]!),
    tokens: asInt32(tokens),
    committed: placesOf(committed),
    groups: [...groups].filter((group) => group.length > 1).map(setOf),
    requirements: running.flatMap((fragment): Requirement[] => {
      const requires = links.any ? placesOf(links.requiredBy(fragment)) : [];
      return requires.length === 0 ? [] : [{ fragment: positions.get(fragment)!, requires }];
    }),
    variants: variants.members.map(setOf).filter((set) => set.fragments.length > 1),
    nominations: nominations.map(
      (nomination): PackerNomination => ({
        strategy: nomination.strategy,
        confidence: nomination.confidence,
        tokens: asInt32(nomination.tokens),
        nominated: placesOf(Array.from(nomination.positions, (i) => fragments[i]!)),
      }),
    ),
    baseline,
    sections: sectionsOf(input, running),
  };
}

function sectionsOf({ sections }: PackingInput, running: readonly Fragment[]): PackerSection[] {
  return (sections?.list ?? []).map((section, number): PackerSection => {
    const cap = sections!.caps[number]!;
    return {
      name: section.name,
      fragments: running.flatMap(({ inputIndex }, place) =>
        sections!.holding[inputIndex]!.includes(number) ? [place] : [],
      ),
      floorTokens: asInt32(section.floorTokens),
      capTokens: Number.isFinite(cap) ? asInt32(cap) : undefined,
    };
  });
}

/** A choice as the core knows it: each fragment is the choice of the first strategy that nominated it, or of who brought it in. */
function packingOf(chosen: readonly Fragment[], input: PackingInput): Packing {
  const { nominations, fragments, committed, links } = input;
  const entering = new Set(chosen);
  if (entering.size < chosen.length) throw new AnswerFault("chose a fragment twice");
  for (const fragment of committed) entering.add(fragment);
  const chosenBy = new Uint8Array(fragments.length);
  for (const { inputIndex } of committed) chosenBy[inputIndex] = NOT_NOMINATED;
  nominations.forEach(({ positions }, k) => {
    for (const i of positions) {
      const isOpen = chosenBy[i] === 0 || chosenBy[i] === NOT_NOMINATED;
      if (isOpen && entering.has(fragments[i]!)) chosenBy[i] = k + 1;
    }
  });
  const required = new Map<Fragment, Fragment>();
  const leads = [...entering].filter(({ inputIndex }) => chosenBy[inputIndex] !== 0);
  for (const lead of links.any ? leads : []) bring(lead, { entering, chosenBy, links, required });
  const stranger = chosen.find(({ inputIndex }) => chosenBy[inputIndex] === 0);
  if (stranger !== undefined) {
    throw new AnswerFault(`chose ${stranger.fragmentId}, which nobody nominated and nothing that it chose requires`);
  }
  checkVariants(entering, input);
  return { chosenBy, required, unreachable: reasonsOf(entering, input) };
}

/** Follows what a fragment requires to those that entered for it alone. */
function bring(
  lead: Fragment,
  around: {
    readonly entering: ReadonlySet<Fragment>;
    readonly chosenBy: Uint8Array;
    readonly links: PackingInput["links"];
    readonly required: Map<Fragment, Fragment>;
  },
): void {
  const { entering, chosenBy, links, required } = around;
  const waiting = [lead];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const needed of links.requiredBy(next)) {
      for (const one of links.groupOf(needed)) {
        if (!entering.has(one) || chosenBy[one.inputIndex] !== 0) continue;
        chosenBy[one.inputIndex] = chosenBy[lead.inputIndex]!;
        required.set(one, lead);
        waiting.push(one);
      }
    }
  }
}

function checkVariants(entering: ReadonlySet<Fragment>, { variants, committed }: PackingInput): void {
  for (const members of variants.members) {
    const held = members.filter((fragment) => entering.has(fragment));
    if (held.length > 1 && held.some((fragment) => !committed.has(fragment))) {
      throw new AnswerFault(`chose ${held[0]!.fragmentId} and ${held[1]!.fragmentId}, which are variants of one key`);
    }
  }
}

/** Why what was nominated is left out: a variant of its key is there, or the packer did not want it. */
function reasonsOf(
  entering: ReadonlySet<Fragment>,
  { nominations, fragments, variants }: PackingInput,
): Map<Fragment, Reason> {
  const taken = new Set<number>();
  for (const { inputIndex } of entering) taken.add(variants.keys[inputIndex]!);
  taken.delete(-1);
  const reasons = new Map<Fragment, Reason>();
  for (const { positions } of nominations) {
    for (const i of positions) {
      const fragment = fragments[i]!;
      if (entering.has(fragment)) continue;
      reasons.set(fragment, taken.has(variants.keys[i]!) ? Reason.OTHER_VARIANT : Reason.REJECTED_BY_COMPONENT);
    }
  }
  return reasons;
}
