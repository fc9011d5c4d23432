import type { ContextFragment } from "../../../gen/acms/v1/fragment.js";
import { quote } from "../../core/index.js";
import { ExitError, exitCodes } from "../io.js";
import { nearestNames } from "./nearest-names.js";

/** The most ids that a message lists. */
const mostListed = 5;

/**
 * The position of the fragment with an id, or at a place such as `#3`, for fragments whose id the server makes. An id that is written like a
 * place goes before the place.
 *
 * @throws ExitError where there is none, with what is nearest
 */
export function findFragment(wanted: string, fragments: readonly ContextFragment[]): number {
  const position = fragments.findIndex(({ fragmentId }) => fragmentId === wanted && fragmentId !== "");
  if (position >= 0) return position;
  const place = /^#(\d+)$/.exec(wanted)?.[1];
  if (place !== undefined && Number(place) < fragments.length) return Number(place);
  throw new ExitError(exitCodes.refused, `error: no fragment is ${quote(wanted)}; ${whatThereIs(wanted, fragments)}`);
}

function whatThereIs(wanted: string, fragments: readonly ContextFragment[]): string {
  if (fragments.length === 0) return "the request has none";
  const places = `#0 to #${fragments.length - 1} name them by place`;
  const ofNode = fragments.flatMap(({ ukoNode }, i) => (ukoNode === wanted ? [`#${i}`] : []));
  if (ofNode.length > 0) return `it is the node of ${listed(ofNode)}`;
  const ids = fragments.flatMap(({ fragmentId }) => (fragmentId === "" ? [] : [fragmentId]));
  if (ids.length === 0) return `none has an id; ${places}`;
  return `the nearest ids are ${nearestNames(wanted, ids, mostListed).map(quote).join(", ")}; ${places}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - mostListed;
  return `${names.slice(0, mostListed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
