/**
 * The text with everything that would steer a terminal, or reorder what it shows, spelled out: names of fragments come from anywhere, and
 * must not be able to write over the lines around them.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`,
  );
}
