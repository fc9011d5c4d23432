import { printProtoJson } from "../../proto-json/index.js";

/** A message as programs read it: ProtoJSON with every field, indented. */
export function jsonLines(typeName: string, bytes: Uint8Array): string[] {
  return [JSON.stringify(printProtoJson(typeName, bytes, { withDefaults: true }), undefined, 2)];
}
