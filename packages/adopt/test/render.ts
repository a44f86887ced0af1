import { hash as digest } from 'node:crypto';
import { memorySource } from '@cuebook/files';
import { composeTarget } from '@cuebook/profile';
import type { Redactor } from '@cuebook/prompt';
import { sheetProfile } from '@cuebook/sheet';
import type { ImportDraft } from '../src/draft.js';
import { labelInputs } from '../src/label-inputs.js';
import { printFiles } from '../src/print-files.js';
import type { FormatReader, ReadHow } from '../src/reader.js';

/** A message as every library and a sheet give it. */
export interface Message {
  readonly role: string;
  readonly content: string;
}

/**
 * The subject is what a library's template means. What a redactor would remove of it (`~ab\c` in hostile values is a
 * path by its shape) is the redactor's own subject.
 */
const REMOVES_NOTHING: Redactor = {
  find: () => [],
  redactText: (text) => ({ text, replacements: [] }),
  redactValue: (value) => ({ value, kinds: [] }),
  leaks: () => [],
};

/** What a reader makes of a text, every input trusted as far as the operator. */
export const adopt = (reader: FormatReader, path: string, text: string, how: ReadHow = {}): ImportDraft =>
  labelInputs(reader.read({ path, bytes: Buffer.from(text) }, how), {
    all: 'operator',
    byName: new Map(),
    systemToUser: false,
  });

/** The messages of an imported sheet. */
export async function rendered(
  adopted: ImportDraft,
  set: Readonly<Record<string, string>>,
  name = adopted.sheets[0]?.name ?? '',
): Promise<readonly Message[]> {
  const project = memorySource(Object.fromEntries(printFiles(adopted).map(({ path, text }) => [path, text])));
  if (!project.ok) throw new Error(project.error.code);
  const declared = adopted.sheets.find((sheet) => sheet.name === name)?.inputs ?? new Map();
  const histories = (adopted.sheets.find((sheet) => sheet.name === name)?.blocks ?? []).flatMap((block) =>
    'history' in block ? [block.history.name] : [],
  );
  const known = Object.entries(set).filter(([key]) => declared.has(key) || histories.includes(key));
  const result = await composeTarget(
    {
      profiles: [sheetProfile],
      project: project.value,
      hash: (text) => `sha256:${digest('sha256', text)}`,
      redactor: REMOVES_NOTHING,
    },
    `sheet:${name}`,
    { set: Object.fromEntries(known) },
  );
  if (!result.ok)
    throw new Error(result.diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
  return result.value.prompt.blocks
    .map(({ role, text }) => ({ role, content: text }))
    .filter(({ content }) => content !== '');
}
