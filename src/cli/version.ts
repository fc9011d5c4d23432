import { readFileSync } from "node:fs";

/** The version in the nearest package.json above this file, which is the product's own from source as well as from a build. */
export function productVersion(): string {
  for (let folder = new URL(".", import.meta.url); ; folder = new URL("..", folder)) {
    try {
      return String(JSON.parse(readFileSync(new URL("package.json", folder), "utf8")).version);
    } catch (error) {
      if (folder.pathname === "/" || !(error instanceof Error && "code" in error && error.code === "ENOENT")) {
        throw error;
      }
    }
  }
}
