/**
 * What a UTF-16 unit is to a tokenizer that must give the same tokens everywhere and for ever: a table of its own, since regular
 * expressions follow the Unicode version of the engine.
 */
export const CharacterClass = { SPACE: 0, WORD: 1, MARK: 2, ALONE: 3, LOW_SURROGATE: 4 } as const;
export type CharacterClass = (typeof CharacterClass)[keyof typeof CharacterClass];

const { SPACE, WORD, MARK, ALONE, LOW_SURROGATE } = CharacterClass;

/** First and last unit of what is not part of a word. */
const RANGES: readonly (readonly [first: number, last: number, kind: CharacterClass])[] = [
  [0x00, 0x20, SPACE],
  [0x21, 0x2f, MARK],
  [0x3a, 0x40, MARK],
  [0x5b, 0x60, MARK],
  [0x5f, 0x5f, WORD],
  [0x7b, 0x7e, MARK],
  [0x7f, 0xa0, SPACE],
  [0xa1, 0xbf, MARK],
  [0xaa, 0xaa, WORD],
  [0xb5, 0xb5, WORD],
  [0xba, 0xba, WORD],
  [0xd7, 0xd7, MARK],
  [0xf7, 0xf7, MARK],
  // Thai and Lao, Myanmar, Khmer.
  [0x0e00, 0x0eff, ALONE],
  [0x1000, 0x109f, ALONE],
  [0x1780, 0x17ff, ALONE],
  [0x1680, 0x1680, SPACE],
  [0x2000, 0x200b, SPACE],
  [0x2010, 0x2027, MARK],
  [0x2028, 0x202f, SPACE],
  [0x2030, 0x205e, MARK],
  [0x205f, 0x206f, SPACE],
  // Arrows, operators, boxes, shapes.
  [0x2190, 0x2bff, MARK],
  // Chinese and Japanese: radicals, kana, ideographs, compatibility forms.
  [0x2e80, 0x2fff, ALONE],
  [0x3000, 0x3000, SPACE],
  [0x3001, 0x303f, MARK],
  [0x3040, 0x30ff, ALONE],
  [0x3100, 0x312f, ALONE],
  [0x31a0, 0x31bf, ALONE],
  [0x31f0, 0x9fff, ALONE],
  [0xf900, 0xfaff, ALONE],
  [0xff00, 0xff0f, MARK],
  [0xff66, 0xff9f, ALONE],
  [0xfeff, 0xfeff, SPACE],
  // Characters above U+FFFF, such as rarer ideographs and emoji.
  [0xd800, 0xdbff, ALONE],
  [0xdc00, 0xdfff, LOW_SURROGATE],
];

/** The class of each unit: part of a word, white space, a mark, a token by itself as in scripts without spaces, or half a character. */
export const CLASSES = new Uint8Array(0x10000).fill(WORD);
for (const [first, last, kind] of RANGES) CLASSES.fill(kind, first, last + 1);
