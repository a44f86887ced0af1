import { type KeyKind, keyBefore } from './secret-keys.js';
import type { SecretRange } from './secret-value.js';

/** So many items of a list are looked at. */
const ITEMS_MAX = 200;

const NOTHING: readonly SecretRange[] = [];

/**
 * The items of a list behind the sign at `at`: quoted words in brackets, on one line or several, or an item to a line
 * behind a dash. None where something else stands there.
 */
export function listItems(text: string, at: number): readonly SecretRange[] {
  OPEN.lastIndex = at + 1;
  const open = OPEN.exec(text);
  if (open === null) return NOTHING;
  const item = open[1] === undefined ? LINE : QUOTED;
  const found: SecretRange[] = [];
  for (let from = at + 1 + open[0].length; found.length < ITEMS_MAX; ) {
    item.lastIndex = from;
    const match = item.exec(text);
    const [start, end] = match?.indices?.[1] ?? match?.indices?.[2] ?? [];
    if (match === null || start === undefined || end === undefined) break;
    found.push({ start, end });
    from += match[0].length;
  }
  return found;
}

/** Kinds of which a list holds several. */
export const LISTED: ReadonlySet<KeyKind> = new Set<KeyKind>(['password', 'token']);

/** A list that is not at its end. */
export interface OpenList {
  readonly start: number;
  /** Its name, up to the sign behind which its items stand. */
  readonly head: string;
  /** What parts its items. */
  readonly between: string;
}

/** The list of secrets in whose middle a text ends, which may go on in what follows. */
export function openList(text: string): OpenList | undefined {
  const bracket = text.lastIndexOf('[');
  const between = bracket > text.lastIndexOf(']') ? ',' : '\n';
  const end = between === ',' ? bracket : lastItemsAt(text);
  if (end === -1) return undefined;
  let at = end - 1;
  while (at > 0 && /[ \t>]/.test(text.charAt(at))) at -= 1;
  const key = /[:=]/.test(text.charAt(at)) ? keyBefore(text, at) : undefined;
  if (!key?.kinds.some((kind) => LISTED.has(kind))) return undefined;
  return { start: key.start, head: text.slice(key.start, between === ',' ? end + 1 : end), between };
}

/** Where the line ends below which nothing but items stands up to the end of the text, or -1. */
function lastItemsAt(text: string): number {
  let found = -1;
  for (let end = text.length; end > 0; ) {
    const before = text.lastIndexOf('\n', end - 1);
    if (before === -1 || !ITEM.test(text.slice(before + 1, Math.min(end, before + 60)))) break;
    found = text.charCodeAt(before - 1) === 13 ? before - 1 : before;
    end = before;
  }
  return found;
}

const ITEM = /^[ \t]{0,40}(?:-(?: |$)|$)/;

/** `[` behind the sign, or the end of its line. */
const OPEN = />?[ \t]{0,6}(?:(\[|\{)(?=\s{0,80}["'])|(?=\r?\n[ \t]{0,40}- ))/y;
const QUOTED =
  /\s{0,80}(?:"([^"\\\s]{1,400})"|'([^'\\\s]{1,400})')\s{0,80}(?:,(?=\s{0,80}(?:["'\]}]|$))|(?=[\]}]|$))/dy;
const LINE =
  /\r?\n[ \t]{0,40}- {1,4}["']?([^\s"':#]{1,400})["']?[ \t]{0,40}(?=\r?\n|$|#)(?:#[^\n]{0,200})?/dy;
