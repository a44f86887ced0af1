import type { Profile } from '@cuebook/profile';
import { commandLine } from '@cuebook/prompt/hint';
import { z } from 'zod';
import { checkSheet, checkValues } from './check.js';
import { composeSheet } from './compose.js';
import { historiesOf } from './part.js';
import { findSheets, loadSheet, type SheetSource } from './source.js';
import { textsOfSheet } from './texts.js';

const input = z.object({
  set: z
    .record(z.string(), z.string())
    .default({})
    .describe('An input of the sheet: NAME=VALUE, NAME=@FILE, or NAME=@- for standard input'),
});

/** Cue sheets: `sheets/NAME.yaml`, a list of blocks made of texts, includes and inputs. */
export const sheetProfile: Profile<SheetSource, typeof input> = {
  prefix: 'sheet',
  summary: 'a cue sheet: blocks made of texts, includes and inputs (sheets/NAME.yaml)',
  examples: [
    commandLine`render sheet:review --set change=@change.diff`,
    commandLine`explain sheet:review --at 1:1`,
  ],
  input,
  find: findSheets,
  load: loadSheet,
  check: checkSheet,
  files: ({ files }) => files,
  texts: textsOfSheet,
  sample: ({ sheet }) => ({
    set: Object.fromEntries([
      ...Object.entries(sheet.inputs).map(([name, { example }]) => [name, example ?? `(${name})`]),
      ...historiesOf(sheet).flatMap(({ name, required }) => (required ? [[name, '[]']] : [])),
    ]),
  }),
  judge: async () => (await import('./judge.js')).judgeSheet,
  compose: (source, { set }, how) => {
    const diagnostics = checkValues(source, set);
    return diagnostics.length > 0 ? { ok: false, diagnostics } : composeSheet(source, set, how);
  },
};
