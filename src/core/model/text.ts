/** How many code points a text has. */
export function codePointCount(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next < 0xe000) i++;
    }
    count++;
  }
  return count;
}

/** True where a text has more code points than allowed. The count is made only where the UTF-16 length leaves it open. */
export function isLongerThan(text: string, codePoints: number): boolean {
  return text.length > codePoints && codePointCount(text) > codePoints;
}

/** The longest start of a text within so many UTF-16 units that does not end inside a surrogate pair. */
export function cutToUnits(text: string, units: number): string {
  if (text.length <= units) return text;
  const last = text.charCodeAt(units - 1);
  const end = units > 0 && last >= 0xd800 && last < 0xdc00 ? units - 1 : Math.max(0, units);
  return text.slice(0, end);
}

/** The first code points of a text, at most so many. */
export function cutToCodePoints(text: string, codePoints: number): string {
  if (text.length <= codePoints) return text;
  // So many code points have at most twice as many units; the rest, which may be long, is not looked at.
  return [...cutToUnits(text, codePoints * 2)].slice(0, codePoints).join("");
}

/**
 * Orders texts by their UTF-8 bytes, as Go, Python and Rust order strings by code points. UTF-16 units order alike, but where a surrogate
 * (a code point above U+FFFF) meets a unit from U+E000 to U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  let i = 0;
  while (i < shared && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === shared) return a.length - b.length;
  const x = a.charCodeAt(i);
  const y = b.charCodeAt(i);
  if (x >= 0xd800 && y >= 0xd800) return surrogatesLast(x) - surrogatesLast(y);
  return x - y;
}

function surrogatesLast(unit: number): number {
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
