import { posix } from "node:path";

/** How the outline of a language is read off its lines. */
export interface Language {
  /** Matches a line that belongs into the outline. */
  readonly declaration: RegExp;
  /** The part of such a line that only opens a body. */
  readonly ending?: RegExp;
  /** Matches a line that opens or closes text that is not the document's own; its first group is the mark. */
  readonly fence?: RegExp;
}

const brace = /\s*\{\s*$/;
const braceOrValue = /\s*(\{|=>?\s*[{([]?)\s*$/;

const markdown: Language = { declaration: /^#{1,6}\s+\S/, fence: /^ {0,3}(`{3,}|~{3,})/ };

const script: Language = {
  declaration:
    /^((export|default|declare|abstract|async)\s+)*(function|class|interface|type|enum|const|let|var|namespace|module)\b|^export\s+(\*|default\b|(type\s+)?\{.*\})|^(module\.)?exports\b/,
  ending: braceOrValue,
};

const python: Language = { declaration: /^(async\s+def|def|class)\s|^[A-Z][A-Z0-9_]*\s*(:[^=]+)?=/, ending: /:\s*$/ };

const go: Language = { declaration: /^(package|func|type|var|const)\b/, ending: /\s*[{(]\s*$/ };

const rust: Language = {
  declaration:
    /^(pub(\([^)]*\))?\s+)?((async|unsafe|const|default|extern(\s+"[^"]*")?)\s+)*(fn|struct|enum|union|trait|impl|mod|type|const|static|macro_rules!)(?!\w)/,
  ending: brace,
};

const java: Language = {
  declaration:
    /^(package\b|((public|protected|private|internal|abstract|final|sealed|non-sealed|static|partial|open|data|inline|override|suspend|case|implicit|fileprivate|@\w+)\s+)*(class|interface|@interface|enum|record|struct|namespace|object|protocol|extension|actor|trait|fun|func|def|typealias|val|var|let)\s)/,
  ending: brace,
};

const c: Language = {
  declaration:
    /^(#\s*define\s|(typedef|struct|enum|union|class|namespace|template|using)\b|(?!(if|for|while|switch|return|else|case|goto|do)\b)[A-Za-z_][\w\s*&:<>,~]*\()/,
  ending: brace,
};

const proto: Language = {
  declaration: /^(package|message|enum|service|extend)\b|^\s+rpc\s/,
  ending: /\s*\{\s*\}?\s*$/,
};

const shell: Language = { declaration: /^(function\s+[\w:.-]+|[\w:.-]+\s*\(\))/, ending: brace };

const byExtension = new Map<string, Language>(
  (
    [
      [markdown, "md markdown mdx"],
      [script, "ts tsx mts cts js jsx mjs cjs"],
      [python, "py pyi"],
      [go, "go"],
      [rust, "rs"],
      [java, "java kt kts cs scala swift"],
      [c, "c h cc cpp cxx hh hpp hxx m mm"],
      [proto, "proto"],
      [shell, "sh bash zsh"],
    ] as const
  ).flatMap(([language, extensions]) => extensions.split(" ").map((extension) => [`.${extension}`, language] as const)),
);

/** The language that the name of a file tells. Undefined: none that has rules. */
export function languageOf(path: string): Language | undefined {
  return byExtension.get(posix.extname(path).toLowerCase());
}
