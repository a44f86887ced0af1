import { type Block, type Diagnostic, findInvisible } from '@cuebook/prompt';

/** Runs of one file that are told one by one; the rest are counted. */
const MAX_TOLD = 20;
const MAX_POINTS = 8;

/**
 * A warning for each run of characters in a source that people do not see and models read, whoever wrote it: where it
 * is, which characters it is made of, and what it spells. In JSON and YAML also for those that are spelled as escapes.
 */
export function hiddenText(file: string, text: string): readonly Diagnostic[] {
  const found = runsOf(text);
  const escaped = /\.(?:json|ya?ml)$/i.test(file) ? escapedRuns(text) : [];
  const all = [...found, ...escaped].sort((a, b) => a.start - b.start);
  if (all.length === 0) return [];
  const told = all
    .slice(0, MAX_TOLD)
    .map(({ start, chars }) => warning(describe(chars), { file, ...placeAt(text, start) }));
  const rest = all.length - told.length;
  return rest === 0 ? told : [...told, warning(`${rest} more places of the file hold hidden text`, { file })];
}

/**
 * The same for hidden text of a composed prompt that no source shows as it stands: behind an escape of a language, in
 * base64, or put together from parts.
 */
export function hiddenInBlocks(
  blocks: readonly Pick<Block, 'text' | 'spans'>[],
  isKnown: (file: string) => boolean,
): readonly Diagnostic[] {
  const places = new Map<
    string,
    { place: { file: string; line: number; column?: number }; chars: string[] }
  >();
  for (const { text, spans } of blocks) {
    const bytes = spans.some(isShown) ? new TextEncoder().encode(text) : undefined;
    for (const span of bytes === undefined ? [] : spans.filter(isShown)) {
      const from = span.origin.via?.at(-1);
      if (from?.line === undefined || isKnown(from.ref)) continue;
      const shown = new TextDecoder().decode(bytes?.subarray(span.start, span.end));
      const { ref: file, line, column } = from;
      const place = { file, line, ...(column === undefined ? {} : { column }) };
      const known = places.get(JSON.stringify(place)) ?? { place, chars: [] };
      known.chars.push(String.fromCodePoint(Number.parseInt(shown.slice(3, -1), 16)));
      places.set(JSON.stringify(place), known);
    }
  }
  return [...places.values()].map(({ place, chars }) => warning(describe(chars), place));
}

const isShown = ({ origin }: Block['spans'][number]): boolean =>
  origin.kind === 'redaction' && origin.ref === 'invisible';

interface HiddenRun {
  /** Where it starts in the source, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly chars: readonly string[];
}

function runsOf(text: string): readonly HiddenRun[] {
  const runs: { start: number; end: number; chars: string[] }[] = [];
  for (const { start, end } of findInvisible(text)) {
    const last = runs[runs.length - 1];
    const char = text.slice(start, end);
    if (last?.end === start) {
      last.chars.push(char);
      last.end = end;
    } else runs.push({ start, end, chars: [char] });
  }
  return runs;
}

/** Whether an escape ends where a run begins, or before. One that stands for a backslash is of no length, and no find. */
const isBefore = (
  found: { readonly at: number; readonly length: number } | undefined,
  start: number,
): boolean => found !== undefined && (found.length === 0 || found.at + found.length <= start);

/** Runs of what escapes stand for, at the place of the first escape. */
function escapedRuns(text: string): readonly HiddenRun[] {
  let decoded = '';
  let from = 0;
  const escapes: { readonly at: number; readonly source: number; readonly length: number }[] = [];
  for (const match of text.matchAll(ESCAPE)) {
    const [whole, ...digits] = match;
    const code = digits.find((each) => each !== undefined);
    const point = code === undefined ? Number.NaN : Number.parseInt(code, 16);
    const char = point <= 0x10ffff ? fromPoint(point) : whole;
    decoded += text.slice(from, match.index);
    escapes.push({ at: decoded.length, source: match.index, length: code === undefined ? 0 : char.length });
    decoded += char;
    from = match.index + whole.length;
  }
  if (escapes.every(({ length }) => length === 0)) return [];
  decoded += text.slice(from);
  // Runs and escapes are both in the order of the text.
  let next = 0;
  return runsOf(decoded).flatMap(({ start, end, chars }) => {
    while (next < escapes.length && isBefore(escapes[next], start)) next += 1;
    const first = escapes[next];
    return first === undefined || first.at >= end ? [] : [{ start: first.source, end: first.source, chars }];
  });
}

/** Half a character stays half: its other half is the next escape. */
const fromPoint = (point: number): string =>
  point > 0xffff ? String.fromCodePoint(point) : String.fromCharCode(point);

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|\\)/g;

function describe(chars: readonly string[]): string {
  const points = chars.map((char) => char.codePointAt(0) as number);
  const kinds = [...new Set(points.map(kindOf))];
  const listed = points.slice(0, MAX_POINTS).map(printPoint).join(' ');
  const more = points.length > MAX_POINTS ? ` and ${points.length - MAX_POINTS} more` : '';
  const spelled = spelling(points);
  const spells = spelled === '' ? '' : `, which spell ${JSON.stringify(spelled)}`;
  return `Hidden text, ${kinds.join(' and ')}: ${listed}${more}${spells}. People do not see it, models read it; it is sent as ${`[${printPoint(points[0] as number)}]`}`;
}

const printPoint = (point: number): string => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;

function kindOf(point: number): string {
  if (point >= 0xe0000 && point <= 0xe007f) return 'tag characters';
  if (isSelector(point)) return 'variation selectors';
  if (/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(String.fromCodePoint(point)))
    return 'bidirectional controls';
  const char = String.fromCodePoint(point);
  if (/[\p{Zl}\p{Zp}\u0085\r\v\f\x1c-\x1e]/u.test(char)) return 'line breaks that not every reader knows';
  if (/\p{Cc}/u.test(char)) return 'control characters';
  if (/\p{Co}/u.test(char)) return 'private-use characters';
  return 'zero-width characters';
}

const isSelector = (point: number): boolean =>
  (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef);

/** What tag characters spell, or the bytes that a run of variation selectors carries. */
function spelling(points: readonly number[]): string {
  const tags = points
    .filter((point) => point >= 0xe0020 && point <= 0xe007e)
    .map((point) => String.fromCharCode(point - 0xe0000))
    .join('');
  if (tags !== '') return tags.slice(0, 200);
  const bytes = points
    .filter(isSelector)
    .map((point) => (point <= 0xfe0f ? point - 0xfe00 : point - 0xe0100 + 16));
  if (bytes.length < 2) return '';
  const text = new TextDecoder().decode(Uint8Array.from(bytes));
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\n]+$/u.test(text) ? text.slice(0, 200) : '';
}

/** Line and column from 1, columns in code points. */
function placeAt(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: [...before.slice(before.lastIndexOf('\n') + 1)].length + 1 };
}

const warning = (
  message: string,
  place: { readonly file: string; readonly line?: number; readonly column?: number },
): Diagnostic => ({ code: 'W_HIDDEN_TEXT', severity: 'warning', message, ...place });
