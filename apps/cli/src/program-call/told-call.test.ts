import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { SEED } from '../../../../test/runs.js';
import { anyToken } from '../../../../test/tokens.js';
import { folderWith } from '../../test/cuebook.js';
import { TEMPLATE } from '../init/template.js';
import { run } from '../run.js';
import { prompt } from './prompt.js';
import { start } from './start.js';

const [TOKEN = ''] = fc.sample(anyToken, { numRuns: 1, seed: SEED });
const WORD = 'heronry';
const ENV = { PATH: process.env.PATH, HOME: '/nonexistent' };

const projectWith = (path: string, from: string, to: string) => {
  const text = TEMPLATE[path] ?? '';
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
  return { project: folderWith({ ...TEMPLATE, [path]: text.replace(from, () => to) }), env: ENV };
};

/** What a program hears: all of an answer, or all of an error. */
const heard = (call: Promise<unknown>): Promise<string> =>
  call.then(
    (answer) => JSON.stringify(answer),
    (error: Error & { diagnostics?: unknown }) =>
      JSON.stringify([error.message, error.stack, error.diagnostics]),
  );
const script = (text: string): string => JSON.stringify({ lanes: { '*': [{ text }] } });

type Way = (word: string) => Promise<unknown>;
const WAYS: Readonly<Record<string, Way>> = {
  'a problem of a sheet': (word) =>
    prompt(
      'sheet:review',
      { change: 'x' },
      projectWith('sheets/review.yaml', '  focus:\n    trust', `  ${word}:\n    trust`),
    ),
  'an error that a definition throws': (word) =>
    prompt(
      'prompt:reviewer',
      { change: 'x' },
      projectWith('agents/prompts/reviewer.ts', 'export', `throw new Error('${word}');\nexport`),
    ),
  'a target that is not there': (word) =>
    prompt(`sheet:${word}`, {}, projectWith('sheets/review.yaml', 'title', 'title')),
  'the name of a target': async (word) => {
    const project = folderWith({
      ...TEMPLATE,
      [`sheets/${word}.yaml`]: TEMPLATE['sheets/triage.yaml'] ?? '',
    });
    return prompt(`sheet:${word}`, { report: 'x' }, { project, env: ENV });
  },
  'a run that cannot begin': (word) =>
    start('sheet:review', projectWith('sheets/review.yaml', '  focus:\n    trust', `  ${word}:\n    trust`)),
  'the answer of a run': (word) =>
    start('sheet:triage', {
      ...projectWith('sheets/review.yaml', 'title', 'title'),
      script: script(`It is ${word}.`),
      options: { set: { report: 'x' } },
    }),
  'words as they come': async (word) => {
    const came: string[] = [];
    const onText = (text: string) => came.push(text);
    const options = projectWith('sheets/review.yaml', 'title', 'title');
    await start('sheet:triage', {
      ...options,
      script: script(`It is ${word}.`),
      onText,
      options: { set: { report: 'x' } },
    });
    return came.join('');
  },
  'an answer': async (word) => {
    const options = projectWith('sheets/review.yaml', 'title', 'title');
    const made = await prompt('sheet:triage', { report: 'x' }, options);
    return made.ask({ script: script(`It is ${word}.`) });
  },
  'an answer with a schema': async (word) => {
    const options = projectWith('sheets/review.yaml', 'title', 'title');
    const made = await prompt('sheet:triage', { report: 'x' }, options);
    const schema = z.object({ key: z.string() });
    return made.ask({ schema, script: script(JSON.stringify({ key: word })) });
  },
};

it.each(Object.entries(WAYS))('%s is told to a program, without a credential', async (_name, way) => {
  expect(await heard(way(WORD))).toContain(WORD);
  const told = await heard(way(TOKEN));
  expect([told.includes(TOKEN), told.includes(TOKEN.slice(-12))]).toEqual([false, false]);
});

it('a program that hands in no stream for exact words gets them like all others', async () => {
  const printed: string[] = [];
  const out = async (text: string): Promise<void> => void printed.push(text);
  const streams = {
    ...{ cwd: folderWith(TEMPLATE), env: ENV, out, err: (text: string) => void printed.push(text) },
    ...{ stdin: nothing(), stop: new AbortController().signal, typing: { program: 'cuebook' } },
    terminal: { in: false, out: false, err: false },
  };
  // The first is told exactly, as all pages of help are; the second goes the screened way.
  expect(await run(['--help'], streams)).toBe(0);
  expect(printed.join('')).toContain('cuebook');
  expect(await run(['types'], streams)).toBe(0);
  expect(printed.join('')).toContain('cuebook-types.d.ts');
});

async function* nothing(): AsyncIterable<Uint8Array> {}
