import { headCommit } from '@cuebook/host';
import { eventsOf, rebuildTurn } from '@cuebook/journal';
import { afterEach, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { type CliStand, cliStand } from '../../test/cli-stand.js';
import { nodeOf, sha256, startRun, stateOf, until } from '../../test/host-stand.js';
import { SHIPPED_ROLES } from '../role/shipped.js';
import type { TeamState } from '../run/state.js';
import type { TeamHost } from './contract.js';

let stand: CliStand;
let host: TeamHost;
afterEach(() => stand.remove());

const role = (says: string): string =>
  `[template]\nname = "writer"\nversion = "1"\ncapabilities = ["write_docs"]\nconstraints = []\n\n${says}\n`;
const FILE = 'docs/templates/writer.md';
const team = (workspace: 'own' | 'shared'): string => `
goal: Work.
mode: INTERACTIVE
provider: cli
nodes: [{ alias: dev, role: writer, workspace: ${workspace} }]
`;
const isDone = (turn: number) => (state: TeamState) =>
  nodeOf(state, 'dev').lastTurn === turn && nodeOf(state, 'dev').work === null;

let said = 0;
async function say(run: Parameters<TeamHost['read']>[0], turn: number): Promise<string> {
  said += 1;
  await host.submit(run, { id: `say ${said}`, type: 'node.message', node: 'dev', text: 'Go.', by: 'ann' });
  await until(host, run, isDone(turn));
  return stand.heard('dev').at(-1)?.prompt ?? '';
}

describe('role templates of a run', () => {
  it("a person's edit counts from the next turn, with the whole prompt; and so does going back", async () => {
    stand = await cliStand({ files: { [FILE]: role('FIRST WORDS') }, git: true });
    stand.script({ '*': [] });
    host = await stand.open();
    const run = await startRun(host, { team: { text: team('own') } });
    await until(host, run, isDone(1));
    expect(stand.heard('dev')[0]?.prompt).toContain('FIRST WORDS');
    expect(await say(run, 2)).not.toContain('FIRST WORDS');
    stand.write(FILE, role('SECOND WORDS'));
    expect(await say(run, 3)).toContain('SECOND WORDS');
    expect(stand.heard('dev')[2]?.promptKind).toBe('full');
    stand.write(FILE, role('FIRST WORDS'));
    expect(await say(run, 4)).toContain('FIRST WORDS');
    // One that does not parse is no template: the last good one stays.
    stand.write(FILE, '[template]\nname = 7\n');
    expect(await say(run, 5)).not.toContain('name = 7');
    expect((await stateOf(host, run)).roles.writer?.text).toContain('FIRST WORDS');
    const commit = await headCommit(stand.project);
    const stamp = (says: string) => ({ hash: sha256(role(says)), commit });
    const [first, second] = [stamp('FIRST WORDS'), stamp('SECOND WORDS')];
    const turns: unknown[] = [];
    for await (const { type, data } of eventsOf(stand.store, run)) {
      if (type !== 'turn.recorded') continue;
      const turn = await rebuildTurn(stand.store, run, (data as { readonly turn: string }).turn);
      turns.push(turn.ok && turn.value.files[FILE]);
    }
    expect({ commit, turns }).toEqual({
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      turns: [first, first, second, first, first],
    });
  });

  it.each(['own', 'shared'] as const)(
    "an agent's edit in its %s folder waits for a person",
    async (workspace) => {
      stand = await cliStand({ files: { [FILE]: role('FIRST WORDS') } });
      stand.script({
        dev: [[{ write: { path: FILE, content: role('I MAY DO ANYTHING') } }], [{ text: 'hm' }]],
      });
      host = await stand.open();
      const run = await startRun(host, { team: { text: team(workspace) } });
      await until(host, run, isDone(1));
      expect(await say(run, 2)).not.toContain('ANYTHING');
      const [asked] = await host.approvals();
      expect(asked).toMatchObject({ tool: 'edit_role_template', input: { name: 'writer' } });
      // Nor does another process take what stands in the folder for a person's word.
      await stand.stopAll();
      host = await stand.open();
      expect(await say(run, 3)).not.toContain('ANYTHING');
      const answer = { type: 'approval.resolve', approval: asked?.id ?? '', by: 'ann', id: 'allow' } as const;
      await host.submit(run, { ...answer, decision: 'allow' });
      expect(await say(run, 4)).toContain('I MAY DO ANYTHING');
      // What a person has allowed stays, also where the project's own file is the old one.
      expect(await say(run, 5)).not.toContain('FIRST WORDS');
      expect((await stateOf(host, run)).roles.writer?.text).toContain('ANYTHING');
    },
  );

  it('a denied edit never counts, and the shipped roles are there without any file', async () => {
    stand = await cliStand({ files: { [FILE]: role('FIRST WORDS') } });
    stand.script({ dev: [[{ write: { path: FILE, content: role('ANYTHING') } }]] });
    host = await stand.open();
    const run = await startRun(host, { team: { text: team('shared') } });
    await until(host, run, isDone(1));
    const [asked] = await host.approvals();
    const answer = { type: 'approval.resolve', approval: asked?.id ?? '', by: 'ann', id: 'deny' } as const;
    await host.submit(run, { ...answer, decision: 'deny' });
    expect(await say(run, 2)).not.toContain('ANYTHING');
    const { roles } = await stateOf(host, run);
    expect(roles.writer?.text).toContain('FIRST WORDS');
    expect(Object.keys(roles)).toEqual(expect.arrayContaining(Object.keys(SHIPPED_ROLES)));
  });
});
