/** From a pool of fragments to a knapsack on plain numbers, and back. */
import { type ClassBuilder, createClassBuilder, EMPTY, type TieOrder } from "./classes.js";
import { type ClosedSet, closedSetsOf, MAX_LISTED_OPTIONS } from "./closed-sets.js";
import { compileLinks } from "./links-graph.js";
import { buildNetwork, type Network } from "./network.js";
import { createPlaces, type Places } from "./places.js";
import type { Pool } from "./pool.js";
import type { Problem } from "./solve.js";
import { type Component, compileVariables } from "./variables.js";

/** A knapsack and what its choices stand for. */
export interface Compiled {
  readonly problem: Omit<Problem, "capacity">;
  readonly places: Places;
  /** The fragments of a choice, by input position. */
  fragmentsOf(choiceId: number): readonly number[];
}

/** So many components, and so many fragments, are compiled between two turns of others. */
const COMPONENTS_PER_SLICE = 200;
const FRAGMENTS_PER_SLICE = 8_192;

/** Compiles a pool; yields between parts of a few milliseconds. */
export function* compile(pool: Pool): Generator<void, Compiled> {
  const { input } = pool;
  const { fragments, variants } = input;
  const places = createPlaces(fragments, variants);
  const builder = createClassBuilder(fragments.length);
  const classMembers: (readonly number[])[] = [];
  const sets: (readonly number[])[] = [];
  const networks: Network[] = [];
  const graph = yield* compileLinks(pool);
  yield;
  const components = graph === undefined ? [] : yield* compileVariables(pool, graph);
  const linked = new Uint8Array(fragments.length);
  if (graph !== undefined) linked.set(graph.isLost.subarray(0, linked.length));
  let compiled = 0;
  for (const component of components) {
    if (compiled++ % COMPONENTS_PER_SLICE === 0) yield;
    markLinked(component, linked);
    const compare = (a: readonly number[], b: readonly number[]): number => compareSets(a, b, places);
    if (optionsOf(component) <= MAX_LISTED_OPTIONS) addClass(closedSetsOf(component, compare));
    else networks.push(buildNetwork(component, ({ fragments: members }) => addSet(members)));
  }
  yield;
  yield* addSingles(pool, linked, builder, classMembers);

  function addClass(closed: readonly ClosedSet[]): void {
    for (const { tokens, value, fragments: members } of closed) {
      builder.add(tokens, value, addSet(members));
    }
    builder.close();
    classMembers.push(closed.flatMap(({ fragments: members }) => members));
  }

  function addSet(members: readonly number[]): number {
    return fragments.length + sets.push(members) - 1;
  }

  const fragmentsOf = (id: number): readonly number[] =>
    id === EMPTY ? [] : id < fragments.length ? [id] : sets[id - fragments.length]!;
  const order: TieOrder = {
    placeOf: (classNumber) => {
      const members = classMembers[classNumber]!;
      if (members.length > 1) classMembers[classNumber] = [earliest(members, places)];
      return places.placeOf(classMembers[classNumber]![0] ?? 0);
    },
    comparePlaces: places.compare,
    firstDifference: (a, b) => {
      const { fragment, firstHolds } = places.firstDifference(fragmentsOf(a), fragmentsOf(b));
      return { place: fragment < 0 ? -1 : places.placeOf(fragment), firstHolds };
    },
  };
  return { problem: { classes: builder.build(), networks, order }, places, fragmentsOf };
}

/** Adds the fragments that nothing ties to others: each key is a class, and each fragment without a key. */
function* addSingles(
  { input, wanted, worths }: Pool,
  linked: Uint8Array,
  builder: ClassBuilder,
  classMembers: (readonly number[])[],
): Generator<void, void> {
  const { tokenCounts, variants } = input;
  const { keys, members } = variants;
  const added = new Uint8Array(members.length);
  for (let i = 0; i < wanted.length; i++) {
    if (i % FRAGMENTS_PER_SLICE === FRAGMENTS_PER_SLICE - 1) yield;
    if (wanted[i] === 0 || linked[i] === 1) continue;
    const key = keys[i]!;
    if (key < 0) {
      builder.add(tokenCounts[i]!, worths.values[i]!, i);
    } else {
      if (added[key] === 1) continue;
      added[key] = 1;
      // Deepest first: of variants that are equal in tokens and value the deeper one stays.
      for (const { inputIndex } of members[key]!) {
        if (wanted[inputIndex] === 1 && linked[inputIndex] === 0) {
          builder.add(tokenCounts[inputIndex]!, worths.values[inputIndex]!, inputIndex);
        }
      }
    }
    builder.close();
    classMembers.push([i]);
  }
}

function optionsOf({ variables }: Component): number {
  return variables.reduce((sum, options) => sum + options.length, 0);
}

function markLinked({ variables }: Component, linked: Uint8Array): void {
  for (const options of variables) for (const { fragments } of options) for (const i of fragments) linked[i] = 1;
}

function compareSets(a: readonly number[], b: readonly number[], places: Places): number {
  if (a.length === b.length && a.every((i) => b.includes(i))) return 0;
  return places.firstDifference(a, b).firstHolds ? -1 : 1;
}

function earliest(fragments: readonly number[], places: Places): number {
  return fragments.reduce((a, b) => (places.compareFragments(b, a) < 0 ? b : a));
}
