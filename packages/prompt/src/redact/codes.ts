/** A text as numbers: ASCII text as bytes, which the scan reads several times faster than a string. */
export interface Codes {
  readonly text: string;
  /** Defined for ASCII text only. Good until the next text is read at the same level. */
  readonly bytes: Uint8Array | undefined;
}

const encoder = new TextEncoder();
const SCRATCH_MAX = 1 << 20;
let scratch = new Uint8Array(1 << 16);

/** `isOuter`: no other text read this way is still in use, so the shared buffer may be taken. */
export function codesOf(text: string, isOuter: boolean): Codes {
  if (!isOuter || text.length < 32) return { text, bytes: undefined };
  const buffer = bufferFor(text.length);
  const { read, written } = encoder.encodeInto(text, buffer);
  return { text, bytes: read === text.length && written === text.length ? buffer : undefined };
}

function bufferFor(length: number): Uint8Array<ArrayBuffer> {
  if (length <= scratch.length) return scratch;
  const fresh = new Uint8Array(length);
  if (length <= SCRATCH_MAX) scratch = fresh;
  return fresh;
}

/** The next place at or after `from` whose class is not 0, or `to`. */
export function nextMarked(codes: Codes, table: Uint8Array, from: number, to: number): number {
  return codes.bytes ? markedByte(codes.bytes, table, from, to) : markedUnit(codes.text, table, from, to);
}

function markedByte(bytes: Uint8Array, table: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && table[bytes[at]!] === 0) at += 1;
  return at;
}

function markedUnit(text: string, table: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && table[text.charCodeAt(at)] === 0) at += 1;
  return at;
}

/** Runs this long of letters, digits and `+ / _ -` may be a token or an encoding; shorter ones are words. */
export const LONG_RUN = 20;

const RUN_CODES = Uint8Array.from({ length: 65_536 }, (_, code) =>
  code < 128 && /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * The long runs, as pairs of start and end. Looks at one character in twenty and closer only around those
 * that could be inside a run: every long run has one of them.
 */
export function longRuns(codes: Codes): readonly number[] {
  const { bytes, text } = codes;
  return bytes ? runsOfBytes(bytes, text.length) : runsOfText(text);
}

function runsOfBytes(bytes: Uint8Array, length: number): readonly number[] {
  const runs: number[] = [];
  for (let probe = LONG_RUN - 1; probe < length; probe += LONG_RUN) {
    if (RUN_CODES[bytes[probe]!] === 0) continue;
    let start = probe;
    while (start > 0 && RUN_CODES[bytes[start - 1]!] === 1) start -= 1;
    let end = probe + 1;
    while (end < length && RUN_CODES[bytes[end]!] === 1) end += 1;
    if (end - start < LONG_RUN) continue;
    runs.push(start, end);
    probe = end - 1;
  }
  return runs;
}

function runsOfText(text: string): readonly number[] {
  const runs: number[] = [];
  for (let probe = LONG_RUN - 1; probe < text.length; probe += LONG_RUN) {
    if (RUN_CODES[text.charCodeAt(probe)] === 0) continue;
    let start = probe;
    while (start > 0 && RUN_CODES[text.charCodeAt(start - 1)] === 1) start -= 1;
    let end = probe + 1;
    while (end < text.length && RUN_CODES[text.charCodeAt(end)] === 1) end += 1;
    if (end - start < LONG_RUN) continue;
    runs.push(start, end);
    probe = end - 1;
  }
  return runs;
}
