/** Digits that the length of a number is written with. */
const LENGTH_DIGITS = 4;

/**
 * A text whose order by UTF-8 bytes is the one in which a person reads: digit runs as the numbers that they write, so that L9 stands before
 * L10, everything else by its bytes. Each number stands as the length of its digits and the digits, without zeros before them; so numbers
 * that differ in these alone are equal. For numbers of up to 9,999 digits, which is more than a location may have.
 */
export function naturalKey(text: string): string {
  return text.replace(/[0-9]+/g, (run) => {
    const digits = run.replace(/^0+/, "");
    return String(digits.length).padStart(LENGTH_DIGITS, "0") + digits;
  });
}
