import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it as itAlways } from 'vitest';
import { ROOT } from '../../../../test/root.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { commitAll, git } from '../../test/git.js';

/** The example, in a repository of its own. */
function project(): string {
  const folder = folderWith();
  cpSync(join(ROOT, 'examples/team-rehearsal'), folder, { recursive: true });
  const script = readFileSync(join(folder, 'script.yaml'), 'utf8');
  writeFileSync(join(folder, 'script.yaml'), script.replaceAll(/delayMs: \d+/g, 'delayMs: 0'));
  writeFileSync(join(folder, '.gitignore'), '.cuebook/\n');
  commitAll(folder, 'Start');
  return folder;
}

const env = { PATH: process.env.PATH, HOME: '/nonexistent' };
const RUN = ['run', 'team:team.yaml', '--script', 'script.yaml'];

describe('a team run without a terminal', () => {
  it('waits for a person, goes on with the command that it names, and is brought in and cleaned', async () => {
    const cwd = project();
    const call = (...args: string[]) => cuebook(args, { cwd, env });
    const json = async (...args: string[]) => {
      const { stdout, code } = await call(...args, '--json');
      return { code, value: JSON.parse(stdout) as unknown };
    };
    const first = await call(...RUN);
    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(/^plan +→ lead The plan is in docs\/plan\.md/m);
    expect(first.stdout).toMatch(/^plan +changed docs\/plan\.md$/m);
    expect(first.stdout).toContain("+const greetings = { en: 'Hello', de: 'Guten Tag' };");
    expect(first.stdout).not.toContain('tool_call');
    const [, approval = ''] = /cuebook approvals allow (apr_\w+)/.exec(first.stderr) ?? [];
    // Looking changes nothing, although a turn waits in its middle.
    const events = async () => (await json('runs')).value as { runs: { events: number }[] };
    const before = await events();
    expect((await json('approvals')).value).toMatchObject({ approvals: [{ id: approval, tool: 'edit' }] });
    expect((await call('approvals', 'show', approval)).stdout).toContain('dev asks for edit');
    expect(await events()).toEqual(before);

    const second = await json('approvals', 'allow', approval, '--grant');
    expect(second).toMatchObject({
      code: 1,
      value: {
        status: 'waiting',
        needs: [{ approval: { tool: 'command', input: { cmd: 'node greet.mjs de' } } }],
      },
    });
    const waiting = (second.value as { needs: { approval: { id: string; run: string } }[] }).needs[0]
      ?.approval;
    const changed = JSON.stringify({ cmd: 'node greet.mjs en' });
    const third = await call('approvals', 'change', waiting?.id ?? '', '--with', changed);
    expect(third).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('completed: greet.mjs speaks German'),
    });
    expect((await call('log', waiting?.run ?? '')).stdout).toContain('Hello, visitor.');

    const run = waiting?.run ?? '';
    expect((await json('runs')).value).toMatchObject({ runs: [{ run, status: 'completed' }] });
    expect((await call('runs', 'workspaces')).stdout).toMatch(
      /dev, plan, review +\d+\.\d kB {2}3 files not in your folder/,
    );
    const preview = await json('runs', 'apply', run, '--dry-run');
    expect(preview).toMatchObject({ code: 0, value: { dryRun: true, conflicts: [] } });
    expect(git(cwd, 'status', '--porcelain')).toBe('');
    writeFileSync(join(cwd, 'greet.mjs'), '// mine\n');
    const refused = await call('runs', 'apply', run);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(/changed by you, too +greet\.mjs {2}dev\n✗ 1 file in the way/);
    git(cwd, 'checkout', '--quiet', 'greet.mjs');
    expect(await call('runs', 'clean', run)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Removed lead: .* freed\nKept dev: the work is not in your folder\n$/),
    });
    // Whoever works in another's folder has its work there.
    expect((await call('runs', 'apply', `${run}/review`)).stdout).toMatch(
      /^review works in the folder of dev\n(?: .* dev\n){3}✓ 3 files changed in your folder/,
    );
    expect(readFileSync(join(cwd, 'greet.mjs'), 'utf8')).toContain('Guten Tag');
    expect(await call('runs', 'clean', `${run}/plan`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^plan works in the folder of dev\nRemoved dev: .* freed\n$/),
    });
    expect((await call('verify', run)).code).toBe(0);
  });

  it.each([
    [['run', 'team:nowhere.yaml'], 2, 'E_'],
    [['run', 'team:team.yaml', '--model', 'x'], 2, 'each node names its own in the team file'],
    [['run', 'team:'], 2, 'Name a team file'],
    [['attach'], 2, 'There is no team run here'],
    [['attach', 'nobody'], 2, 'E_RUN_UNKNOWN'],
    [['approvals', 'alow', 'x'], 2, 'Did you mean allow?'],
    [['approvals', 'allow'], 2, 'Name what to allow'],
    [['approvals', 'allow', 'apr_x'], 2, 'E_APPROVAL_UNKNOWN'],
    [['approvals', 'change', 'apr_x', '--with', '{'], 2, 'is not JSON'],
    [['approvals', 'deny', 'apr_x', '--grant'], 2, '--grant goes with allow'],
    [['runs', 'apply'], 2, 'Name a run'],
    [['runs', 'apply', 'run_x'], 2, 'E_RUN_UNKNOWN'],
    [['up', '--port', 'many'], 2, '--port takes a number'],
    [['up', '--host', '0.0.0.0'], 3, 'E_ADDRESS'],
  ] as const)('%j says what is wrong', async (args, code, words) => {
    const cwd = folderWith({ 'cuebook.yaml': '', 'team.yaml': 'nodes: [{ alias: a, role: implementer }]\n' });
    const answer = await cuebook(args, { cwd, env });
    expect(answer.stderr).toContain(words);
    expect(answer.code).toBe(code);
    expect(answer.stderr).not.toContain(cwd);
  });
});

describe('cuebook up', () => {
  itAlways('prints the link, serves others in this project, and stops when it is told to', async () => {
    const cwd = project();
    const stop = new AbortController();
    let link = '';
    let heard: (link: string) => void = () => undefined;
    const isUp = new Promise<string>((resolve) => {
      heard = resolve;
    });
    const up = cuebook(['up'], {
      ...{ cwd, env, stop: stop.signal },
      onPrint: (out) => {
        link = /http:\S+#token=\S+/.exec(out)?.[0] ?? '';
        if (link !== '') heard(link);
      },
    });
    await isUp;
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=/);
    const run = await cuebook([...RUN, '--json'], { cwd, env });
    expect(JSON.parse(run.stdout)).toMatchObject({ status: 'waiting' });
    const approvals = await cuebook(['approvals'], { cwd, env });
    const [, id = ''] = /(apr_\w+)/.exec(approvals.stdout) ?? [];
    expect(await cuebook(['approvals', 'deny', id, '--message', 'No.'], { cwd, env })).toMatchObject({
      code: 0,
      stderr: `Denied ${id}\n`,
    });
    stop.abort();
    expect(await up).toMatchObject({ code: 0, stderr: expect.stringContaining('Stopped.') });
    expect((await fetch(link).catch(() => undefined))?.status).toBeUndefined();
  });
});
