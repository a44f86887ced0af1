import { guard } from '@cuebook/guard';
import { type Budget, Unreadable } from './budget.js';
import { unfiltered } from './pdf-filters.js';
import { type CodeMap, codeMap, mapped, pdfStrings } from './pdf-strings.js';

export const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(1024, bytes.byteLength))
    .toString('latin1')
    .includes('%PDF-');

/**
 * What can be read in a PDF: its strings, metadata and streams with their filters undone; the words of a page joined as
 * they are drawn, by the codes themselves and by every map that its fonts bring along. Streams come as bytes too: a file
 * may be attached.
 */
export async function* pdfTexts(bytes: Uint8Array, budget: Budget): AsyncIterable<string | Uint8Array> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const source = buffer.toString('latin1');
  if (guard('inside.encrypted', /\/Encrypt\s*(?:<<|\d+\s+\d+\s+R)/.test(source)))
    throw new Unreadable('encrypted');
  const outside: string[] = [];
  const streams: string[] = [];
  let from = 0;
  for (const { dictionary, start, end } of streamsOf(source)) {
    budget.part();
    await budget.turn();
    outside.push(source.slice(from, start));
    from = end;
    const data = unfiltered(buffer.subarray(start, end), dictionary, budget);
    if (data === undefined) continue;
    streams.push(data.toString('latin1'));
    yield data;
  }
  outside.push(source.slice(from));
  const maps = streams.flatMap((stream) => codeMap(stream) ?? []).slice(0, MAX_MAPS);
  for (const text of [outside.join('\n'), ...streams]) {
    await budget.turn();
    yield text;
    if (/[\x80-\xff]/.test(text)) yield Buffer.from(text, 'latin1').toString('utf8');
    yield* spoken(pdfStrings(text), maps, budget);
  }
}

const MAX_MAPS = 64;

/** Strings one by one, and joined: a word may be drawn letter by letter. */
function* spoken(strings: readonly string[], maps: readonly CodeMap[], budget: Budget): Iterable<string> {
  if (strings.length === 0) return;
  yield strings.map(documentText).join('\n');
  yield strings.map(documentText).join('');
  const wide = strings.some((each) => each.includes('\0'));
  if (wide) yield strings.join('').replaceAll('\0', '');
  for (const map of maps) {
    const told = strings.map((each) => mapped(each, map)).join('');
    budget.take(told.length);
    yield told;
  }
}

/** A string of the document itself says so when it is UTF-16 or UTF-8. */
function documentText(text: string): string {
  if (text.startsWith('\xfe\xff')) {
    const bytes = Buffer.from(text.slice(2), 'latin1');
    return Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le');
  }
  return text.startsWith('\xef\xbb\xbf') ? Buffer.from(text, 'latin1').toString('utf8') : text;
}

interface StreamPlace {
  readonly dictionary: string;
  readonly start: number;
  readonly end: number;
}

function* streamsOf(source: string): Iterable<StreamPlace> {
  const mark = /stream(?:\r\n|\n|\r)/g;
  for (let match = mark.exec(source); match !== null; match = mark.exec(source)) {
    if (source.startsWith('end', match.index - 3)) continue;
    const start = match.index + match[0].length;
    const opened = source.lastIndexOf('obj', match.index);
    const dictionary = source.slice(Math.max(opened, match.index - MAX_DICTIONARY), match.index);
    const end = endOf(source, start, dictionary);
    yield { dictionary, start, end };
    mark.lastIndex = end;
  }
}

const MAX_DICTIONARY = 16 * 1024;

/** By the length that it states, when it ends there; else by the end that stands before the end of an object. */
function endOf(source: string, start: number, dictionary: string): number {
  const stated = /\/Length\s+(\d{1,10})(?!\s+\d+\s+R)/.exec(dictionary)?.[1];
  const at = start + Number(stated ?? Number.NaN);
  if (/^\s*endstream/.test(source.slice(at, at + 20))) return at;
  const closed = /endstream\s*endobj/g;
  closed.lastIndex = start;
  const close = closed.exec(source)?.index ?? source.indexOf('endstream', start);
  return close === -1 ? source.length : close;
}
