import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Client } from '@cuebook/api';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { goOn, isStill, machine, must, PROJECT, problemsOf, script, until } from './machines.js';
import { serverStand } from './server-stand.js';

/** A kind of run, the edit of a source that each turn of it is told, and an edit that takes away what it is at. */
interface Kind {
  readonly target: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly lacking: readonly [file: string, change: (text: string) => string];
}

const WORKFLOW = 'workflows/hb';
const KINDS: readonly Kind[] = [
  {
    target: 'agent:desk',
    file: 'agents/prompts/clerk.ts',
    from: 'I am clerk.',
    to: 'I am the other clerk.',
    lacking: ['agents/agents/desk.ts', (text) => text.replace("name: 'desk'", "name: 'counter'")],
  },
  {
    target: `workflow:${WORKFLOW}`,
    file: `${WORKFLOW}/agents.json`,
    from: 'Role of sm',
    to: 'Office of sm',
    lacking: [`${WORKFLOW}/bmad.json`, (text) => text.replace('hb-package', 'another')],
  },
  {
    target: 'team:team.yaml',
    file: 'team.yaml',
    from: 'goal: Work.',
    to: 'goal: Labour.',
    lacking: ['team.yaml', (text) => text.replace('alias: lead', 'alias: chief')],
  },
];

const steps = script({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' });

const gitIn =
  (cwd: string) =>
  (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd,
      encoding: 'utf8',
    }).trim();

/** What each turn of a run was told, all blocks in one. */
async function told(client: Client, run: string): Promise<readonly string[]> {
  const { turns } = must(await client.listRecorded({ run }));
  return Promise.all(
    turns.map(async ({ turn }) =>
      must(await client.getTurn({ run, turn }))
        .full.blocks.map(({ text }) => text)
        .join('\n'),
    ),
  );
}

const plain = ({ from, to }: Kind) => [from, to].map((text) => text.replace(/^goal: /, ''));

/** What is said first; the goal of a team is in its file. */
const words = (target: string) => (target.startsWith('team:') ? {} : { input: 'Begin.' });

describe('a run that a person moves to other sources', () => {
  it.each(KINDS.map((kind) => [kind.target, kind] as const))(
    '%s: to a commit and back to the folder, with each turn told from its own version',
    async (target, kind) => {
      const stand = await serverStand({ files: PROJECT, git: true });
      onTestFinished(() => stand.remove());
      const { client, project } = stand;
      const git = gitIn(project);
      const first = git('rev-parse', 'HEAD');
      const text = PROJECT[kind.file] ?? '';
      expect(text).toContain(kind.from);
      const { run } = must(await client.startRun({ id: 'a', target, ...words(target), script: steps }));
      await until(client, run, (each) => isStill(each) && each.turns === 1);
      const none = await client.updateRun({ run });
      expect(none).toMatchObject({ ok: false, error: { status: 409, code: 'E_UPDATE_SAME' } });
      stand.write(kind.file, text.replace(kind.from, kind.to));
      git('commit', '--quiet', '--all', '--message', 'Other words');
      const second = git('rev-parse', 'HEAD');
      stand.write(kind.file, text.replace(kind.from, 'neither'));
      // The words of the commit, although the folder has others.
      expect(must(await client.updateRun({ id: 'u1', run, to: 'HEAD' }))).toEqual({
        from: { commit: first, within: null },
        to: { commit: second, within: null },
      });
      await goOn(client, run);
      await until(client, run, (each) => isStill(each) && each.turns === 2);
      stand.write(kind.file, text);
      must(await client.updateRun({ run }));
      await goOn(client, run, 'And more.');
      await until(client, run, (each) => isStill(each) && each.turns === 3);
      const [before = '', after = ''] = plain(kind);
      const prompts = await told(client, run);
      expect(prompts.map((each) => [each.includes(before), each.includes(after)])).toEqual([
        [true, false],
        [false, true],
        [true, false],
      ]);
      expect(prompts.join('\n')).not.toContain('neither');
      const { events } = must(await client.listEvents({ run, limit: 1_000 }));
      const moves = events.filter(({ type }) => type === 'run.updated').map(({ data }) => data);
      expect(moves).toMatchObject([
        { by: 'owner', from: { commit: first }, to: { commit: second, machine: null } },
        { by: 'owner', from: { commit: second }, to: { commit: second } },
      ]);
      expect(await problemsOf(client, run)).toEqual([]);
      expect(JSON.stringify(events)).not.toContain('.versions');
    },
  );

  it.each(KINDS.map((kind) => [kind.target, kind] as const))(
    '%s: stays where it is when the new sources lack what it uses, are broken, or cannot be had',
    async (target, { lacking: [file, change], file: source, from, to }) => {
      const stand = await serverStand({ files: PROJECT, git: true });
      onTestFinished(() => stand.remove());
      const { client } = stand;
      const { run } = must(await client.startRun({ id: 'a', target, ...words(target), script: steps }));
      const { seq } = await until(client, run, (each) => isStill(each) && each.turns === 1);
      const text = PROJECT[file] ?? '';
      const other = change(text);
      expect(other).not.toBe(text);
      stand.write(file, other);
      const lacks = await client.updateRun({ run });
      expect(lacks).toMatchObject({ ok: false, error: { status: expect.any(Number) } });
      expect(['E_UPDATE_GONE', 'E_TARGET', 'E_AGENT_UNKNOWN']).toContain(lacks.ok ? '' : lacks.error.code);
      stand.write(file, text);
      stand.write(source, (PROJECT[source] ?? '').replace(from, `${to}\0{{{`).slice(0, -20));
      expect(await client.updateRun({ run })).toMatchObject({ ok: false });
      for (const revision of ['no-such-branch', '-x', `${'0'.repeat(40)}`])
        expect(await client.updateRun({ run, to: revision })).toMatchObject({
          ok: false,
          error: { status: 400, code: 'E_REVISION' },
        });
      expect(must(await client.getReport({ run })).seq).toBe(seq);
    },
  );

  it('a team that is over, and a run that is not there, are not moved', async () => {
    const stand = await serverStand({ files: PROJECT });
    onTestFinished(() => stand.remove());
    const { client } = stand;
    const { run } = must(await client.startRun({ id: 'a', target: 'team:team.yaml', script: steps }));
    await until(client, run, (each) => isStill(each) && each.turns === 1);
    must(await client.stopRun({ run }));
    stand.write('team.yaml', (PROJECT['team.yaml'] ?? '').replace('Work.', 'Labour.'));
    expect(await client.updateRun({ run })).toMatchObject({ error: { status: 409, code: 'E_RUN_OVER' } });
    const none = await client.updateRun({ run: 'run_0123456789abcdef' });
    expect(none).toMatchObject({ error: { status: 404, code: 'E_RUN_UNKNOWN' } });
    const sheet = must(await client.startRun({ id: 'b', target: 'sheet:once', script: steps }));
    await until(client, sheet.run, isStill);
    expect(await client.updateRun({ run: sheet.run })).toMatchObject({ error: { code: 'E_UPDATE_KIND' } });
  });
});

describePart('postgres', 'a run that is moved where machines share it', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('is gone on with by a worker of another machine, with the files of the new commit', async () => {
    const databaseUrl = await server.createDatabase();
    const first = machine(databaseUrl, undefined, { 'notes.md': 'the notes of then\n' });
    const project = join(first.root, 'project');
    const git = gitIn(project);
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'One');
    const { client } = await first.up({ take: { parallel: 0 } });
    const worker = machine(databaseUrl, first.key(), { 'cuebook.yaml': `source: ${project}\n` });
    await worker.work();
    const reads = { toolCalls: [{ name: 'fs.read', args: { path: '@project/notes.md' } }] };
    const asks = script(reads, { text: 'One.' }, reads, { text: 'Two.' });
    const target = `workflow:${WORKFLOW}`;
    const { run } = must(await client.startRun({ id: 'a', target, input: 'Go.', script: asks }));
    await until(client, run, (each) => isStill(each) && each.turns === 2);
    execFileSync('sh', ['-c', 'printf "the notes of now\\n" > notes.md'], { cwd: project });
    git('commit', '--quiet', '--all', '--message', 'Two');
    must(await client.updateRun({ run, to: 'HEAD' }));
    await goOn(client, run);
    await until(client, run, (each) => isStill(each) && each.turns === 4);
    const { events } = must(await client.listEvents({ run, limit: 1_000 }));
    const types = events.map(({ type }) => type);
    const at = types.indexOf('run.updated');
    expect(JSON.stringify(events.slice(0, at))).toContain('the notes of then');
    expect(JSON.stringify(events.slice(0, at))).not.toContain('the notes of now');
    expect(JSON.stringify(events.slice(at))).toContain('the notes of now');
    expect(await problemsOf(client, run)).toEqual([]);
  });
});
