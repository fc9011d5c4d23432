import { readFileSync } from "node:fs";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { Server } from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";

const descriptorFile = new URL("../../gen/descriptors.binpb", import.meta.url);

/**
 * Adds the reflection service, which serves the contract's own descriptors file by file. The package's loader merges files and loses the
 * imports of well-known types; handed the untouched bytes it serves them as they are.
 */
export function addReflection(server: Pick<Server, "addService">): void {
  const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(descriptorFile));
  const fileDescriptorProtos = file.map((descriptor) => Buffer.from(toBinary(FileDescriptorProtoSchema, descriptor)));
  const all = { all: { fileDescriptorProtos } };
  new ReflectionService(all as unknown as ConstructorParameters<typeof ReflectionService>[0]).addToServer(server);
}
