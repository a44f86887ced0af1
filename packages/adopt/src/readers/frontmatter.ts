import { guard } from '@cuebook/guard';
import { readYaml } from '@cuebook/yaml';
import { quote, type Reporter } from '../diagnostic.js';
import { type LineColumn, type MappedText, mappedSlice } from '../text/mapped.js';

/** A Markdown file with fields before its body. */
export interface FieldedText {
  readonly fields: ReadonlyMap<string, unknown>;
  readonly fieldAt: (key: string) => LineColumn | undefined;
  /** What follows the closing line, without the one line break that ends it. */
  readonly body: MappedText;
  readonly hasFields: boolean;
}

const NONE: ReadonlyMap<string, unknown> = new Map();

/**
 * Splits a file into the fields between two lines of three dashes, and its body. Fields are YAML; where they are not,
 * mostly for a colon in a plain value, they are read line by line, and that is reported. Undefined: not even that.
 */
export function splitFrontmatter(
  source: MappedText,
  report: Reporter,
  read: 'yaml' | 'lines' = 'yaml',
): FieldedText | undefined {
  const whole = { fields: NONE, fieldAt: () => undefined, body: source, hasFields: false };
  const open = /^---[ \t]*\r?\n/.exec(source.text);
  if (open === null) return whole;
  const start = open[0].length;
  CLOSE.lastIndex = start;
  const close = CLOSE.exec(source.text);
  if (close === null) return whole;
  const text = source.text.slice(start, close.index);
  const body = mappedSlice(source, close.index + close[0].length, source.text.length);
  if (read === 'lines') return { ...fieldsByLine(text, source, start), body, hasFields: true };
  const yaml = readYaml(report.file, text, 'E_IMPORT_SYNTAX');
  if (yaml.ok) {
    const { value } = yaml.value;
    if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
      report.error('E_IMPORT_SYNTAX', source.at(start), 'The fields before the text are not a map');
      return undefined;
    }
    const { line: first } = source.at(start);
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
    `The fields are not valid YAML (${oneLine(problem?.message ?? '')}); they were read line by line. Strict readers leave out the whole file: put the value in quotes`,
  );
  return { ...fieldsByLine(text, source, start), body, hasFields: true };
}

const CLOSE = /^---[ \t]*(?:\r?\n|$)/gm;
const oneLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 120);

/** `key: value` lines; a value stays as it is written but for quotes around it. Lines of other forms belong to the value before. */
function fieldsByLine(
  text: string,
  source: MappedText,
  start: number,
): Pick<FieldedText, 'fields' | 'fieldAt'> {
  const fields = new Map<string, unknown>();
  const places = new Map<string, LineColumn>();
  let last = '';
  let at = start;
  for (const line of text.split('\n')) {
    const match = /^([A-Za-z][\w-]*):[ \t]*(.*?)[ \t]*\r?$/.exec(line);
    if (match !== null) {
      last = match[1] ?? '';
      fields.set(last, plainField(match[2] ?? ''));
      places.set(last, source.at(at));
    } else if (last !== '' && line.trim() !== '') {
      const item = /^\s*-\s+(.*?)\s*$/.exec(line)?.[1];
      const before = fields.get(last);
      if (item !== undefined) fields.set(last, [...(Array.isArray(before) ? before : []), plainField(item)]);
      else if (typeof before === 'string') fields.set(last, `${before}\n${line.trim()}`.trim());
    }
    at += line.length + 1;
  }
  return { fields, fieldAt: (key) => places.get(key) };
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
