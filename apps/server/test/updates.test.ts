import { describe, expect, onTestFinished } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { goOn, isStill, must, PROJECT, problemsOf, script, until } from './machines.js';
import { serverStand } from './server-stand.js';
import { asTold, gitIn, told, UPDATED_KINDS, words } from './updating.js';

const steps = script({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' });

describe('a run that a person moves to other sources', () => {
  it.each(UPDATED_KINDS.map((kind) => [kind.target, kind] as const))(
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
        from: { commit: first, within: null, folder: true },
        to: { commit: second, within: null, folder: false },
      });
      await goOn(client, run);
      await until(client, run, (each) => isStill(each) && each.turns === 2);
      stand.write(kind.file, text);
      must(await client.updateRun({ run }));
      await goOn(client, run, 'And more.');
      await until(client, run, (each) => isStill(each) && each.turns === 3);
      const [before, after] = [asTold(kind.from), asTold(kind.to)];
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

  it.each(UPDATED_KINDS.map((kind) => [kind.target, kind] as const))(
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
