import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CENSUS_CLASSES, type Census } from '@cuebook/prompt/wire';
import { expect, it } from 'vitest';
import { ROOT } from '../../../../test/root.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

interface Row {
  readonly of: string;
  readonly bytes: number;
  readonly bodies: number;
  readonly classes: Census;
  readonly unruled: number;
}

/** A project of the examples, in a folder of its own. */
function exampleCopy(name: string): string {
  const folder = folderWith({});
  cpSync(join(ROOT, 'examples', name), folder, { recursive: true });
  return folder;
}

async function rowsOf(cwd: string, ...args: readonly string[]): Promise<readonly Row[]> {
  const { stdout, stderr, code } = await cuebook(['census', ...args, '--json'], { cwd });
  expect({ code, told: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, told: '' });
  return (JSON.parse(stdout) as { readonly rows: readonly Row[] }).rows;
}

/** Every byte is structure by a rule that is written down, or answers; that share of the others with a place that opens. */
function requireAnswers(rows: readonly Row[], least = 0.95): void {
  expect(rows.length).toBeGreaterThan(0);
  for (const { of, bytes, classes, unruled } of rows) {
    if (process.env.CUEBOOK_CENSUS) console.log(of, bytes, JSON.stringify(classes), unruled);
    const told = bytes - classes.structure;
    const placed = classes.exact + classes.start + classes.turn + classes.event;
    const shown = { of, corner: classes.corner, unruled, enough: placed >= least * told };
    expect(shown).toEqual({ of, corner: 0, unruled: 0, enough: true });
    expect(CENSUS_CLASSES.reduce((sum, name) => sum + classes[name], 0)).toBe(bytes);
  }
}

const SCRIPT = 'lanes:\n  "*":\n    - text: Fine.\n';

it.each([
  'day-in-the-life',
  'definitions-basic',
  'definitions-hooks',
  'definitions-includes',
  'definitions-reasoning',
  'definitions-tools',
  'requests',
  'review-desk',
  'team-rehearsal',
])('the prompts of %s answer for themselves', async (name) => {
  requireAnswers(await rowsOf(join(ROOT, 'examples', name)));
});

it('the manifests answer for themselves', async () => {
  const cwd = join(ROOT, 'examples', 'manifests');
  requireAnswers(await rowsOf(cwd, '-f', '.', '--agent', 'k8s-helper'));
});

const RUNS: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'thread',
    'definitions-tools',
    ['agent:counter', '--script', 'script.yaml', '--input', 'The shade. A-17.'],
  ],
  ['workflow', 'requests', ['workflow:workflows/request', '--script', 'rehearsal.yaml']],
  ['team', 'team-rehearsal', ['team:team.yaml', '--script', 'script.yaml']],
  ['turn', 'review-desk', ['sheet:review', '--script', 'script.yaml']],
];

it.each(RUNS)('the turns of a %s answer for themselves', async (_kind, example, args) => {
  const cwd = exampleCopy(example);
  if (example === 'review-desk') writeFileSync(join(cwd, 'script.yaml'), SCRIPT);
  await cuebook(['run', ...args], { cwd });
  const { stdout } = await cuebook(['runs', '--json'], { cwd });
  const [{ run }] = JSON.parse(stdout).runs;
  const rows = await rowsOf(cwd, run);
  expect(rows[0]?.bodies).toBeGreaterThan(0);
  requireAnswers(rows, 0.99);
});

it('words of an earlier turn lead to that turn, of a person to the event, shipped ones to a file that opens', async () => {
  const cwd = exampleCopy('definitions-tools');
  await cuebook(['run', ...(RUNS[0]?.[2] ?? [])], { cwd });
  const [{ run }] = JSON.parse((await cuebook(['runs', '--json'], { cwd })).stdout).runs;
  const explained = async (...args: readonly string[]) =>
    JSON.parse((await cuebook(['explain', `${run}@3`, ...args, '--json'], { cwd })).stdout);
  const answer = { ref: `${run}@1`, kind: 'result' };
  const model = { at: `${run}@1`, origin: { kind: 'result', ref: 'words of scripted-1' } };
  expect(await explained('--at', 'Let me look')).toMatchObject({ origin: answer, chain: [model] });
  expect(await explained('--wire', '--at', 'Let me look')).toMatchObject({ origin: answer, chain: [model] });
  const told = await explained('--at', 'The shade');
  expect(told).toMatchObject({
    origin: { kind: 'input', ref: `${run}#4`, subject: 'message-1' },
    event: { name: `${run}#4`, type: 'message.told', by: 'person' },
  });
  expect(await explained('--wire', '--at', 'The shade')).toMatchObject({
    origin: told.origin,
    event: told.event,
  });
  const { stdout } = await cuebook(['log', told.event.name], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ seq: 4, data: { message: { text: 'The shade. A-17.' } } });
  const { opens, origin } = await explained('--wire', '--at', '"role"');
  expect(origin).toMatchObject({ kind: 'structure', ref: 'rehearsal messages[].role' });
  expect(readFileSync(resolve(cwd, opens), 'utf8').split('\n')[origin.via[0].line - 1]).toContain('`role`');
});

it('the turns of a resident answer for themselves', async () => {
  const cwd = exampleCopy('day-in-the-life');
  const { code, stderr } = await cuebook(['agent', 'day', 'town', '--hours', '1', '--project', '.'], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  requireAnswers(await rowsOf(cwd, 'run_agentmira', '--project', 'town'), 0.99);
});
