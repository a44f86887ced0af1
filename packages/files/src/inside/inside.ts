import { guard } from '@cuebook/guard';
import { gunzip, isGzip, isPacked, isZip, zipParts } from './archive-texts.js';
import { type Budget, type InsideLimits, openBudget, Unreadable, type UnreadableReason } from './budget.js';
import { ebcdicReadings, isEbcdic } from './ebcdic.js';
import { bareStreams, embeddedStreams, holdsPacked, isZlib } from './embedded.js';
import { encodedParts } from './encoded-parts.js';
import { isPdf, pdfTexts } from './pdf-texts.js';
import { gifTexts, isGif, isPng, pngTexts } from './picture-texts.js';
import { type PlainText, readPlainText } from './plain-text.js';
import { rawTexts } from './raw-text.js';

/** What can be read in bytes of any kind. */
export type Inside =
  /** They are text as a whole, which can be written back in its own encoding. */
  | ({ readonly kind: 'text' } & PlainText & {
        /** What words of such a text hold in an encoding of bytes, and cannot be changed there. */
        readonly held: (text: string) => AsyncIterable<string>;
      })
  /** They hold texts that cannot be changed: archives, documents, pictures, anything. */
  | { readonly kind: 'binary'; readonly texts: AsyncIterable<string> };

/** Reading the texts of `binary` throws this when nobody can say what is inside, or it is more than the limits allow. */
export { Unreadable, type UnreadableReason };

/** Looks into bytes. Nothing is read before the texts are asked for; together they stay within the limits. */
export function lookInside(bytes: Uint8Array, limits?: InsideLimits): Inside {
  const plain = isContainer(bytes) ? undefined : readPlainText(bytes);
  const isWords = plain !== undefined && !guard('inside.ebcdic', isEbcdic(bytes));
  if (isWords) return { kind: 'text', ...plain, held: (text) => named(heldTexts(text, openBudget(limits))) };
  return { kind: 'binary', texts: named(readAll(bytes, openBudget(limits))) };
}

async function* named(texts: AsyncIterable<string>): AsyncIterable<string> {
  try {
    yield* texts;
  } catch (thrown) {
    throw thrown instanceof Unreadable ? thrown : new Unreadable('broken');
  }
}

async function* readAll(bytes: Uint8Array, budget: Budget): AsyncIterable<string> {
  if (isPacked(bytes)) throw new Unreadable('packed');
  for (const text of rawTexts(bytes)) {
    await budget.turn();
    yield text;
  }
  yield* ebcdicReadings(bytes);
  if (isPdf(bytes))
    for await (const part of pdfTexts(bytes, budget))
      if (typeof part === 'string') yield part;
      else if (isContainer(part)) yield* partTexts(part, budget);
  if (isZip(bytes)) for await (const part of zipParts(bytes, budget)) yield* partTexts(part.bytes, budget);
  if (isGzip(bytes)) yield* partTexts(gunzip(bytes, budget), budget);
  const pictures = isPng(bytes) ? pngTexts(bytes, budget) : isGif(bytes) ? gifTexts(bytes) : [];
  for (const text of pictures) yield* partTexts(text, budget);
  const isOpened = isPdf(bytes) || isZip(bytes) || isGzip(bytes) || isPng(bytes);
  if (guard('inside.embedded', !isOpened)) {
    for await (const stream of embeddedStreams(bytes, budget)) yield* partTexts(stream, budget);
    if (guard('inside.embedded-packed', holdsPacked(bytes))) throw new Unreadable('packed');
    for (const whole of bareStreams(bytes, budget)) yield* partTexts(whole, budget);
  }
}

/** A part may be text, or a container itself. */
async function* partTexts(bytes: Uint8Array, budget: Budget): AsyncIterable<string> {
  await budget.turn();
  const plain = isContainer(bytes) || isEbcdic(bytes) ? undefined : readPlainText(bytes);
  if (plain !== undefined) {
    yield plain.text;
    if (/^\s*<|<\?xml/.test(plain.text.slice(0, 1_000))) yield withoutTags(plain.text);
    yield* heldTexts(plain.text, budget);
    return;
  }
  const leave = budget.enter();
  try {
    yield* readAll(bytes, budget);
  } finally {
    leave();
  }
}

const isContainer = (bytes: Uint8Array): boolean =>
  isZip(bytes) || isPdf(bytes) || isGzip(bytes) || isPacked(bytes);

/** What a text holds in encodings, and what that holds in encodings again. */
async function* heldTexts(text: string, budget: Budget, level = 0): AsyncIterable<string> {
  if (guard('inside.levels', level > MAX_LEVEL)) throw new Unreadable('bomb');
  for (const part of encodedParts(text)) {
    await budget.turn();
    if (typeof part === 'string') yield part;
    else if (isContainer(part) || isPng(part) || isGif(part)) yield* unlessBroken(partTexts(part, budget));
    else {
      const plain = readPlainText(part);
      if (plain !== undefined) yield* chain(plain.text, heldTexts(plain.text, budget, level + 1));
      else if (isZlib(part))
        for await (const stream of embeddedStreams(part, budget))
          yield* unlessBroken(partTexts(stream, budget));
    }
  }
}

/** Encodings within encodings. */
const MAX_LEVEL = 4;

async function* chain(first: string, rest: AsyncIterable<string>): AsyncIterable<string> {
  yield first;
  yield* rest;
}

/** What only looks like a container when it is decoded is none. */
async function* unlessBroken(texts: AsyncIterable<string>): AsyncIterable<string> {
  try {
    yield* texts;
  } catch (thrown) {
    if (!(thrown instanceof Unreadable) || thrown.reason === 'broken') return;
    throw thrown;
  }
}

/** The words of a document without its marks: a word may be cut by them anywhere. */
const withoutTags = (xml: string): string => xml.replace(/<[^<>]*>/g, '');
