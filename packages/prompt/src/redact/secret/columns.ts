import { placedSign } from '../sign.js';
import { surveyOf } from '../survey.js';
import { kindsOf } from './secret-keys.js';
import { isPlaceholder, isSecretValue, SAMPLES, type SecretKind, type SecretRange } from './secret-value.js';

/** By number of a sign: how long the end is that it is of a column's name, which may be one of secrets. */
const ENDS: (number | undefined)[] = [];
for (const end of 'word wd pass ecret oken key WORD PASS ECRET OKEN KEY'.split(' '))
  ENDS[placedSign(end).number] = end.length;

/** What stands behind such an end in a line of columns. */
const BEHIND_NAME = /s?["'`*]{0,3}[ ]{0,40}(?:[,;|\t]|\r?\n)/y;

/** Between the columns of one line. */
const SIGNS: ReadonlySet<string> = new Set([',', ';', '\t', '|']);

/** `|---|---|`, `+----+----+`: a line of a table without a value. */
const RULE = /^[\s|+:=-]+$/;

/** What stands around the words of a field. */
const BEFORE = /^[\s"'`*]+/;
const BEHIND = /[\s"'`*]{1,40}$/;

/** A longer line is none of a table that a person reads. */
const LINE_MAX = 4_000;
const NAME_MAX = 40;

/** The secrets of tables, by the names of their columns: CSV and what is like it, Markdown, what a database prints. */
export const columnSecrets = (text: string): readonly SecretRange[] =>
  tablesOf(text).flatMap(({ secrets }) => secrets);

/** The table that goes on to the end of a text. */
export function openTable(text: string): Table | undefined {
  const last = tablesOf(text).at(-1);
  return last?.end === text.length ? last : undefined;
}

/** Lines of columns of which one has secrets. */
export interface Table {
  /** The line of names, and where it starts. */
  readonly head: string;
  readonly start: number;
  readonly secrets: readonly SecretRange[];
  readonly end: number;
}

function tablesOf(text: string): readonly Table[] {
  const { places } = surveyOf(text);
  const tables: Table[] = [];
  for (let index = 0, floor = 0; index < places.length; index += 2) {
    const size = ENDS[places[index]!];
    const at = places[index + 1]!;
    if (size === undefined || at < floor) continue;
    BEHIND_NAME.lastIndex = at + size;
    if (!BEHIND_NAME.test(text)) continue;
    const head = lineAt(text, at);
    const sign = signAt(head, at, text.charAt(BEHIND_NAME.lastIndex - 1));
    const table = sign === undefined ? undefined : tableAt(text, head, sign);
    if (table) tables.push(table);
    floor = table?.end ?? head.end;
  }
  return tables;
}

/** What parts the columns: it stands behind the name, or before the last. */
function signAt({ line, start }: Line, at: number, behind: string): string | undefined {
  if (SIGNS.has(behind)) return behind;
  return [...line.slice(Math.max(0, at - start - NAME_MAX), at - start)].findLast((char) => SIGNS.has(char));
}

/** The table below a line of names. */
function tableAt(text: string, head: Line, sign: string): Table | undefined {
  if (head.line.length > LINE_MAX) return undefined;
  const names = fieldsOf(head, sign).map(({ start, end }) => text.slice(start, end));
  const kinds = names.map((name) => (NAME.test(name) ? kindsOf(name).find(isHeld) : undefined));
  if (!areNames(sign === '|' ? names.filter((name) => name !== '') : names) || !kinds.some(Boolean))
    return undefined;
  const secrets: SecretRange[] = [];
  let { end } = head;
  while (end < text.length) {
    const row = lineAt(text, end);
    if (row.line.length > LINE_MAX) break;
    const fields = isRule(row.line) ? [] : fieldsOf(row, sign);
    // The last line may not be there whole yet.
    const isWhole = row.line.endsWith('\n') || fields.length > names.length;
    if (isWhole && fields.length > 0 && fields.length !== names.length) break;
    secrets.push(...fields.filter((field, at) => isSecret(text.slice(field.start, field.end), kinds[at])));
    end = row.end;
  }
  return { head: head.line, start: head.start, secrets, end };
}

const NAME = /^[A-Za-z][\w .-]*$/;
const isHeld = (kind: string): kind is SecretKind => kind === 'password' || kind === 'token';
/** A list of words in code has a sign behind its last word, too. */
const areNames = (names: readonly string[]): boolean =>
  names.length >= 2 &&
  names.every((name) => name !== '' && name.length <= NAME_MAX) &&
  new Set(names).size === names.length;
const isRule = (line: string): boolean => RULE.test(line) && line.trim() !== '';

const isSecret = (value: string, kind: SecretKind | undefined): boolean =>
  kind !== undefined &&
  !isPlaceholder(value) &&
  !SAMPLES.has(value.toLowerCase()) &&
  isSecretValue(value, kind, 'literal');

interface Line {
  readonly line: string;
  readonly start: number;
  readonly end: number;
}

/** The line that a place lies in. */
function lineAt(text: string, at: number): Line {
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const next = text.indexOf('\n', at);
  const end = next === -1 ? text.length : next + 1;
  return { line: text.slice(start, end), start, end };
}

/** The fields of a line, without what stands around their words. */
function fieldsOf({ line, start }: Line, sign: string): readonly SecretRange[] {
  const fields: SecretRange[] = [];
  let isQuoted = false;
  let from = 0;
  for (let at = 0; at <= line.length; at += 1) {
    const char = line.charAt(at);
    if (char === '"' && sign !== '|') isQuoted = !isQuoted;
    if (at < line.length && (char !== sign || isQuoted)) continue;
    const field = line.slice(from, at);
    const begin = start + from + (field.length - field.replace(BEFORE, '').length);
    fields.push({
      start: begin,
      end: Math.max(begin, start + at - (field.length - field.replace(BEHIND, '').length)),
    });
    from = at + 1;
  }
  return fields;
}
