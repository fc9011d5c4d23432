/**
 * Writes messages in the wire's format without making objects of them first. A question to a host has a thousand fragments of a few fields
 * each, and to copy them into messages for a general encoder took longer than to write their bytes.
 */

/** What a writer keeps between messages; what a larger one took is given back. */
const KEPT_BYTES = 1_048_576;

/** Texts up to so many units are written unit by unit, which is quicker than a call into the runtime. */
const SHORT_TEXT = 64;

/** Bytes that grow as they are written. Tags are those of the format: the field's number times eight, plus the kind of its value. */
export class ByteWriter {
  length = 0;
  #buffer = Buffer.allocUnsafeSlow(65_536);
  #view = viewOf(this.#buffer);

  /** Begins anew. */
  clear(): void {
    this.length = 0;
    if (this.#buffer.length > KEPT_BYTES) this.#replace(Buffer.allocUnsafeSlow(65_536));
  }

  /** What was written, to be copied before anything else is. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }

  /** Opens a message within this one, and answers where it begins. */
  open(tag: number): number {
    this.#reserve(2);
    this.#buffer[this.length] = tag;
    // One byte for its length, which is enough for most.
    this.length += 2;
    return this.length;
  }

  /** Closes the message that begins there. */
  close(start: number): void {
    const size = this.length - start;
    if (size > 127) {
      const more = varintSize(size) - 1;
      this.#reserve(more);
      this.#buffer.copyWithin(start + more, start, this.length);
      this.length += more;
    }
    this.#putVarint(start - 1, size);
  }

  /** A whole number, down and up to 2^53. */
  number(tag: number, value: number): void {
    this.#reserve(11);
    this.#buffer[this.length++] = tag;
    this.length = value < 0 ? this.#putNegative(this.length, value) : this.#putVarint(this.length, value);
  }

  double(tag: number, value: number): void {
    this.#reserve(9);
    this.#buffer[this.length] = tag;
    this.#view.setFloat64(this.length + 1, value, true);
    this.length += 9;
  }

  /** Numbers of a packed field. Its tag may be one of those that take two bytes. */
  doubles(tag: number, values: ArrayLike<number>): void {
    const count = values.length;
    this.#reserve(7 + count * 8);
    const start = this.#putVarint(this.#putVarint(this.length, tag), count * 8);
    const view = this.#view;
    for (let i = 0; i < count; i++) view.setFloat64(start + i * 8, values[i]!, true);
    this.length = start + count * 8;
  }

  text(tag: number, text: string): void {
    const units = text.length;
    this.#reserve(units * 3 + 6);
    const buffer = this.#buffer;
    let at = this.length;
    buffer[at++] = tag;
    if (units <= SHORT_TEXT) {
      buffer[at] = units;
      let i = 0;
      for (; i < units; i++) {
        const unit = text.charCodeAt(i);
        if (unit > 127) break;
        buffer[at + 1 + i] = unit;
      }
      if (i === units) {
        this.length = at + 1 + units;
        return;
      }
    }
    // Most texts have as many bytes as units, so that their length takes as many bytes as it is taken to.
    const guess = varintSize(units);
    const size = buffer.write(text, at + guess, "utf8");
    const needed = varintSize(size);
    if (needed !== guess) buffer.copyWithin(at + needed, at + guess, at + guess + size);
    this.length = this.#putVarint(at, size) + size;
  }

  #putVarint(at: number, value: number): number {
    const buffer = this.#buffer;
    let rest = value;
    let next = at;
    while (rest > 127) {
      buffer[next++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    buffer[next++] = rest;
    return next;
  }

  /** The format writes what is below 0 as a number of 64 bits. */
  #putNegative(at: number, value: number): number {
    const buffer = this.#buffer;
    let bits = BigInt.asUintN(64, BigInt(value));
    let next = at;
    for (; bits > 127n; bits >>= 7n) buffer[next++] = Number(bits & 127n) | 128;
    buffer[next++] = Number(bits);
    return next;
  }

  #reserve(bytes: number): void {
    const wanted = this.length + bytes;
    if (wanted <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, this.#buffer.length * 2));
    larger.set(this.bytes);
    this.#replace(larger);
  }

  #replace(buffer: Buffer<ArrayBuffer>): void {
    this.#buffer = buffer;
    this.#view = viewOf(buffer);
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** How many bytes a whole number takes. */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size++;
  return size;
}
