/** Fragments as hosts get them: messages of the type `ContextFragment`, with the fields alone that a component needs. */
import { FragmentField } from "../../../gen/acms/v1/hosted_component.js";
import type { Fragment } from "../../core/index.js";
import type { ByteWriter } from "./byte-writer.js";

/** Writes a fragment as a message under a tag. What has the value that absence means is left out, as the format has it. */
export type FragmentWriter = (fragment: Fragment, tag: number, out: ByteWriter) => void;

/** Every field but the vector, which would be most of the bytes. */
const ALL_BUT_VECTOR: readonly FragmentField[] = Array.from({ length: 15 }, (_, i) => i + 1);

/** The writer for a component that needs some fields; none named: all of them but vectors. */
export function createFragmentWriter(needs: readonly FragmentField[]): FragmentWriter {
  const wanted = new Set(needs.length === 0 ? ALL_BUT_VECTOR : needs);
  const has = (field: FragmentField): boolean => wanted.has(field);
  const id = has(FragmentField.FRAGMENT_FIELD_FRAGMENT_ID);
  const node = has(FragmentField.FRAGMENT_FIELD_UKO_NODE);
  const content = has(FragmentField.FRAGMENT_FIELD_CONTENT);
  const tokens = has(FragmentField.FRAGMENT_FIELD_TOKEN_COUNT);
  const relevance = has(FragmentField.FRAGMENT_FIELD_RELEVANCE_SCORE);
  const depth = has(FragmentField.FRAGMENT_FIELD_DETAIL_DEPTH);
  const tier = has(FragmentField.FRAGMENT_FIELD_TIER);
  const role = has(FragmentField.FRAGMENT_FIELD_ROLE);
  const others = OTHERS.filter(([field]) => has(field)).map(([, write]) => write);
  return (fragment, tag, out) => {
    const start = out.open(tag);
    if (id) writeText(out, 0x0a, fragment.fragmentId);
    if (node) writeText(out, 0x12, fragment.ukoNode);
    if (content) writeText(out, 0x1a, fragment.content);
    if (tokens) out.number(0x20, fragment.tokenCount);
    if (relevance) out.double(0x29, fragment.relevanceScore);
    if (depth) out.number(0x30, fragment.detailDepth);
    if (tier) out.number(0x38, fragment.tier);
    if (role && fragment.role !== 0) out.number(0x40, fragment.role);
    for (const write of others) write(fragment, out);
    out.close(start);
  };
}

/** The fields that few components need, in the order of their numbers. */
const OTHERS: readonly (readonly [FragmentField, (fragment: Fragment, out: ByteWriter) => void])[] = [
  [FragmentField.FRAGMENT_FIELD_METADATA, ({ metadata }, out) => writeMetadata(metadata, out)],
  [FragmentField.FRAGMENT_FIELD_CREATED_AT, ({ createdAt }, out) => writeInstant(createdAt, out)],
  [FragmentField.FRAGMENT_FIELD_PROVENANCE, ({ provenance }, out) => writeProvenance(provenance, 0x5a, out)],
  [
    FragmentField.FRAGMENT_FIELD_PINNED,
    ({ pinned }, out) => {
      if (pinned) out.number(0x60, 1);
    },
  ],
  [FragmentField.FRAGMENT_FIELD_GROUP_ID, ({ groupId }, out) => writeText(out, 0x6a, groupId)],
  [
    FragmentField.FRAGMENT_FIELD_REQUIRES,
    ({ requires }, out) => {
      for (const required of requires) out.text(0x72, required);
    },
  ],
  [FragmentField.FRAGMENT_FIELD_VARIANT_KEY, ({ variantKey }, out) => writeText(out, 0x7a, variantKey)],
  [
    FragmentField.FRAGMENT_FIELD_VECTOR,
    ({ vector }, out) => {
      if (vector.length > 0) out.doubles(0x82, vector);
    },
  ],
];

function writeText(out: ByteWriter, tag: number, text: string): void {
  if (text !== "") out.text(tag, text);
}

function writeMetadata(metadata: Fragment["metadata"], out: ByteWriter): void {
  for (const [key, value] of metadata) {
    const start = out.open(0x4a);
    out.text(0x0a, key);
    out.text(0x12, value);
    out.close(start);
  }
}

function writeInstant({ seconds, nanos }: Fragment["createdAt"], out: ByteWriter): void {
  const start = out.open(0x52);
  if (seconds !== 0) out.number(0x08, seconds);
  if (nanos !== 0) out.number(0x10, nanos);
  out.close(start);
}

function writeProvenance(provenance: Fragment["provenance"], tag: number, out: ByteWriter): void {
  const start = out.open(tag);
  writeText(out, 0x0a, provenance.resourceUri);
  writeText(out, 0x12, provenance.resourceType);
  writeText(out, 0x1a, provenance.location);
  for (const source of provenance.mergedFrom) writeProvenance(source, 0x22, out);
  out.close(start);
}
