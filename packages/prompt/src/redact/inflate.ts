/**
 * What bytes that gzip or zlib packed stand for, or undefined when they are no such bytes. At most `MOST` bytes are
 * unpacked: what is packed in order to fill the memory ends there. A packet that is cut gives what it has.
 */
export function unpack(bytes: Uint8Array): Uint8Array | undefined {
  const start = headerEnd(bytes);
  return start === undefined ? undefined : inflate(bytes, start);
}

/** Bytes that are unpacked at most. */
const MOST = 1 << 20;

function headerEnd(bytes: Uint8Array): number | undefined {
  if (bytes[0] === 0x78 && bytes.length > 6) return ((bytes[0] << 8) | bytes[1]!) % 31 === 0 ? 2 : undefined;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8 || bytes.length < 18) return undefined;
  const flags = bytes[3]!;
  let at = 10;
  if ((flags & 4) !== 0) at += 2 + bytes[at]! + (bytes[at + 1]! << 8);
  // A name and a remark, each up to a zero.
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue;
    while (at < bytes.length && bytes[at] !== 0) at += 1;
    at += 1;
  }
  return (flags & 2) === 0 ? at : at + 2;
}

/** The codes of RFC 1951, read bit by bit: how many have each length, and their symbols in order. */
interface Codes {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

class Reader {
  #bits = 0;
  #count = 0;
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  /** Throws at the end: whoever reads gives what it has. */
  bits(wanted: number): number {
    while (this.#count < wanted) {
      if (this.#at >= this.#bytes.length) throw new RangeError('the end');
      this.#bits |= this.#bytes[this.#at]! << this.#count;
      this.#at += 1;
      this.#count += 8;
    }
    const value = this.#bits & ((1 << wanted) - 1);
    this.#bits >>>= wanted;
    this.#count -= wanted;
    return value;
  }

  align(): void {
    this.#bits = 0;
    this.#count = 0;
  }

  symbol({ counts, symbols }: Codes): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length < 16; length += 1) {
      code |= this.bits(1);
      const count = counts[length]!;
      if (code - count < first) return symbols[index + code - first]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new RangeError('no code');
  }
}

function codesOf(lengths: readonly number[]): Codes {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]! += 1;
  counts[0] = 0;
  const places = new Uint16Array(16);
  for (let length = 1; length < 15; length += 1) places[length + 1] = places[length]! + counts[length]!;
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    symbols[places[length]!] = symbol;
    places[length]! += 1;
  }
  return { counts, symbols };
}

/** The bytes written so far; what is written past the limit ends it. */
class Output {
  #bytes = new Uint8Array(1024);
  length = 0;

  put(byte: number): void {
    if (this.length >= MOST) throw new RangeError('too much');
    if (this.length === this.#bytes.length) {
      const more = new Uint8Array(this.#bytes.length * 2);
      more.set(this.#bytes);
      this.#bytes = more;
    }
    this.#bytes[this.length] = byte;
    this.length += 1;
  }

  again(distance: number, length: number): void {
    if (distance > this.length) throw new RangeError('nothing there');
    for (let index = 0; index < length; index += 1) this.put(this.#bytes[this.length - distance]!);
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}

function inflate(bytes: Uint8Array, start: number): Uint8Array | undefined {
  const reader = new Reader(bytes, start);
  const out = new Output();
  try {
    for (let isLast = false; !isLast; ) {
      isLast = reader.bits(1) === 1;
      const kind = reader.bits(2);
      if (kind === 0) copyStored(reader, out);
      else if (kind === 3) break;
      else copyPacked(reader, out, kind === 1 ? FIXED : readCodes(reader));
    }
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  return out.length === 0 ? undefined : out.bytes();
}

function copyStored(reader: Reader, out: Output): void {
  reader.align();
  const length = reader.bits(16);
  reader.bits(16);
  for (let index = 0; index < length; index += 1) out.put(reader.bits(8));
}

const range = (length: number, value: number): readonly number[] => Array.from({ length }, () => value);
const FIXED = {
  literals: codesOf([...range(144, 8), ...range(112, 9), ...range(24, 7), ...range(8, 8)]),
  distances: codesOf(range(30, 5)),
};
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function readCodes(reader: Reader): typeof FIXED {
  const literals = reader.bits(5) + 257;
  const distances = reader.bits(5) + 1;
  const sizes = range(19, 0).slice();
  const given = reader.bits(4) + 4;
  for (const place of ORDER.slice(0, given)) sizes[place] = reader.bits(3);
  const codes = codesOf(sizes);
  const lengths: number[] = [];
  while (lengths.length < literals + distances) {
    const symbol = reader.symbol(codes);
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) lengths.push(...range(3 + reader.bits(2), lengths.at(-1) ?? 0));
    else lengths.push(...range(symbol === 17 ? 3 + reader.bits(3) : 11 + reader.bits(7), 0));
  }
  return {
    literals: codesOf(lengths.slice(0, literals)),
    distances: codesOf(lengths.slice(literals, literals + distances)),
  };
}

function copyPacked(reader: Reader, out: Output, { literals, distances }: typeof FIXED): void {
  for (;;) {
    const symbol = reader.symbol(literals);
    if (symbol === 256) return;
    if (symbol < 256) {
      out.put(symbol);
      continue;
    }
    const at = symbol - 257;
    if (at >= LENGTHS.length) throw new RangeError('no length');
    const length = LENGTHS[at]! + reader.bits(MORE[at]!);
    const far = reader.symbol(distances);
    out.again(DISTANCES[far]! + reader.bits(far < 4 ? 0 : (far >> 1) - 1), length);
  }
}

const MORE = Array.from({ length: 29 }, (_, at) => (at < 8 || at === 28 ? 0 : (at >> 2) - 1));
const LENGTHS = MORE.map((_, at) => (at === 28 ? 258 : at < 8 ? at + 3 : 3 + ((4 + (at & 3)) << MORE[at]!)));
const DISTANCES = Array.from({ length: 30 }, (_, at) =>
  at < 4 ? at + 1 : 1 + ((2 + (at & 1)) << ((at >> 1) - 1)),
);
