import type { JsonValue } from '@cuebook/prompt';
import { nativeKind } from '../capability/native.js';

/** What a call would do to one file. */
export type PlannedEdit = {
  readonly file: string;
  /** Where in the input its words stand, as JSON pointers: whoever sees what becomes of the file sees them. */
  readonly from: readonly string[];
  /** The words with which the call tells what stands in the file now; null is a file that is not there. */
  readonly claims?: { readonly from: string; readonly text: string | null };
} & (
  | { readonly kind: 'write'; readonly content: string }
  | { readonly kind: 'replace'; readonly pairs: readonly Pair[] }
  | { readonly kind: 'delete' }
  /** The agent tells the difference by itself. */
  | { readonly kind: 'patch'; readonly patch: string }
);

interface Pair {
  readonly from: readonly string[];
  readonly old: string;
  readonly now: string;
  /** Everywhere, not only at the first place. */
  readonly all: boolean;
}

/**
 * The edits that a call asks for, in the forms that CLI agents, the Agent Client Protocol and our own tools have for
 * them. None: it is no edit, or not one that can be told before it is done.
 */
export function plannedEdits(tool: string, input: JsonValue): readonly PlannedEdit[] {
  const fields = fieldsOf(input);
  if (nativeKind(tool) !== 'write' || fields === undefined) return [];
  const file = textOf(fields.file_path) ?? textOf(fields.path);
  if (Array.isArray(fields.changes)) return every(fields.changes, '/changes', toldChange);
  if (Array.isArray(fields.content)) return every(fields.content, '/content', toldDiff, isDiff);
  if (file === undefined) return [];
  const named = { file, from: [textOf(fields.file_path) === undefined ? '/path' : '/file_path'] };
  if (DELETES.has(tool.toLowerCase().replace(/[^a-z]/g, ''))) return [{ kind: 'delete', ...named }];
  const content = textOf(fields.content);
  if (content !== undefined) return [{ kind: 'write', file, from: [...named.from, '/content'], content }];
  const pairs = Array.isArray(fields.edits)
    ? every(fields.edits, '/edits', toldPair)
    : every([input], '', (value) => toldPair(value, ''));
  const from = [...named.from, ...pairs.flatMap((pair) => pair.from)];
  return pairs.length === 0 ? [] : [{ kind: 'replace', file, from, pairs }];
}

/** The text of the file afterwards, null where it is gone; undefined when the edit does not fit what is there. */
export function afterEdit(before: string | null, edit: PlannedEdit): string | null | undefined {
  if (edit.kind === 'delete') return null;
  if (edit.kind === 'write') return edit.content;
  if (edit.kind === 'patch') return undefined;
  return edit.pairs.reduce<string | undefined>(
    (text, pair) => (text === undefined ? undefined : replaced(text, pair)),
    before ?? '',
  );
}

function replaced(text: string, { old, now, all }: Pair): string | undefined {
  // Nothing in the place of nothing: how a file is begun.
  if (old === '') return text === '' ? now : undefined;
  const at = text.indexOf(old);
  if (at === -1) return undefined;
  return all ? text.split(old).join(now) : text.slice(0, at) + now + text.slice(at + old.length);
}

const DELETES = new Set(['delete', 'deletefile']);

/** Codex: an added file is told by its text, a changed one by its difference. */
function toldChange(value: JsonValue, at: string): PlannedEdit | undefined {
  const { path, kind, diff } = fieldsOf(value) ?? {};
  const [file, text] = [textOf(path), textOf(diff)];
  if (file === undefined) return undefined;
  const named = [`${at}/path`, `${at}/kind`];
  if (kind === 'delete')
    return { kind, file, from: named, ...(text !== undefined && { claims: { from: `${at}/diff`, text } }) };
  if (text === undefined) return undefined;
  const from = [...(kind === 'add' || kind === 'update' ? named : named.slice(0, 1)), `${at}/diff`];
  return kind === 'add'
    ? { kind: 'write', file, from, content: text }
    : { kind: 'patch', file, from, patch: text };
}

const isDiff = (value: JsonValue): boolean => fieldsOf(value)?.type === 'diff';

/** The Agent Client Protocol: a file with its new text. */
function toldDiff(value: JsonValue, at: string): PlannedEdit | undefined {
  const { path, oldText, newText } = fieldsOf(value) ?? {};
  const [file, content] = [textOf(path), textOf(newText)];
  if (file === undefined || content === undefined) return undefined;
  const from = [`${at}/type`, `${at}/path`, `${at}/newText`];
  const isClaim = oldText === null || typeof oldText === 'string';
  const claims = isClaim ? { claims: { from: `${at}/oldText`, text: oldText } } : {};
  return { kind: 'write', file, from, ...claims, content };
}

function toldPair(value: JsonValue, at: string): Pair | undefined {
  const { old_string: from, new_string: to, replace_all: all } = fieldsOf(value) ?? {};
  const [old, now] = [textOf(from), textOf(to)];
  if (old === undefined || now === undefined) return undefined;
  const places = [
    `${at}/old_string`,
    `${at}/new_string`,
    ...(typeof all === 'boolean' ? [`${at}/replace_all`] : []),
  ];
  return { from: places, old, now, all: all === true };
}

/** All of them, or none when one cannot be told: a part would pass for the whole. */
function every<Told>(
  values: readonly JsonValue[],
  place: string,
  tell: (value: JsonValue, at: string) => Told | undefined,
  isMeant: (value: JsonValue) => boolean = () => true,
): readonly Told[] {
  const told = values.flatMap((value, index) => (isMeant(value) ? [tell(value, `${place}/${index}`)] : []));
  return told.every((each) => each !== undefined) ? told : [];
}

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const fieldsOf = (value: JsonValue): Readonly<Record<string, JsonValue | undefined>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, JsonValue | undefined>>)
    : undefined;
