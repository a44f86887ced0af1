import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { adopt, rendered } from '../test/render.js';
import { mergeAdopted } from './merge.js';
import { printFiles } from './print-files.js';
import { readerOf } from './readers.js';

const langfuse = (name: string, rules: string) =>
  JSON.stringify([
    {
      name,
      version: 1,
      type: 'text',
      prompt: `${name}: @@@langfusePrompt:name=rules|version=1@@@`,
    },
    { name: 'rules', version: 1, type: 'text', prompt: rules },
  ]);

const cases = (word: string) => `prompts: ["${word} {{a}}"]\ntests: [{ vars: { a: "${word}" } }]\n`;

it('of any files with texts of one name, each prompt renders what it renders alone', async () => {
  const reader = readerOf('langfuse');
  if (reader === undefined) throw new Error('no reader');
  const word = fc.constantFrom('Be kind.', 'Be brief.', 'Be kind to {{a}}.', '{{größe}} {{gro_e}}');
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 2, maxLength: 4 }), async (rules) => {
      const drafts = rules.map((rule, at) => adopt(reader, `f${at}.json`, langfuse(`p${at}`, rule)));
      const merged = mergeAdopted(drafts);
      const names = merged.texts.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const [at, draft] of drafts.entries()) {
        const set = { a: 'A', gro_e: 'G' };
        expect(await rendered(merged, set, `p${at}`)).toEqual(await rendered(draft, set, `p${at}`));
      }
    }),
    runs(100, 1000),
  );
});

it('cases stay with their sheet when it gets another name', () => {
  const reader = readerOf('promptfoo');
  if (reader === undefined) throw new Error('no reader');
  const drafts = ['One', 'Two'].map((word) =>
    adopt(reader, `${word}/promptfooconfig.yaml`, cases(word), { name: 'p' }),
  );
  const merged = mergeAdopted(drafts);
  expect(merged.cases.map(({ name, target }) => [name, target])).toEqual(
    merged.sheets.map(({ name }) => [name, `sheet:${name}`]),
  );
});

it('names that differ by case alone get files of their own on every disk', async () => {
  const reader = readerOf('claude');
  if (reader === undefined) throw new Error('no reader');
  const drafts = ['reviewer', 'Reviewer', 'REVIEWER'].map((name) =>
    adopt(reader, `.claude/agents/${name}.md`, `---\nname: ${name}\ndescription: d\n---\nYou are ${name}.\n`),
  );
  const merged = mergeAdopted(drafts);
  const files = printFiles(merged).map(({ path }) => path.toLowerCase());
  expect(files).toHaveLength(6);
  expect(new Set(files).size).toBe(6);
  const told = await Promise.all(merged.sheets.map(({ name }) => rendered(merged, {}, name)));
  expect(told.map(([message]) => message?.content)).toEqual([
    'You are reviewer.\n',
    'You are Reviewer.\n',
    'You are REVIEWER.\n',
  ]);
});
