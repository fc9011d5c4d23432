import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";

/** The rules of one .gitignore file, which speak of paths below its folder. */
interface Layer {
  /** Absolute path of the folder. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** The .gitignore files that apply in one folder, outermost first. */
export type IgnoreRules = readonly Layer[];

/** The rules that a folder inherits: those of the repository that it lies in. Outside a repository, none. */
export function inheritedRules(folder: string): IgnoreRules {
  const outer: string[] = [];
  for (let at = folder; !existsSync(join(at, ".git")); at = dirname(at)) {
    if (dirname(at) === at) {
      return [];
    }
    outer.unshift(dirname(at));
  }
  const rules = outer.reduce<IgnoreRules>((above, at) => rulesWithin(at, above), []);
  // Whoever names an ignored folder wants to see inside.
  return isIgnored(rules, folder, true) ? [] : rules;
}

/** The rules in a folder: those from above, and its own .gitignore. */
export function rulesWithin(folder: string, above: IgnoreRules): IgnoreRules {
  let text: string;
  try {
    text = readFileSync(join(folder, ".gitignore"), "utf8");
  } catch {
    // Most folders have none, and one that cannot be read cannot rule.
    return above;
  }
  return [...above, { folder, rules: ignore({ ignoreCase: false }).add(text.replace(/^\ufeff/, "")) }];
}

/** Whether the rules leave out a file or folder, given that they leave in all the folders above it. The innermost opinion counts. */
export function isIgnored(rules: IgnoreRules, path: string, isFolder: boolean): boolean {
  for (const [index, layer] of [...rules.entries()].reverse()) {
    const verdict = layer.rules.test(pathBelow(layer, path, isFolder));
    if (verdict.ignored) {
      return true;
    }
    if (verdict.unignored) {
      if (isFolder) {
        readmit(rules.slice(0, index), path);
      }
      return false;
    }
  }
  return false;
}

/**
 * Tells the outer files that an inner one takes a folder back in: the library holds all below an ignored folder for ignored, and would go on
 * doing so for what is in this one.
 */
function readmit(outer: IgnoreRules, folder: string): void {
  for (const layer of outer) {
    const path = pathBelow(layer, folder, true);
    if (layer.rules.test(path).ignored) {
      layer.rules.add(`!/${path.replace(/[\\*?[\]! #]/g, "\\$&")}`);
    }
  }
}

function pathBelow(layer: Layer, path: string, isFolder: boolean): string {
  const below = relative(layer.folder, path).split(sep).join("/");
  return isFolder ? `${below}/` : below;
}
