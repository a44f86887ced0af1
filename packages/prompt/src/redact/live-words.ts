import { guard, guarded } from '@cuebook/guard';
import { isSpace } from './chars.js';
import { placeholderOf, type Replacement } from './leak-context.js';
import { lastSafeCut, limitOf, openKeyAt } from './live-cut.js';
import { endsInWord, wordEnd } from './live-word.js';
import type { Redactor } from './redactor.js';
import { openTable } from './secret/columns.js';
import { openList } from './secret/list-items.js';
import { applyReplacements } from './settle.js';

/**
 * Cleans a text that comes in pieces. What `feed` answers can be told at once: it is the beginning of the clean text,
 * up to the last place behind which nothing can turn out to be a part of something private. `flush` answers the rest.
 * However a text is cut, the pieces together hold no private byte that the clean whole does not hold.
 */
export interface LiveWords {
  feed(delta: string): string;
  flush(): string;
  /** Something is held back. */
  readonly isHolding: boolean;
}

/** What may be held back: a longer stretch without a safe place is masked as a whole. */
export const MAX_HELD = 65_536;
/** What was told before and is looked at again: `Bearer ` and `password =` say what the next word is. */
const CONTEXT = 512;

/** One text: a block of words, the arguments of one call. */
export function createLiveWords(redactor: Redactor): LiveWords {
  /** Told already, as it was before it was cleaned. */
  let told = '';
  let held = '';
  /** A stretch that was masked goes on: its characters are dropped. */
  let dropping: ((code: number) => boolean) | undefined;

  const tell = (length: number, found: readonly Replacement[]): string => {
    const window = told + held;
    const end = told.length + length;
    const inside = found
      .filter((hit) => hit.end > told.length && hit.start < end)
      .map((hit) => ({
        ...hit,
        start: Math.max(0, hit.start - told.length),
        end: Math.min(hit.end, end) - told.length,
      }));
    const text = applyReplacements(held.slice(0, length), inside);
    told = lastWords(window.slice(0, end));
    held = held.slice(length);
    return text;
  };

  const mask = (at: number, goesOn: (code: number) => boolean): string => {
    const before = at === 0 ? '' : tell(at, redactor.find(told + held.slice(0, at)));
    dropping = goesOn;
    told = '';
    held = '';
    return `${before}${placeholderOf('credential')}`;
  };

  return {
    feed(delta) {
      const rest = dropping ? delta.slice(goingOn(delta, dropping)) : delta;
      if (dropping && rest === '') return '';
      dropping = undefined;
      held += rest;
      const isLong = held.length > MAX_HELD;
      // Without a place to cut in the new piece nothing has become safer than it was, but for a word of letters.
      if (!isLong && !CUT.test(rest) && !endsInWord(held)) return '';
      const window = told + held;
      const found = redactor.find(window);
      const safeEnd = (): number => {
        const opened = Math.max(told.length, redactor.opens?.(window) ?? window.length);
        const limit = Math.min(opened, limitOf(window, told.length, found, redactor.reach ?? 0));
        const cut = lastSafeCut(window, told.length, found, limit);
        return limit === window.length ? wordEnd(redactor, window, cut) : cut;
      };
      const end = guarded('live.hold', safeEnd, window.length);
      if (end > told.length) return tell(end - told.length, found);
      if (!guard('live.long', isLong)) return '';
      const key = openKeyAt(window, told.length);
      return key === undefined ? mask(0, (code) => !isSpace(code)) : mask(key - told.length, isKeyBody);
    },
    flush() {
      const text = held === '' ? '' : tell(held.length, redactor.find(told + held));
      told = '';
      dropping = undefined;
      return text;
    },
    get isHolding() {
      return held !== '';
    },
  };
}

/** Where a text may be cut at all: behind white space, or behind writing that has none. */
const CUT = /[ \t\n\r\u3001-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;

function goingOn(text: string, goesOn: (code: number) => boolean): number {
  let at = 0;
  while (at < text.length && goesOn(text.charCodeAt(at))) at += 1;
  return at;
}

/** What the body of a private key is made of. */
const isKeyBody = (code: number): boolean => KEY_BODY.test(String.fromCharCode(code));
const KEY_BODY = /[A-Za-z0-9+/=\r\n\\ ]/;

/**
 * The last words, whole: a cut in the middle of one would make another word of it. Of a table that goes on these are its
 * last lines, and its names of columns; of a list of secrets its name and its last items.
 */
function lastWords(text: string): string {
  if (text.length <= CONTEXT) return text;
  const from = text.length - CONTEXT;
  const gap = text.slice(from).search(/\s/);
  const cut = gap === -1 ? text.length : from + gap + 1;
  const table = openTable(text);
  if (table !== undefined && table.start < cut) {
    const below = table.start + table.head.length;
    return table.head + text.slice(Math.max(below, text.lastIndexOf('\n', from) + 1));
  }
  const list = openList(text);
  if (guard('live.list', list !== undefined && list.start < cut) && list !== undefined) {
    const below = list.start + list.head.length;
    return (
      list.head +
      text.slice(Math.max(below, text.lastIndexOf(list.between, from) + (list.between === ',' ? 1 : 0)))
    );
  }
  return text.slice(cut);
}
