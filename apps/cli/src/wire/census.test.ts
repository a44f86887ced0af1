import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventsOf, openStore, type RunId, rebuildTurn } from '@cuebook/journal';
import type { Place } from '@cuebook/prompt';
import { CENSUS_CLASSES, type Census } from '@cuebook/prompt/wire';
import { expect } from 'vitest';
import { ROOT } from '../../../../test/root.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { commitAll, git } from '../../test/git.js';
import { sha256 } from '../project/hash.js';

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

/**
 * Every file that a turn of a run comes from is on record with its hash, and with the commit where it is one of the
 * repository. Answers the turn and the byte where words of each file of the project first stand.
 */
async function requireStamps(
  cwd: string,
  run: string,
  project = cwd,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const commit = git(cwd, 'rev-parse', 'HEAD').trim();
  const first = new Map<string, readonly string[]>();
  const opened = await openStore({ file: join(project, '.cuebook/journal.db') }, {});
  if (!opened.ok) throw new Error(opened.error.code);
  let number = 0;
  for await (const { type, data } of eventsOf(opened.value, run as RunId)) {
    if (type !== 'turn.recorded') continue;
    number += 1;
    const turn = await rebuildTurn(opened.value, run as RunId, (data as { readonly turn: string }).turn);
    if (!turn.ok) throw new Error(turn.error.code);
    const { files, request } = turn.value;
    const check = ({ ref, line }: Place): boolean => {
      if (line === undefined) return false;
      const isOwn = existsSync(join(cwd, ref));
      const hash = isOwn ? sha256(readFileSync(join(cwd, ref), 'utf8')) : expect.stringMatching(HASH);
      expect({ ref, ...files[ref] }).toEqual({ ref, hash, ...(isOwn && { commit }) });
      return isOwn;
    };
    let at = 0;
    for (const { spans, text } of request.prompt.blocks) {
      for (const { origin, start } of spans) {
        if (check(origin) && !first.has(origin.ref))
          first.set(origin.ref, [`${run}@${number}`, '--at', String(at + start)]);
        origin.via?.forEach(check);
      }
      if (text !== '') at += Buffer.byteLength(`${text}\n\n`);
    }
    for (const { origin } of Object.values(request.sources ?? {})) check(origin);
  }
  await opened.value.close();
  expect(number).toBeGreaterThan(0);
  return first;
}

const HASH = /^sha256:[0-9a-f]{64}$/;

it.each(RUNS)('the turns of a %s answer for themselves', async (_kind, example, args) => {
  const cwd = exampleCopy(example);
  if (example === 'review-desk') writeFileSync(join(cwd, 'script.yaml'), SCRIPT);
  commitAll(cwd, 'all');
  await cuebook(['run', ...args], { cwd });
  const { stdout } = await cuebook(['runs', '--json'], { cwd });
  const [{ run }] = JSON.parse(stdout).runs;
  const rows = await rowsOf(cwd, run);
  expect(rows[0]?.bodies).toBeGreaterThan(0);
  requireAnswers(rows, 0.99);
  const places = await requireStamps(cwd, run);
  expect(places.size).toBeGreaterThan(0);
  for (const [ref, place] of places) {
    const { stdout } = await cuebook(['blame', ...place, '--json'], { cwd });
    const { origin, blame } = JSON.parse(stdout);
    const hash = sha256(readFileSync(join(cwd, ref), 'utf8'));
    const commit = git(cwd, 'rev-parse', 'HEAD').trim();
    expect([origin, blame[0].place]).toMatchObject([
      { ref, hash, commit },
      { ref, hash, commit },
    ]);
  }
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
  commitAll(cwd, 'all');
  const { code, stderr } = await cuebook(['agent', 'day', 'town', '--hours', '1', '--project', '.'], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  requireAnswers(await rowsOf(cwd, 'run_agentmira', '--project', 'town'), 0.99);
  await requireStamps(cwd, 'run_agentmira', join(cwd, 'town'));
});
