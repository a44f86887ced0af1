import { guard, guarded } from '@cuebook/guard';
import {
  advancePlace,
  type Diagnostic,
  isVerbatim,
  type Piece,
  type Place,
  type Redactor,
} from '@cuebook/prompt';
import { findPlaceholders, hasFrontmatter } from './placeholder.js';
import type { SourceText } from './profile.js';
import { atMost, removal } from './removed.js';

/**
 * What is said of texts whether they are reached or not: credentials that would be taken out, placeholders of other
 * template languages and frontmatter that would be told as they stand.
 */
export function lookAt(texts: readonly SourceText[], redactor: Redactor): readonly Diagnostic[] {
  const removed: Diagnostic[] = [];
  const warned: Diagnostic[] = [];
  for (const { pieces, inputs = [], mayHoldPlaceholders = false, fix } of texts) {
    const text = pieces.map((piece) => piece.text).join('');
    if (text === '') continue;
    for (const start of credentialsIn(text, redactor)) {
      removed.push(removal('credential', 'in this text', placeIn(pieces, start)));
    }
    // What is wrong with confidential words is not quoted.
    if (mayHoldPlaceholders || pieces.some(({ secrecy }) => secrecy !== 'public')) continue;
    if (guard('check.frontmatter', hasFrontmatter(text))) {
      const message =
        'The text begins with frontmatter, which is told to the model as it stands. Remove it: a text has no settings';
      warned.push(warning('W_FRONTMATTER', message, placeIn(pieces, 0)));
    }
    const open = guarded('check.placeholder', () => findPlaceholders(text, { inputs, fix }), []);
    for (const { at, message } of open) warned.push(warning('W_PLACEHOLDER', message, placeIn(pieces, at)));
  }
  return [...byFile(removed), ...warned];
}

/** Where each credential begins. A text that many targets share is looked through once. */
function credentialsIn(text: string, redactor: Redactor): readonly number[] {
  const known = KNOWN.get(redactor) ?? new Map<string, readonly number[]>();
  KNOWN.set(redactor, known);
  const found =
    known.get(text) ??
    redactor
      .find(text)
      .filter(({ kind }) => guard('check.credential', kind === 'credential'))
      .map(({ start }) => start);
  known.set(text, found);
  return found;
}

const KNOWN = new WeakMap<Redactor, Map<string, readonly number[]>>();

function byFile(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = new Map<string | undefined, Diagnostic[]>();
  for (const each of found) {
    const list = files.get(each.file);
    if (list === undefined) files.set(each.file, [each]);
    else list.push(each);
  }
  return [...files.values()].flatMap(atMost);
}

/** The place of a character of the text: exact where it is verbatim in its file. */
function placeIn(pieces: readonly Piece[], at: number): Place | undefined {
  let start = 0;
  for (const { text, origin } of pieces) {
    const end = start + text.length;
    if (at < end || (text !== '' && end === at && pieces.length === 1)) {
      return isVerbatim(origin) ? advancePlace(origin, text.slice(0, at - start)) : origin;
    }
    start = end;
  }
  return undefined;
}

const warning = (code: string, message: string, place: Place | undefined): Diagnostic => {
  const { ref, line, column } = place ?? {};
  return {
    code,
    severity: 'warning',
    message,
    ...(ref === undefined ? {} : { file: ref }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
};
