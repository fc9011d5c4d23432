import { compareUtf8, createFaults } from "../core/index.js";

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;

/** A part of a list, and where the next part begins. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Empty: there is no next part. */
  readonly nextPageToken: string;
}

/**
 * A page of a list in order of its keys. The token holds the last key sent, so that what is added or removed between two pages moves
 * nothing else. Throws for a negative size and a token that is none of ours.
 */
export function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  pageSize: number,
  pageToken: string,
): Page<Item> {
  const faults = createFaults();
  if (pageSize < 0) faults.add("page_size", `is ${pageSize}; allowed are whole numbers from 0`);
  const after = Buffer.from(pageToken, "base64url").toString("utf8");
  if (encodeToken(after) !== pageToken) faults.add("page_token", "is not a token that a list has answered with");
  faults.throwIfAny();
  const size = pageSize === 0 ? DEFAULT_PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE);
  const rest = [...items]
    .sort((a, b) => compareUtf8(keyOf(a), keyOf(b)))
    .filter((item) => pageToken === "" || compareUtf8(keyOf(item), after) > 0);
  const page = rest.slice(0, size);
  return { items: page, nextPageToken: rest.length > size ? encodeToken(keyOf(page.at(-1)!)) : "" };
}

function encodeToken(key: string): string {
  return Buffer.from(key, "utf8").toString("base64url");
}
