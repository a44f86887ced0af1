import type { ExportPrompt } from '../writer.js';
import { keptFields } from '../writer.js';

/** When tools read a rule: always, with files that patterns name, or when an agent or a person asks for it. */
export type RuleScope =
  | { readonly when: 'always' }
  | { readonly when: 'files'; readonly patterns: string }
  | { readonly when: 'asked' };

/** The fields that say it: `paths` of Claude Code, `applyTo` of Copilot, `globs` and `alwaysApply` of Cursor. */
export const SCOPE_FIELDS: readonly string[] = ['paths', 'applyTo', 'globs', 'alwaysApply'];

/** What the fields of an imported rule say of when it is read; undefined where they say nothing. */
export function scopeOf(prompt: ExportPrompt): RuleScope | undefined {
  const { paths, applyTo, globs, alwaysApply } = keptFields(prompt);
  if (alwaysApply === true) return { when: 'always' };
  const patterns = [globs, applyTo, paths].map(patternText).find((text) => text !== '') ?? '';
  if (patterns !== '')
    return /^\*\*(?:\/\*)?$/.test(patterns) ? { when: 'always' } : { when: 'files', patterns };
  if (alwaysApply === false || isFrom(prompt, /\.(?:instructions\.md|mdc)$/)) return { when: 'asked' };
  return isFrom(prompt, /(?:^|\/)\.claude\/rules\//) ? { when: 'always' } : undefined;
}

/** Patterns as one text with commas, whether they are written so or as a list. */
const patternText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((each) => String(each).trim()).join(',')
    : typeof value === 'string'
      ? value.trim()
      : '';

/** Whether it is a person who asks, and no agent: instructions of Copilot without `applyTo`. */
export const isByHand = (prompt: ExportPrompt): boolean =>
  scopeOf(prompt)?.when === 'asked' && isFrom(prompt, /\.instructions\.md$/);

/** Whether a prompt was imported from a file of such a path: without their fields, rules of tools are read in other ways. */
const isFrom = ({ meta: { source } }: ExportPrompt, path: RegExp): boolean =>
  typeof source === 'object' && source !== null && 'file' in source && path.test(String(source.file));

/** The title that a person gave; a file without a description is titled by its path, or by the name of its command. */
export function ownTitle({ name, title, meta: { source } }: ExportPrompt): string | undefined {
  const isPath = typeof source === 'object' && source !== null && 'file' in source && source.file === title;
  const isCommand = title === `/${name.replace(/^commands\//, '').replaceAll('/', ':')}`;
  return isPath || isCommand ? undefined : title;
}
