import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { desk } from '../../../../../packages/thread/test/project.js';
import { itInTurn as it } from '../../../../../test/runs.js';
import { gitIn } from '../../../../server/test/updating.js';
import { cuebook, folderWith } from '../../../test/cuebook.js';

const SCRIPT = JSON.stringify({ lanes: { '*': [{ text: 'One.' }, { text: 'Two.' }] } });
const files = {
  ...Object.fromEntries(Object.entries(desk()).map(([path, text]) => [`agents/${path}`, text])),
  'script.json': SCRIPT,
};

it('cuebook runs update: the next message is told from the edited files, and each turn is explained by its own', async () => {
  const cwd = folderWith(files);
  const say = (...more: readonly string[]) =>
    cuebook(['run', 'agent:desk', '--script', 'script.json', '--json', ...more], { cwd });
  const first = await say('--input', 'Hello.');
  expect(first).toMatchObject({ code: 0 });
  const { run } = JSON.parse(first.stdout);
  const same = await cuebook(['runs', 'update', run], { cwd });
  expect(same.code).toBe(1);
  expect(same.stderr).toContain('E_UPDATE_SAME');
  const file = 'agents/prompts/clerk.ts';
  writeFileSync(
    join(cwd, file),
    (files[file as never] as string).replace('I am clerk.', 'I am the new clerk.'),
  );
  const moved = await cuebook(['runs', 'update', 'last'], { cwd });
  expect(moved).toMatchObject({
    code: 0,
    stdout: `✓ ${run} uses the sources in your folder from its next turn on (before: the folder as it was)\n`,
  });
  const again = await cuebook(['runs', 'update', run, '--json'], { cwd });
  expect(again.code).toBe(1);
  expect(await say('--run', run, '--input', 'Again.')).toMatchObject({ code: 0 });
  for (const [turn, words] of [
    ['1', 'I am clerk.'],
    ['2', 'I am the new clerk.'],
  ] as const) {
    expect((await cuebook(['replay', `${run}@${turn}`], { cwd })).stdout).toContain(words);
    const explained = await cuebook(['explain', `${run}@${turn}`, '--at', '1:1', '--json'], { cwd });
    const { record } = JSON.parse(explained.stdout);
    expect(record.source.line).toContain(words);
    // The first one was told from a file that has another line now.
    expect('now' in record.source).toBe(turn === '1');
  }
  const log = await cuebook(['log', run], { cwd });
  expect(log.stdout).toMatch(
    /run\.updated +other sources by \S+: from the folder as it was before to the folder as it was then/,
  );
  expect(await cuebook(['verify', run], { cwd })).toMatchObject({ code: 0 });
});

it('cuebook runs update: says which sources a run had before, a folder or a commit', async () => {
  const cwd = folderWith(files);
  const git = gitIn(cwd);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'First');
  const commit = git('rev-parse', 'HEAD').slice(0, 12);
  const begun = await cuebook(
    ['run', 'agent:desk', '--script', 'script.json', '--json', '--input', 'Hello.'],
    { cwd },
  );
  const { run } = JSON.parse(begun.stdout);
  const file = 'agents/prompts/clerk.ts';
  const edit = (words: string) =>
    writeFileSync(join(cwd, file), (files[file as never] as string).replace('I am clerk.', words));
  const move = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await cuebook(['runs', 'update', run, ...args], { cwd });
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const folder = `the folder as it was, with commit ${commit} checked out`;
  edit('I am one.');
  expect(await move()).toContain(`uses the sources in your folder from its next turn on (before: ${folder})`);
  edit('I am two.');
  expect(await move()).toContain(`uses the sources in your folder from its next turn on (before: ${folder})`);
  expect(await move('--to', 'HEAD')).toContain(
    `uses commit ${commit} from its next turn on (before: ${folder})`,
  );
  expect(await move()).toContain(
    `uses the sources in your folder from its next turn on (before: commit ${commit})`,
  );
  const { stdout } = await cuebook(['log', run], { cwd });
  const [then, before] = ['then', 'before'].map(
    (when) => `the folder as it was ${when} (commit ${commit} checked out)`,
  );
  expect(stdout.match(/from the folder .*|from commit .*/g)).toEqual([
    `from ${before} to ${then}`,
    `from ${before} to ${then}`,
    `from ${before} to commit ${commit}`,
    `from commit ${commit} to ${then}`,
  ]);
});

it.each([
  [['runs', 'update'], 'Name a run'],
  [['runs', 'update', 'run_none'], 'E_RUN_UNKNOWN'],
] as const)('cuebook %s is a wrong call', async (args, words) => {
  const { code, stderr } = await cuebook([...args], { cwd: folderWith(files) });
  expect(code).toBe(2);
  expect(stderr).toContain(words);
});
