import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from '../../../../test/root.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { bothWays, WORKFLOW } from '../../test/both-ways.js';

/** A run of every kind, to where it stands still: what its document is told as. */
const RUNS: Readonly<Record<string, readonly string[]>> = {
  agent: ['agent:desk', '--script', 'talk.json', '--input', 'Hi'],
  'an agent that waits': ['agent:desk', '--script', 'pay.json', '--input', 'Hi'],
  'an agent whose turn fails': ['agent:desk', '--script', 'fail.json', '--input', 'Hi'],
  prompt: ['prompt:clerk', '--script', 'talk.json', '--input', 'Hi'],
  workflow: [WORKFLOW, '--script', 'ask.json'],
  team: ['team:asking.yaml', '--script', 'order.json'],
  'a sheet': ['sheet:greet', '--set', 'mail=Hi', '--script', 'talk.json'],
  'a sheet with the example of its author': ['sheet:greet', '--script', 'talk.json'],
  'a manifest of the project': ['manifest:default/clerk', '--script', 'talk.json'],
  'a manifest that is handed in': ['-f', 'manifests/clerk.yaml', '--script', 'talk.json'],
  'a role': ['role:planner', '--script', 'talk.json'],
  resident: ['resident:ada', '--script', 'life.json'],
  'a kind of the project': ['ledger:shop', '--script', 'talk.json', '--input', 'Hi'],
};

/** The fields that the page names for every kind, each row one or more. */
const fields = (): readonly string[] => {
  const page = readFileSync(join(ROOT, 'docs/user/runs.md'), 'utf8');
  const [, part = ''] = page.split('## What `run --json` prints');
  const [table = ''] = part.split('A kind adds fields');
  return [...table.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );
};
const SOMETIMES = ['error', 'next'];

it.each(Object.keys(RUNS))('run --json has the fields that its page names: %s', async (name) => {
  const always = fields().filter((field) => !SOMETIMES.includes(field));
  expect(always.length).toBeGreaterThan(8);
  const call = ['run', ...(RUNS[name] ?? []), '--json'];
  const [alone = [], hosted = []] = await bothWays([call]);
  expect(hosted).toEqual(alone);
  const [, code, out] = alone[0] ?? [];
  const has = new Map(
    [...String(out).matchAll(/^ {2}"(\w+)": (.*)/gm)].map(([, field = '', value = '']) => [field, value]),
  );
  expect([...has.keys()]).toEqual(expect.arrayContaining([...always]));
  const isDone = has.get('status') === '"done",';
  expect(code).toBe(isDone || has.get('status') === '"idle",' ? 0 : 1);
  expect(has.has('error')).toBe(has.get('status') === '"failed",');
  expect(isDone && has.has('next')).toBe(false);
});
