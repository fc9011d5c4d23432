export type { JsonValue } from "@bufbuild/protobuf";
export { type PrintOptions, parseProtoJson, printProtoJson } from "./proto-json.js";
export { type JsonViolation, ProtoJsonError } from "./proto-json-error.js";
