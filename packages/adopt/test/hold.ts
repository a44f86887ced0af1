import { showInvisible } from '@cuebook/prompt';
import { expect } from 'vitest';
import { labelInputs } from '../src/label-inputs.js';
import { readerOf } from '../src/readers.js';
import { adoptHostile } from './hostile.js';
import { type Message, rendered } from './render.js';
import { handedIn } from './sections.js';

export type Values = Readonly<Record<string, string>>;
/** What the official library of a format, or its documented rule, sends for values. */
export type Library = (values: Values) => readonly Message[] | Promise<readonly Message[]>;

export const shown = (messages: readonly Message[]): readonly Message[] =>
  messages
    .map(({ role, content }) => ({ role, content: showInvisible(content) }))
    .filter(({ content }) => content !== '');

/** A file is refused with a place, or its sheet renders what the library makes of the same bytes. */
export async function hold(
  id: string,
  path: string,
  bytes: Buffer,
  given: readonly string[],
  library: Library,
  hasFlatNames = false,
): Promise<boolean> {
  const reader = readerOf(id);
  if (reader === undefined) throw new Error(id);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const draft = labelInputs(reader.read({ path, bytes }, {}), {
    ...{ all: 'operator', systemToUser: false },
    byName: new Map(),
  });
  if (Buffer.compare(Buffer.from(text), bytes) === 0) await adoptHostile({ reader, path, text });
  else expect(draft.sheets).toEqual([]);
  if (draft.sheets.length === 0) {
    expect(draft.diagnostics.some((each) => each.severity !== 'info' && each.line !== undefined)).toBe(true);
    return false;
  }
  const names = [...(draft.sheets[0]?.inputs ?? [])].map(([name, { sourceName }]) => sourceName ?? name);
  const values = Object.fromEntries(names.map((name, index) => [name, given[index % given.length] ?? '']));
  // An f-string looks a dotted name up as it is written, mustache along its dots.
  const flat = new Map(
    [...(draft.sheets[0]?.inputs ?? [])].map(([name, input]) => [
      name,
      values[input.sourceName ?? name] ?? '',
    ]),
  );
  const set = hasFlatNames ? Object.fromEntries(flat) : handedIn(draft, values);
  expect(shown(await rendered(draft, set))).toEqual(shown(await library(values)));
  return true;
}
