/**
 * What can be read of bytes of any kind, as texts: runs of printable characters in UTF-8, in Latin-1, and in UTF-16
 * from either byte. Linear, and far less than the bytes themselves where they are no text.
 */
export function* rawTexts(bytes: Uint8Array): Iterable<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Parts that overlap: a text of any useful length stands whole in one of them.
  for (let at = 0; at < buffer.length; at += PART) {
    const part = struckOnce(buffer.toString('latin1', at, at + PART + OVERLAP));
    yield Buffer.from(runsOf(part, UTF_8), 'latin1').toString('utf8');
    yield runsOf(part, LATIN_1);
    yield runsOf(part, UTF_16).replaceAll('\0', '');
  }
}

/** A printer strikes a character twice to make it bold, and goes back in between. */
const struckOnce = (part: string): string => (part.includes('\b') ? part.replace(/[^\n]\x08/g, '') : part);

const PART = 256 * 1024;
const OVERLAP = 8 * 1024;

const runsOf = (part: string, runs: RegExp): string => (part.match(runs) ?? []).join('\n');

/** Four characters or more in a row. */
const UTF_8 =
  /(?:[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){4,}/g;
/** Only around a letter that UTF-8 would spell otherwise, between words: everything else is read already. */
const LATIN_1 = /[\x20-\x7e]{2,}(?:[\xa1-\xff][\x20-\x7e]+)+/g;
/** Every second byte is zero. */
const UTF_16 = /\0?(?:[\t\n\r\x20-\x7e\xa1-\xff]\0){3,}[\x20-\x7e\xa1-\xff]?/g;
