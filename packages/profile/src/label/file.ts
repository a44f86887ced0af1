import type { TextSource } from '@cuebook/files';
import type { Diagnostic } from '@cuebook/prompt';
import { printYaml, readShape, readYaml } from '@cuebook/yaml';
import { z } from 'zod';
import { parseTarget } from '../target.js';

/** Where the labels of a project are kept: a file of the repository, so that changing one is reviewed. */
export const LABEL_FILE = 'labels.yaml';

/** The name of a label. */
export const LABEL_NAME = /^[a-z0-9][a-z0-9_.-]{0,35}$/;

const entry = z.strictObject({
  commit: z.string().regex(/^[0-9a-f]{40,64}$/, 'a commit is named by its full id'),
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'a hash is sha256: and 64 digits'),
});

const labels = z.record(
  z.string().regex(LABEL_NAME, 'a label holds lower-case letters, digits, dot, dash, underscore'),
  z.record(
    z
      .string()
      .refine((text) => parseTarget(text)?.revision === undefined && parseTarget(text) !== undefined, {
        message: 'a label is of a target, such as sheet:review',
      }),
    entry,
  ),
);

/** By label and by target: a commit, and the hash of the target's files in it. */
export type StageLabels = z.infer<typeof labels>;
export type StageEntry = z.infer<typeof entry>;

/** A value, or all that is wrong with what it is made of. */
export type Diagnosed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** The labels of a project; none where there is no file. */
export async function readLabels(files: Pick<TextSource, 'readText'>): Promise<Diagnosed<StageLabels>> {
  const text = await files.readText(LABEL_FILE);
  if (!text.ok) {
    if (text.error.code === 'E_FILE_NOT_FOUND') return { ok: true, value: {} };
    const message = `${LABEL_FILE} cannot be read`;
    return {
      ok: false,
      diagnostics: [{ code: text.error.code, severity: 'error', message, file: LABEL_FILE }],
    };
  }
  const yaml = readYaml(LABEL_FILE, text.value, 'E_LABEL');
  if (!yaml.ok) return yaml;
  return yaml.value.value === null ? { ok: true, value: {} } : readShape(yaml.value, labels, 'E_LABEL');
}

/** The labels as a file: sorted, so that two people who set labels seldom meet. */
export function printLabels(all: StageLabels): string {
  const sorted = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
  const kept = Object.entries(all).filter(([, targets]) => Object.keys(targets).length > 0);
  const value = sorted(Object.fromEntries(kept.map(([name, targets]) => [name, sorted(targets)])));
  return kept.length === 0 ? '{}\n' : printYaml(value);
}
