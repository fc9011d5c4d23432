// The compiler copies no binary files; the server reads the contract's descriptors beside the generated code.
import { copyFileSync, mkdirSync } from "node:fs";

mkdirSync("dist/gen", { recursive: true });
copyFileSync("gen/descriptors.binpb", "dist/gen/descriptors.binpb");
