import { readFileSync } from "node:fs";
import { createFileRegistry, type DescMessage, type FileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

// From source this is the repository's gen; from a build it is the copy beside the compiled src.
const descriptorFile = new URL("../../gen/descriptors.binpb", import.meta.url);

let loaded: FileRegistry | undefined;

/** Every message and enum of the contract. The descriptors are read on first use, so that commands without JSON do not pay for it. */
export function messageTypes(): FileRegistry {
  loaded ??= createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(descriptorFile)));
  return loaded;
}

/** The message with a full name such as `acms.v1.AssembleRequest`. A name that the contract does not have is a fault of the program. */
export function messageType(typeName: string): DescMessage {
  const type = messageTypes().getMessage(typeName);
  if (type === undefined) {
    throw new RangeError(`the contract has no message ${JSON.stringify(typeName)}`);
  }
  return type;
}
