import type { Diagnostic, JsonValue } from '@cuebook/prompt';

/** A value of a file, with the line that it begins in. */
export interface DataRow {
  readonly line: number;
  readonly value: unknown;
}

/** What a reader says of a file: by file, line and code. */
export type Note = (line: number, code: InjectionNoteCode, message: string) => void;
export type InjectionNoteCode = 'E_INJECTION_FILE' | 'W_INJECTION_DROPPED' | 'W_INJECTION_CHANGED';

/** Gathers what is said of a file. Far more of the same is counted and not listed. */
export function createNotes(file: string): {
  readonly note: Note;
  readonly notes: () => readonly Diagnostic[];
} {
  const notes: Diagnostic[] = [];
  let more = 0;
  return {
    note(line, code, message) {
      if (notes.length >= MOST_NOTES) more += 1;
      else
        notes.push({
          ...{ code, severity: code.startsWith('E_') ? 'error' : 'warning', message },
          ...{ file, line },
        });
    },
    notes: () =>
      more === 0
        ? notes
        : [
            ...notes,
            {
              ...{ code: 'W_INJECTION_DROPPED', severity: 'warning' },
              ...{ message: `${more} more rows are not listed`, file, line: 1 },
            },
          ],
  };
}

const MOST_NOTES = 200;

/**
 * The rows of a file: the items of a JSON list, the lines of JSON Lines, or one object. A line that is no JSON is told and left
 * out. Undefined: the file is neither.
 */
export function readRows(text: string, note: Note): readonly DataRow[] | undefined {
  const trimmed = text.replace(/^\uFEFF/u, '');
  const whole = parse(trimmed);
  if (whole !== undefined) {
    const { value } = whole;
    if (!Array.isArray(value)) return [{ line: 1, value }];
    const lines = itemLines(trimmed);
    return value.map((item, at) => ({ line: lines[at] ?? 1, value: item }));
  }
  const rows: DataRow[] = [];
  let isAny = false;
  for (const [at, line] of trimmed.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = parse(line);
    if (read === undefined) note(at + 1, 'W_INJECTION_DROPPED', 'This line is no JSON');
    else {
      isAny = true;
      rows.push({ line: at + 1, value: read.value });
    }
  }
  return isAny ? rows : undefined;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The lines in which the items of a JSON list begin. The text is known to be one. */
function itemLines(text: string): readonly number[] {
  const lines: number[] = [];
  let [line, depth, isText, isNext] = [1, 0, false, false];
  for (let at = 0; at < text.length; at += 1) {
    const each = text[at] as string;
    if (each === '\n') line += 1;
    if (isText) {
      if (each === '\\') at += 1;
      else if (each === '"') isText = false;
      continue;
    }
    if (isNext && depth === 1 && !/[\s,\]]/u.test(each)) {
      lines.push(line);
      isNext = false;
    }
    if (each === '"') isText = true;
    else if (each === '[' || each === '{') {
      depth += 1;
      if (depth === 1) isNext = true;
    } else if (each === ']' || each === '}') depth -= 1;
    else if (each === ',' && depth === 1) isNext = true;
  }
  return lines;
}

export type DataFields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is DataFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field of an object, and nothing that objects have by themselves. */
export const field = (of: DataFields, name: string): unknown =>
  Object.hasOwn(of, name) ? of[name] : undefined;

/** A text that has something in it. */
export function textField(of: DataFields, name: string): string | undefined {
  const value = field(of, name);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A name that a tool of ours can have. */
export const isToolName = (name: string): boolean => /^[A-Za-z][A-Za-z0-9_]{0,63}$/u.test(name);

/** Arguments as far as they are plain: texts, numbers, yes and no, and lists of these. */
export function plainArgs(args: DataFields): Readonly<Record<string, JsonValue>> {
  const isPlain = (value: unknown): boolean =>
    value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return Object.fromEntries(
    Object.entries(args).filter(
      ([name, value]) =>
        isToolName(name) && (isPlain(value) || (Array.isArray(value) && value.every(isPlain))),
    ),
  ) as Readonly<Record<string, JsonValue>>;
}

/** Words of data are no place for an attack of ours. */
export const withoutSlot = (text: string): string => text.replaceAll('{attack}', '{ attack }');
