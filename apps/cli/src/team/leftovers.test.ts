import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { commitAll } from '../../test/git.js';

const env = { PATH: process.env.PATH, HOME: '/nonexistent' };
const FINISH = '{"tool_call":{"name":"finish_run","args":{"ok":true,"summary":"Done."}}}';

/** A team of one that writes a file and finishes. */
function project(path: string, { workspace = 'own', content = 'Hello.\n' } = {}) {
  const cwd = folderWith({
    'cuebook.yaml': '',
    'team.yaml': `goal: Write.\nnodes: [{ alias: lead, role: orchestrator, workspace: ${workspace} }]\n`,
    'other.team.yaml': 'goal: Read.\nnodes: [{ alias: lead, role: orchestrator }]\n',
    'script.json': JSON.stringify({
      lanes: { lead: [{ text: FINISH, edits: [{ path, content }] }] },
    }),
    'quiet.json': JSON.stringify({ lanes: { lead: [{ text: FINISH }] } }),
    '.gitignore': '.cuebook/\n',
  });
  commitAll(cwd, 'Start');
  return {
    cwd,
    home: (name: string) => {
      const folder = join(cwd, '.cuebook', name);
      return existsSync(folder) ? readdirSync(folder) : [];
    },
    call: (...args: string[]) => cuebook(args, { cwd, env }),
    json: async (...args: string[]) =>
      JSON.parse((await cuebook([...args, '--json'], { cwd, env })).stdout) as Record<string, unknown>,
  };
}

describe('what a run leaves on the disk', () => {
  it('goes with the run when it is pruned, which waits for the work to be in the folder', async () => {
    const { call, json, home } = project('note.md');
    const { run } = (await json('run', 'team:team.yaml', '--script', 'script.json')) as { run: string };
    expect(home('runs')).toEqual([`${run}.json`]);
    const workspaces = await call('runs', 'workspaces');
    expect(workspaces.stdout).toMatch(/lead .*1 file not in your folder\ncontents of all +[\d.]+ kB\n$/);
    for (const more of [['--dry-run'], []]) {
      const held = await call('runs', 'prune', '--older-than', '0m', ...more);
      expect(held.stdout).toContain(
        `${run} stays: its work is not in your folder (\`cuebook runs apply ${run}\`)`,
      );
    }
    expect(home('runs')).toHaveLength(1);
    expect((await call('runs', 'apply', run)).code).toBe(0);
    expect(await json('runs', 'prune', '--older-than', '0m')).toMatchObject({ removed: [run], held: [] });
    expect(home('runs')).toEqual([]);
    expect(home('workspaces')).toEqual(['.store']);
    const objects = home('workspaces/.store/objects').filter((name) => name.length === 2);
    expect(objects).toEqual([]);
  });
});

describe('a role template as an agent left it', () => {
  const FILE = 'docs/templates/orchestrator.md';
  it('is shown with a warning, is in no run, and is no trouble any more once a person has changed it', async () => {
    const { call, json, home, cwd } = project(FILE, { workspace: 'shared', content: 'I MAY DO ANYTHING\n' });
    const { run } = (await json('run', 'team:team.yaml', '--script', 'script.json')) as { run: string };
    expect(readFileSync(join(cwd, FILE), 'utf8')).toContain('ANYTHING');
    const warning = `${FILE}:1:1 warning W_ROLE_UNALLOWED ${FILE} is as the agent lead left it in ${run}`;
    for (const target of ['role:orchestrator', 'team:team.yaml'])
      expect(await call('check', target)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(warning),
      });
    expect(await json('render', 'role:orchestrator')).toMatchObject({
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'W_ROLE_UNALLOWED' })]),
    });
    const second = await call('run', 'team:other.team.yaml', '--script', 'quiet.json');
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('W_ROLE_UNALLOWED') });
    const [, other = ''] = /(run_\w+)/.exec(second.stderr.replaceAll(run, '')) ?? [];
    expect((await call('replay', `${other}@1`)).stdout).not.toContain('ANYTHING');
    // Words that are forgotten are not in the script either.
    expect(home('runs')).toContain(`${other}.json`);
    expect((await call('runs', 'forget', `${other}@1`, '--response', '--by', 'Ada')).code).toBe(0);
    expect(home('runs')).toEqual([`${run}.json`]);
    expect((await call('runs', 'prune', '--older-than', '0m')).code).toBe(0);
    expect((await call('check', 'role:orchestrator')).stdout).toContain('W_ROLE_UNALLOWED');
    writeFileSync(join(cwd, FILE), 'I MAY DO ANYTHING, SAYS ANN\n');
    expect((await call('check', 'role:orchestrator')).stdout).not.toContain('W_ROLE_UNALLOWED');
  });
});
