import { guard } from '@cuebook/guard';
import { readYaml } from '@cuebook/yaml';
import { quote, type Reporter } from '../diagnostic.js';
import { yamlOddity } from '../text/characters.js';
import { type LineColumn, type MappedText, mappedSlice } from '../text/mapped.js';
import { sayYamlNumbers } from '../text/numbers.js';

/** A Markdown file with fields before its body. */
export interface FieldedText {
  readonly fields: ReadonlyMap<string, unknown>;
  readonly fieldAt: (key: string) => LineColumn | undefined;
  /** What follows the closing line, without the one line break that ends it. */
  readonly body: MappedText;
  readonly hasFields: boolean;
}

const NONE: ReadonlyMap<string, unknown> = new Map();

/** How a tool reads the fields of a file: as YAML, line by line, or not at all. */
export type FieldForm = 'yaml' | 'lines' | 'none';

/**
 * Splits a file into the fields between two lines of three dashes, and its body. Fields are YAML; where they are not,
 * mostly for a colon in a plain value, they are read line by line, and that is reported. Undefined: not even that.
 */
export function splitFrontmatter(
  source: MappedText,
  report: Reporter,
  read: FieldForm = 'yaml',
): FieldedText | undefined {
  const open = /^---[ \t]*\r?\n/.exec(source.text);
  const start = open?.[0].length ?? 0;
  CLOSE.lastIndex = start;
  const close = open === null ? null : CLOSE.exec(source.text);
  if (guard('adopt.no-fields', read === 'none')) {
    if (close !== null)
      report.info(
        'W_IMPORT_DIALECT',
        source.at(0),
        'This kind of file has no fields: the lines between the dashes were taken as text, as they are sent',
      );
    return { fields: NONE, fieldAt: () => undefined, body: source, hasFields: false };
  }
  if (close === null) {
    sayFieldsInText(source, report);
    return { fields: NONE, fieldAt: () => undefined, body: source, hasFields: false };
  }
  const text = source.text.slice(start, close.index);
  const body = mappedSlice(source, close.index + close[0].length, source.text.length);
  const byLine = (isYaml: boolean): FieldedText | undefined => {
    const read = fieldsByLine(text, source, start, { report, isYaml });
    return read === undefined ? undefined : { ...read, body, hasFields: true };
  };
  if (read === 'lines') return byLine(false);
  const odd = yamlOddity(text);
  if (odd !== undefined) {
    report.error('E_IMPORT_SYNTAX', source.at(start + odd.start), odd.message);
    return undefined;
  }
  const yaml = readYaml(report.file, text, 'E_IMPORT_SYNTAX');
  if (yaml.ok) {
    const { value } = yaml.value;
    if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
      report.error('E_IMPORT_SYNTAX', source.at(start), 'The fields before the text are not a map');
      return undefined;
    }
    const { line: first } = source.at(start);
    sayYamlNumbers(yaml.value, report, first);
    const fieldAt = (key: string): LineColumn => {
      const { line = 1, column = 1 } = yaml.value.place([key]);
      return { line: line + first - 1, column };
    };
    return { fields: new Map(Object.entries(value ?? {})), fieldAt, body, hasFields: true };
  }
  const problem = yaml.diagnostics[0];
  const at = { line: (problem?.line ?? 1) + source.at(start).line - 1, column: problem?.column ?? 1 };
  if (/unique|aliases|deep/i.test(problem?.message ?? '') || !/^[A-Za-z][\w-]*:/m.test(text)) {
    report.error('E_IMPORT_SYNTAX', at, problem?.message ?? 'The fields before the text are not YAML');
    return undefined;
  }
  report.info(
    'W_IMPORT_SYNTAX',
    at,
    `The fields are not valid YAML (${oneLine(problem?.message ?? '')}); they were read one by one. Strict readers leave out the whole file: put the value in quotes`,
  );
  return byLine(true);
}

/** A text that begins as fields do, and that no tool reads as fields in the same way. */
function sayFieldsInText(source: MappedText, report: Reporter): void {
  if (guard('adopt.fields', FIELDS_IN_TEXT.test(source.text)))
    report.warning(
      'W_IMPORT_SYNTAX',
      source.at(0),
      'The file begins as if it had fields, but they do not stand between two lines of three dashes at its top: they were read as text',
    );
}

const FIELDS_IN_TEXT =
  /^\s*(?:---|\+\+\+)[a-z]*[ \t]*[\r\n]\s*(?:#[^\r\n]*[\r\n]\s*)*(?:[\w"'-]+[ \t]*[:=]|\{)/;

const CLOSE = /^---[ \t]*(?:\r?\n|$)/gm;
const oneLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 120);

interface LineHow {
  readonly report: Reporter;
  /** The fields were meant to be YAML: those that are, each by itself, are read as YAML. */
  readonly isYaml: boolean;
}

/**
 * `key: value` lines; a value stays as it is written but for quotes around it. Lines of other forms belong to the value
 * before. Undefined: a line belongs to no key, or a key is there twice.
 */
function fieldsByLine(
  text: string,
  source: MappedText,
  start: number,
  { report, isYaml }: LineHow,
): Pick<FieldedText, 'fields' | 'fieldAt'> | undefined {
  const fields = new Map<string, unknown>();
  const places = new Map<string, LineColumn>();
  for (const { key, lines, at } of entriesOf(text)) {
    const place = source.at(start + at);
    const problem =
      key === undefined
        ? 'This line of the fields is not a key with a value'
        : fields.has(key)
          ? `The field ${quote(key)} is there twice`
          : undefined;
    if (key === undefined || problem !== undefined) {
      report.error('E_IMPORT_SYNTAX', place, problem ?? '');
      return undefined;
    }
    const yaml = isYaml ? readYaml(report.file, lines.join('\n'), 'E_IMPORT_SYNTAX') : undefined;
    const value = yaml?.ok === true ? (yaml.value.value as Readonly<Record<string, unknown>>) : undefined;
    if (yaml?.ok === true) sayYamlNumbers(yaml.value, report, place.line);
    fields.set(key, value !== undefined && Object.hasOwn(value, key) ? value[key] : fieldOf(lines));
    places.set(key, place);
  }
  return { fields, fieldAt: (key) => places.get(key) };
}

interface FieldLines {
  /** Undefined for lines before the first key. */
  readonly key: string | undefined;
  readonly lines: string[];
  readonly at: number;
}

/** The lines of each key, without blank lines and comments of their own lines. */
function entriesOf(text: string): readonly FieldLines[] {
  const entries: FieldLines[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const key = KEY.exec(line)?.[1];
    const isSaying = line.trim() !== '' && !line.startsWith('#');
    if (isSaying && (key !== undefined || entries.length === 0)) entries.push({ key, lines: [line], at });
    else if (isSaying) entries.at(-1)?.lines.push(line);
    at += line.length + 1;
  }
  return entries;
}

const KEY = /^([A-Za-z][\w-]*):/;

/** A value over several lines: a list when the key itself has none, else text. */
function fieldOf([first = '', ...more]: readonly string[]): unknown {
  const own = plainField(first.replace(KEY, '').trim());
  if (more.length === 0) return own;
  const items = more.map((line) => /^\s*-\s+(.*?)\s*$/.exec(line)?.[1]);
  if (own === '' && items.every((item) => item !== undefined)) return items.map(plainField);
  return [String(own), ...more.map((line) => line.trim())].join('\n').trim();
}

function plainField(written: string): unknown {
  const quoted = /^"(.*)"$|^'(.*)'$/.exec(written);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? '';
  if (written === 'true') return true;
  if (written === 'false') return false;
  return written;
}

/** A field as text; a field of another kind is not one. */
export const textField = ({ fields }: FieldedText, key: string): string | undefined => {
  const value = fields.get(key);
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
};

/** A field as a list: a list of texts, or texts with commas between them. */
export function listField({ fields }: FieldedText, key: string): readonly string[] {
  const value = fields.get(key);
  if (!isField(value, 'list')) return [];
  if (Array.isArray(value)) return value.map((item) => String(item));
  if (typeof value !== 'string') return [];
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The names of `arguments:`: words with blanks between them, or a list. A number in it is no name. */
export function argumentNames({ fields }: FieldedText): readonly string[] {
  const value = fields.get('arguments');
  const items = typeof value === 'string' ? value.split(/\s+/) : Array.isArray(value) ? value : [];
  return items.filter((item): item is string => typeof item === 'string' && item !== '');
}

/** How a field is read: with `textField` or with `listField`. */
export type FieldKind = 'text' | 'list';

const isField = (value: unknown, kind: FieldKind): boolean => {
  const isText = typeof value === 'string' || typeof value === 'number';
  if (kind === 'text') return isText;
  return typeof value === 'string' || (Array.isArray(value) && value.every((item) => isField(item, 'text')));
};

/**
 * The fields that nothing else holds, for `meta.frontmatter`; each is named once. `known`: those that something holds, when
 * they can be read as what they are there.
 */
export function otherFields(
  matter: FieldedText,
  known: Readonly<Record<string, FieldKind>>,
  report: Reporter,
): Readonly<Record<string, unknown>> {
  const isHeld = (key: string, value: unknown): boolean => {
    const kind = Object.hasOwn(known, key) ? known[key] : undefined;
    return kind !== undefined && (value === null || isField(value, kind));
  };
  const rest = [...matter.fields].filter(
    ([key, value]) => !Object.hasOwn(known, key) || guard('adopt.field', !isHeld(key, value)),
  );
  const [first] = rest;
  if (first !== undefined)
    report.info(
      'W_IMPORT_KEY',
      matter.fieldAt(first[0]),
      `Kept under meta and never sent: ${rest.map(([key]) => quote(key)).join(', ')}`,
    );
  return Object.fromEntries(rest);
}
