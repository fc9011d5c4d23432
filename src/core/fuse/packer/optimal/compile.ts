/** From a pool of fragments to a knapsack on plain numbers, and back. */
import { type ClassBuilder, createClassBuilder, EMPTY, type TieOrder } from "./classes.js";
import { type ClosedSets, closedSetsOf, type DemandOf, MAX_LISTED_OPTIONS } from "./closed-sets.js";
import { compileLinks } from "./links-graph.js";
import { buildNetwork, type Network } from "./network.js";
import { createPlaces, type Places } from "./places.js";
import type { Pool } from "./pool.js";
import { createScratch } from "./situations.js";
import type { Problem } from "./solve.js";
import { type Component, type Components, inOrder, openComponents } from "./variables.js";

/** A knapsack and what its choices stand for. */
export interface Compiled {
  readonly problem: Omit<Problem, "capacity">;
  readonly places: Places;
  /** The fragments of a choice, by input position. */
  fragmentsOf(choiceId: number): readonly number[];
  /** Flags the fragments of a choice, by input position. */
  flag(choiceId: number, flags: Uint8Array): void;
}

/** The fragments that a class has to choose from, or one that stands where the earliest of them does. */
type Members = number | readonly number[];

/** So many linked variables, and so many fragments, are compiled between two turns of others. */
const VARIABLES_PER_SLICE = 300;
const FRAGMENTS_PER_SLICE = 8_192;

/** Beside further limits: the most options of a listed component, being bits of a number, the most sets of one, and of all. */
const MOST_OPTIONS = 30;
const SETS_OF_ONE = 16_384;
const SETS_OF_ALL = 50_000;

/** Where all have more: the most options. */
const FEW_LISTED_OPTIONS = 8;

/** Notes the choices of every class, those too that others dominate where nothing but tokens limits a set. */
export interface ChoiceRecorder {
  /** The same builder, of which everything that is added is noted. */
  noting(builder: ClassBuilder): ClassBuilder;
  /** What a set takes of each further limit. */
  readonly demandOf: DemandOf;
}

/** Compiles a pool; yields between parts of a few milliseconds. */
export function* compile(pool: Pool, recorder?: ChoiceRecorder): Generator<void, Compiled> {
  const { input } = pool;
  const { fragments, variants } = input;
  const places = createPlaces(fragments, variants);
  const classMembers: Members[] = [];
  const sets: (readonly number[])[] = [];
  const fragmentsOf = (id: number): readonly number[] =>
    id === EMPTY ? [] : id < fragments.length ? [id] : sets[id - fragments.length]!;
  const isBetter = (id: number, than: number): boolean =>
    Math.max(id, than) < fragments.length
      ? places.compareFragments(id, than) < 0
      : places.firstDifference(fragmentsOf(id), fragmentsOf(than)).firstHolds;
  const plain = createClassBuilder(fragments.length, isBetter);
  const builder = recorder === undefined ? plain : recorder.noting(plain);
  const networks: Network[] = [];
  const large: ReturnType<typeof inOrder>[] = [];
  const graph = yield* compileLinks(pool);
  yield;
  const components = graph === undefined ? undefined : yield* openComponents(pool, graph);
  yield;
  const linked = new Uint8Array(fragments.length);
  if (graph !== undefined) linked.set(graph.isLost.subarray(0, linked.length));
  if (components !== undefined) {
    const isListed = recorder === undefined ? listedAlone(components) : listedBeside(components);
    const compare = (a: readonly number[], b: readonly number[]): number => compareSets(a, b, places);
    let variables = 0;
    for (let number = 0; number < components.count; number++) {
      variables += components.variablesOf(number);
      if (variables > VARIABLES_PER_SLICE) {
        variables = 0;
        yield;
      }
      const component = components.compile(number);
      markLinked(component, linked);
      if (isListed(number)) addClass(closedSetsOf(component, compare, recorder?.demandOf));
      else large.push(inOrder(component, places.compareFragments));
    }
  }
  large.sort((a, b) => places.compareFragments(a.earliest, b.earliest));
  const building = { scratch: createScratch(), isBesideLimits: recorder !== undefined };
  for (const component of large) {
    yield;
    networks.push(yield* buildNetwork(component, ({ fragments: members }) => addSet(members), building));
  }
  yield;
  yield* addSingles(pool, linked, builder, classMembers);

  function addClass({ sets: closed, members }: ClosedSets): void {
    for (const set of closed) builder.add(set.tokens, set.value, addSet(set.fragments));
    builder.close();
    classMembers.push(members);
  }

  function addSet(members: readonly number[]): number {
    return fragments.length + sets.push(members) - 1;
  }

  const order: TieOrder = {
    placeOf: (classNumber) => {
      let members = classMembers[classNumber]!;
      if (typeof members !== "number") {
        members = earliest(members, places);
        classMembers[classNumber] = members;
      }
      return places.placeOf(members);
    },
    comparePlaces: places.compare,
    firstDifference: (a, b) => {
      const { fragment, firstHolds } = places.firstDifference(fragmentsOf(a), fragmentsOf(b));
      return { place: fragment < 0 ? -1 : places.placeOf(fragment), firstHolds };
    },
  };
  const flag = (id: number, flags: Uint8Array): void => {
    if (id === EMPTY) return;
    if (id < fragments.length) flags[id] = 1;
    else for (const i of sets[id - fragments.length]!) flags[i] = 1;
  };
  return { problem: { classes: builder.build(), networks, order }, places, fragmentsOf, flag };
}

/** Adds the fragments that nothing ties to others: each key is a class, and each fragment without a key. */
function* addSingles(
  { input, wanted, worths }: Pool,
  linked: Uint8Array,
  builder: ClassBuilder,
  classMembers: Members[],
): Generator<void, void> {
  const { tokenCounts, variants } = input;
  const { keys } = variants;
  // The fragments of each key as a chain through the positions: to look into the fragments themselves would cost more.
  const heads = new Int32Array(variants.members.length).fill(-1);
  const nexts = new Int32Array(wanted.length);
  for (let i = wanted.length - 1; i >= 0; i--) {
    const key = keys[i]!;
    if (key < 0 || wanted[i] === 0 || linked[i] === 1) continue;
    nexts[i] = heads[key]!;
    heads[key] = i;
  }
  for (let i = 0; i < wanted.length; i++) {
    if (i % FRAGMENTS_PER_SLICE === FRAGMENTS_PER_SLICE - 1) yield;
    if (wanted[i] === 0 || linked[i] === 1) continue;
    const key = keys[i]!;
    if (key >= 0 && heads[key] !== i) continue;
    builder.add(tokenCounts[i]!, worths.values[i]!, i);
    if (key >= 0) {
      for (let next = nexts[i]!; next >= 0; next = nexts[next]!) {
        builder.add(tokenCounts[next]!, worths.values[next]!, next);
      }
    }
    builder.close();
    classMembers.push(i);
  }
}

/** How many choices a set makes at most. */
export function choicesOf({ problem: { classes, networks } }: Compiled): number {
  return networks.reduce((sum, { turns }) => sum + turns.length, classes.count);
}

/** Those whose sets are few whatever they are. */
function listedAlone(components: Components): (component: number) => boolean {
  return (component) => components.optionsOf(component) <= MAX_LISTED_OPTIONS;
}

/**
 * Beside further limits more components are listed, for networks know none: those that have not too many sets, while all of them together
 * have not. Few sets dominate one another there.
 */
function listedBeside(components: Components): (component: number) => boolean {
  const isFew = (component: number): boolean =>
    components.optionsOf(component) <= MOST_OPTIONS && components.setsOf(component) <= SETS_OF_ONE;
  let all = 0;
  for (let component = 0; component < components.count; component++) {
    if (isFew(component)) all += components.setsOf(component);
  }
  return all <= SETS_OF_ALL ? isFew : (component) => components.optionsOf(component) <= FEW_LISTED_OPTIONS;
}

function markLinked({ variables }: Component, linked: Uint8Array): void {
  for (const options of variables) for (const { fragments } of options) for (const i of fragments) linked[i] = 1;
}

function compareSets(a: readonly number[], b: readonly number[], places: Places): number {
  if (a.length === b.length && a.every((i) => b.includes(i))) return 0;
  return places.firstDifference(a, b).firstHolds ? -1 : 1;
}

function earliest(fragments: readonly number[], places: Places): number {
  return fragments.reduce((a, b) => (places.compareFragments(b, a) < 0 ? b : a), fragments[0] ?? 0);
}
