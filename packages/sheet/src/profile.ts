import { guarded } from '@cuebook/guard';
import type { Profile, TakenInput } from '@cuebook/profile';
import type { Diagnostic } from '@cuebook/prompt';
import { commandLine } from '@cuebook/prompt/hint';
import { z } from 'zod';
import { checkSheet, checkValues } from './check.js';
import { composeSheet } from './compose.js';
import { historiesOf } from './part.js';
import type { SheetInput } from './schema.js';
import { findSheets, loadSheet, type SheetSource } from './source.js';
import { textsOfSheet } from './texts.js';

const input = z.object({
  set: z
    .record(z.string(), z.string())
    .default({})
    .describe('An input of the sheet: NAME=VALUE, NAME=@FILE, or NAME=@- for standard input'),
});

/** What stands for an input that nobody hands in. */
function sampleOf(name: string, { example, shape, type }: SheetInput): string {
  if (example !== undefined) return example;
  const text = shape !== undefined && 'enum' in shape ? (shape.enum[0] ?? '') : `(${name})`;
  if (type === 'json') return '{}';
  return type === 'list' ? JSON.stringify([text]) : text;
}

function takenBy({ sheet }: SheetSource): readonly TakenInput[] {
  const inputs = Object.entries(sheet.inputs).map(([name, input]): TakenInput => {
    const { required, type, shape, otherwise, description } = input;
    const isChoice = shape !== undefined && 'enum' in shape && otherwise !== 'fence';
    return {
      ...{ name, required, type },
      ...(isChoice ? { values: shape.enum } : {}),
      ...(description === undefined ? {} : { description }),
    };
  });
  const histories = historiesOf(sheet).map(
    ({ name, required }) => ({ name, required, type: 'messages' }) as const,
  );
  return [...inputs, ...histories];
}

/** The sheet as it takes words of strangers: what it says of their trust is about other callers. */
const strange = (source: SheetSource): SheetSource => ({
  ...source,
  sheet: {
    ...source.sheet,
    inputs: Object.fromEntries(
      Object.entries(source.sheet.inputs).map(([name, input]) => [
        name,
        { ...input, trust: guarded('sheet.stranger', () => 'external' as const, input.trust) },
      ]),
    ),
  },
});

/** A stranger does not say what the model, its tools or its users have said before. */
const said = ({ sheet }: SheetSource, set: Readonly<Record<string, string>>): readonly Diagnostic[] =>
  historiesOf(sheet)
    .filter(({ name }) => Object.hasOwn(set, name))
    .map(({ name }) => ({
      code: 'E_INPUT',
      severity: 'error',
      message: `The input "${name}" is a history, which nobody outside the project hands in`,
    }));

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
  foretells: ['E_SECRET_IN_PROMPT', 'E_TRUST_IN_SYSTEM'],
  files: ({ files }) => files,
  texts: textsOfSheet,
  takes: takenBy,
  sample: ({ sheet }) => ({
    set: Object.fromEntries([
      ...Object.entries(sheet.inputs).map(([name, each]) => [name, sampleOf(name, each)]),
      // Nothing was said before.
      ...historiesOf(sheet).map(({ name }) => [name, '[]']),
    ]),
  }),
  judge: async () => (await import('./judge.js')).judgeSheet,
  compose: (given, { set }, how) => {
    const source = how?.isStranger === true ? strange(given) : given;
    const diagnostics = [...checkValues(source, set), ...(how?.isStranger === true ? said(source, set) : [])];
    return diagnostics.length > 0 ? { ok: false, diagnostics } : composeSheet(source, set, how);
  },
};
