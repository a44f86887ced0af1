import { guard } from '@cuebook/guard';
import { gunzip, isGzip, isPacked, isZip, zipParts } from './archive-texts.js';
import { type Budget, type InsideLimits, openBudget, Unreadable, type UnreadableReason } from './budget.js';
import { embeddedStreams } from './embedded.js';
import { isPdf, pdfTexts } from './pdf-texts.js';
import { gifTexts, isGif, isPng, pngTexts } from './picture-texts.js';
import { type PlainText, readPlainText } from './plain-text.js';
import { rawTexts } from './raw-text.js';

/** What can be read in bytes of any kind. */
export type Inside =
  /** They are text as a whole, which can be written back in its own encoding. */
  | ({ readonly kind: 'text' } & PlainText)
  /** They hold texts that cannot be changed: archives, documents, pictures, anything. */
  | { readonly kind: 'binary'; readonly texts: AsyncIterable<string> };

/** Reading the texts of `binary` throws this when nobody can say what is inside, or it is more than the limits allow. */
export { Unreadable, type UnreadableReason };

/** Looks into bytes. Nothing is read before the texts are asked for; together they stay within the limits. */
export function lookInside(bytes: Uint8Array, limits?: InsideLimits): Inside {
  const isKnown = isZip(bytes) || isPdf(bytes) || isGzip(bytes) || isPacked(bytes);
  const plain = isKnown ? undefined : readPlainText(bytes);
  if (plain !== undefined) return { kind: 'text', ...plain };
  return { kind: 'binary', texts: textsOf(bytes, openBudget(limits)) };
}

async function* textsOf(bytes: Uint8Array, budget: Budget): AsyncIterable<string> {
  try {
    yield* readAll(bytes, budget);
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
  if (isPdf(bytes)) yield* pdfTexts(bytes, budget);
  if (isZip(bytes)) for await (const part of zipParts(bytes, budget)) yield* partTexts(part.bytes, budget);
  if (isGzip(bytes)) yield* partTexts(gunzip(bytes, budget), budget);
  const pictures = isPng(bytes) ? pngTexts(bytes, budget) : isGif(bytes) ? gifTexts(bytes) : [];
  for (const text of pictures) yield* partTexts(text, budget);
  const isOpened = isPdf(bytes) || isZip(bytes) || isGzip(bytes) || isPng(bytes);
  if (guard('inside.embedded', !isOpened))
    for await (const stream of embeddedStreams(bytes, budget)) yield* partTexts(stream, budget);
}

/** A part may be text, or a container itself. */
async function* partTexts(bytes: Uint8Array, budget: Budget): AsyncIterable<string> {
  await budget.turn();
  const isContainer = isZip(bytes) || isPdf(bytes) || isGzip(bytes) || isPacked(bytes);
  const plain = isContainer ? undefined : readPlainText(bytes);
  if (plain !== undefined) {
    yield plain.text;
    if (/^\s*<|<\?xml/.test(plain.text.slice(0, 1_000))) yield withoutTags(plain.text);
    return;
  }
  const leave = budget.enter();
  try {
    yield* readAll(bytes, budget);
  } finally {
    leave();
  }
}

/** The words of a document without its marks: a word may be cut by them anywhere. */
const withoutTags = (xml: string): string => xml.replace(/<[^<>]*>/g, '');
