import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pendingApprovals } from '@cuebook/engine';
import { nameProcess } from '@cuebook/process';
import { afterEach, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { type CliStand, cliStand } from '../../test/cli-stand.js';
import { call, nodeOf, scriptOf, startRun, stateOf, until } from '../../test/host-stand.js';
import type { TeamState } from '../run/state.js';

let stand: CliStand;
afterEach(() => stand.remove());

const TEAM = `
goal: Work.
mode: INTERACTIVE
provider: cli
nodes: [{ alias: dev, role: implementer, permissions: { cliPermissionsMode: gated } }]
`;
const isQuiet = (state: TeamState): boolean => nodeOf(state, 'dev').work === null;
const isAsked = (state: TeamState): boolean => pendingApprovals(state.approvals).length > 0;

describe('a host that comes later', () => {
  it('goes on with the session of a node, with a delta, in another process', async () => {
    stand = await cliStand();
    stand.script({ dev: [[{ text: 'one' }], [{ text: 'two' }]] });
    const first = await stand.open();
    const run = await startRun(first, { team: { text: TEAM } });
    await until(first, run, isQuiet);
    await stand.stopAll();
    const second = await stand.open();
    await second.submit(run, { id: 'm', type: 'node.message', node: 'dev', text: 'More.', by: 'ann' });
    await until(second, run, (state) => nodeOf(state, 'dev').lastTurn === 2 && isQuiet(state));
    const [before, after] = stand.heard('dev');
    expect(after).toMatchObject({ promptKind: 'delta', sessionId: before?.sessionId });
    expect(after?.pid).not.toBe(before?.pid);
  });

  it('takes a turn again that an orderly stop cut off, and tells its node so', async () => {
    stand = await cliStand();
    stand.script({ dev: [[{ text: 'begun' }, { hang: true }], [{ text: 'whole' }]] });
    const first = await stand.open();
    const run = await startRun(first, { team: { text: TEAM } });
    await new Promise<void>((resolve) => {
      first.watch(run, ({ event }) => event.type === 'text.delta' && resolve());
    });
    await stand.stopAll('abort');
    const second = await stand.open();
    const state = await until(
      second,
      run,
      (now) => isQuiet(now) && (nodeOf(now, 'dev').lastTurn === 2 || nodeOf(now, 'dev').hold !== null),
    );
    expect(nodeOf(state, 'dev').hold).toBeNull();
    expect(stand.heard('dev')[1]?.promptKind).toBe('full');
    expect(stand.heard('dev')[1]?.prompt).toContain('The host was stopped in the middle of the turn.');
  });

  it('still has what waits for a person, asked in mid-turn by a rehearsal: asked once, answered once', async () => {
    stand = await cliStand();
    const team = TEAM.replace('provider: cli', 'provider: rehearsal');
    const script = scriptOf({ dev: [{ edits: [{ path: 'a.txt', content: 'x' }], text: 'written' }] });
    const first = await stand.open();
    const run = await startRun(first, { team: { text: team }, script });
    await until(first, run, isAsked);
    const [asked] = await first.approvals();
    await stand.stopAll('abort');
    const second = await stand.open();
    const state = await until(
      second,
      run,
      (now) => nodeOf(now, 'dev').work?.kind.kind === 'full' && isAsked(now),
    );
    expect(pendingApprovals(state.approvals).map(({ id }) => id)).toEqual([asked?.id]);
    const answer = { type: 'approval.resolve', decision: 'allow', by: 'ann' } as const;
    expect(await second.submit(run, { ...answer, approval: asked?.id ?? '', id: 'a' })).toMatchObject({
      ok: true,
    });
    await until(second, run, isQuiet);
    const own = join(stand.homeFolder, 'workspaces', run, nodeOf(await stateOf(second, run), 'dev').node.id);
    expect(existsSync(join(own, 'a.txt'))).toBe(true);
    expect(await second.approvals()).toEqual([]);
  });

  it('n edits that are asked for one by one, each in a host of its own, end in n answers and are made once', async () => {
    stand = await cliStand();
    const team = TEAM.replace('provider: cli', 'provider: rehearsal');
    const edits = ['a', 'b', 'c'].map((name) => ({ path: `${name}.txt`, content: name }));
    const script = scriptOf({ dev: [{ edits, text: 'written' }] });
    const decisions = ['allow', 'deny', 'change'] as const;
    const first = await stand.open();
    const run = await startRun(first, { team: { text: team }, script });
    await until(first, run, isAsked);
    const own = join(stand.homeFolder, 'workspaces', run, nodeOf(await stateOf(first, run), 'dev').node.id);
    await stand.stopAll('abort');
    for (const [at, decision] of decisions.entries()) {
      const host = await stand.open();
      const [asked] = await host.approvals();
      expect(asked?.input).toEqual(edits[at]);
      const input = { path: 'other.txt', content: 'other' };
      const answer = { type: 'approval.resolve', approval: asked?.id ?? '', by: 'ann' } as const;
      const said = decision === 'change' ? { decision, input } : { decision };
      expect((await host.submit(run, { ...answer, ...said, id: `answer ${at}` })).ok).toBe(true);
      await until(host, run, (now) => isQuiet(now) || (isAsked(now) && at < 2));
      await stand.stopAll('abort');
      // Whoever does it again takes this away.
      if (at === 0) writeFileSync(join(own, 'a.txt'), 'a, and a person was here');
    }
    const state = await stateOf(await stand.open(), run);
    expect([isQuiet(state), isAsked(state)]).toEqual([true, false]);
    expect(readFileSync(join(own, 'a.txt'), 'utf8')).toBe('a, and a person was here');
    expect(existsSync(join(own, 'b.txt'))).toBe(false);
    expect(existsSync(join(own, 'c.txt'))).toBe(false);
    expect(readFileSync(join(own, 'other.txt'), 'utf8')).toBe('other');
  });

  it('an agent that was cut off while it asked goes on with its session, and with the answer', async () => {
    stand = await cliStand();
    const input = { file_path: 'a.txt', content: 'x' };
    const ask = { ask: { tool: 'Write', input, write: true } };
    stand.script({
      dev: [
        [{ text: 'begun' }, ask, { text: 'never' }],
        [ask, { text: 'whole' }],
      ],
    });
    const first = await stand.open();
    const run = await startRun(first, { team: { text: TEAM } });
    await until(first, run, isAsked);
    const [asked] = await first.approvals();
    await stand.stopAll('abort');
    // Looking on begins nothing: the approval is there, and the agent is not asked anew before it is answered.
    const second = await stand.open();
    expect((await second.approvals()).map(({ id, lane }) => [id, lane])).toEqual([
      [asked?.id, `node/${nodeOf(await stateOf(second, run), 'dev').node.id}`],
    ]);
    expect(stand.heard('dev')).toHaveLength(1);
    const answer = { type: 'approval.resolve', decision: 'allow', by: 'ann' } as const;
    await second.submit(run, { ...answer, approval: asked?.id ?? '', id: 'a' });
    const state = await until(second, run, (now) => isQuiet(now) && nodeOf(now, 'dev').lastTurn === 2);
    expect(nodeOf(state, 'dev').hold).toBeNull();
    expect(Object.keys(state.approvals.asked)).toEqual([asked?.id]);
    const [before, after] = stand.heard('dev');
    expect(after).toMatchObject({ promptKind: 'delta', sessionId: before?.sessionId });
    expect(after?.prompt).toContain('APPROVAL_ANSWER');
    const own = join(stand.homeFolder, 'workspaces', run, nodeOf(state, 'dev').node.id);
    expect(existsSync(join(own, 'a.txt'))).toBe(true);
  });

  it('ends what a killed process has left running, and no bystander', async () => {
    stand = await cliStand();
    const folder = join(stand.homeFolder, 'children');
    const first = await stand.open();
    expect(readdirSync(folder)).toHaveLength(1);
    await stand.stopAll();
    expect(readdirSync(folder)).toEqual([]);
    const bystander = await nameProcess(process.pid);
    if (bystander === undefined) throw new Error('not listed');
    const note = {
      owner: { pid: 4_000_000, start: 'long ago' },
      mark: `CUEBOOK_CHILD=${'0'.repeat(24)}.`,
      children: [{ ...bystander, start: 'another time' }],
    };
    writeFileSync(join(folder, 'left.json'), JSON.stringify(note));
    writeFileSync(join(folder, 'torn.json'), '{"owner":');
    await stand.open();
    expect(readdirSync(folder)).toHaveLength(1);
    expect(first).toBeDefined();
  });

  it('a command that finished the run is not asked again; the same start again is the same run', async () => {
    stand = await cliStand({ files: { 'team.yaml': TEAM.replace('provider: cli', 'provider: rehearsal') } });
    const start = {
      ...{ id: 'one', by: 'ann', team: { file: 'team.yaml' } },
      script: scriptOf({ dev: [{ text: call('read_file', { path: 'none.txt' }) }, { text: 'done' }] }),
    };
    const first = await stand.open();
    const begun = await first.startRun(start);
    await first.drain();
    await stand.stopAll();
    const second = await stand.open();
    expect(await second.startRun(start)).toEqual(
      begun.ok ? { ok: true, value: { ...begun.value, diagnostics: [] } } : begun,
    );
    expect(await second.startRun({ ...start, goal: 'Another.' })).toMatchObject({
      ok: false,
      error: { kind: 'conflict', code: 'E_COMMAND_CONFLICT' },
    });
    expect(await second.runs()).toHaveLength(1);
  });
});
