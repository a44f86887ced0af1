import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalView, RunView } from '@cuebook/api';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { HARMLESS, lookAt, type PlayedNodes, playNodes } from './played-nodes.js';
import { call, must, type ServerStand, says, serverStand, start, team, until } from './server-stand.js';

const WEAVER =
  '[template]\nname = "weaver"\nversion = "1"\ncapabilities = ["edge_management_all"]\nconstraints = []\n\nYou weave.\n';
const spawn = (alias: string) => call('spawn_node', { label: alias, alias, roleTemplate: 'planner' });
const write = (path: string) => call('write_file', { path, content: 'new\n' });

let stand: ServerStand;
beforeAll(async () => {
  stand = await serverStand({
    files: { 'docs/templates/weaver.md': WEAVER, 'docs/a.md': 'a\n', 'src/a.ts': 'a\n' },
  });
});
afterAll(() => stand.remove());

const approvalsOf = (view: RunView): readonly ApprovalView[] =>
  view.needs.flatMap((need) => (need.kind === 'approval' ? [need.approval] : []));
const asked = (run: string, count = 1) => until(stand, run, (view) => approvalsOf(view).length >= count);

describe('44, 47, 48: spawning', () => {
  it('always waits for a person where the node does not lead, whatever its setting says; one no does not touch the others', async () => {
    stand.script({ weaver: [says(spawn('k1'), spawn('k2'), spawn('k3'))] });
    const permissions = { agentManagementRequiresApproval: false };
    const capabilities = { ...HARMLESS, edgeManagement: 'all' };
    const run = await start(stand, team([{ alias: 'weaver', role: 'weaver', capabilities, permissions }]));
    const first = await asked(run);
    expect(first.nodes).toMatchObject([{ status: 'blocked', work: { phase: 'waiting' } }]);
    const [one] = approvalsOf(first);
    expect(one).toMatchObject({
      tool: 'spawn_node',
      alias: 'weaver',
      input: { alias: 'k1' },
      status: 'waiting',
    });
    expect(one?.id).toMatch(/^apr_/);
    must(
      await stand.client.resolveApproval({
        run,
        approval: one?.id ?? '',
        decision: 'deny',
        message: 'Too many.',
      }),
    );
    const second = await until(stand, run, (view) => approvalsOf(view).some(({ id }) => id !== one?.id));
    const two = approvalsOf(second).find(({ id }) => id !== one?.id);
    must(
      await stand.client.resolveApproval({
        run,
        approval: two?.id ?? '',
        decision: 'change',
        input: { label: 'Changed', alias: 'changed', roleTemplate: 'planner' },
      }),
    );
    const third = await until(stand, run, (view) => approvalsOf(view).some(({ id }) => id !== two?.id));
    const three = approvalsOf(third).find(({ id }) => id !== two?.id);
    must(await stand.client.resolveApproval({ run, approval: three?.id ?? '', decision: 'allow' }));
    const played = await lookAt(stand, run);
    expect(played.view.nodes.map(({ alias }) => alias)).toEqual(['weaver', 'changed', 'k3']);
    expect(played.results('weaver').map(({ status, text }) => [status, /Too many/.test(text)])).toEqual([
      ['denied', true],
      ['ok', false],
      ['ok', false],
    ]);

    const again = await stand.client.resolveApproval({ run, approval: one?.id ?? '', decision: 'allow' });
    expect(again).toMatchObject({ ok: false, error: { status: 409, code: 'E_APPROVAL_RESOLVED' } });
    expect(must(await stand.client.getApproval({ run, approval: one?.id ?? '' }))).toMatchObject({
      status: 'deny',
      by: 'owner',
      message: 'Too many.',
    });
    expect(must(await stand.client.getApproval({ run, approval: two?.id ?? '' }))).toMatchObject({
      status: 'change',
      changed: { alias: 'changed' },
      input: { alias: 'k2' },
    });
  });

  it('48: is refused where the template does not have the scope, whatever the node may', async () => {
    const capabilities = { ...HARMLESS, edgeManagement: 'all' };
    const played = await playNodes(stand, [
      { alias: 'plain', node: { role: 'implementer', capabilities }, turns: [says(spawn('x'))] },
    ]);
    expect(played.results('plain')).toMatchObject([
      { code: 'E_TOOL_DENIED', text: expect.stringMatching(/template|role/i) },
    ]);
    expect(played.view.nodes).toHaveLength(1);
    expect(played.view.needs).toEqual([]);
  });

  it('a changed input that does not fit is 400, and the approval still waits', async () => {
    stand.script({ badly: [says(spawn('k'))] });
    const capabilities = { ...HARMLESS, edgeManagement: 'all' };
    const run = await start(stand, team([{ alias: 'badly', role: 'weaver', capabilities }]));
    const [approval] = approvalsOf(await asked(run));
    const id = approval?.id ?? '';
    expect(
      await stand.client.resolveApproval({ run, approval: id, decision: 'change', input: { label: 5 } }),
    ).toMatchObject({ ok: false, error: { status: 400, code: 'E_APPROVAL_INPUT' } });
    expect(must(await stand.client.listApprovals({ run })).approvals.map((each) => each.id)).toEqual([id]);
    must(await stand.client.stopRun({ run }));
    expect(must(await stand.client.getApproval({ run, approval: id })).status).toBe('withdraw');
    expect(must(await stand.client.listApprovals()).approvals.some((each) => each.id === id)).toBe(false);
    // Until the turn is closed, what changes in the shared folder counts as its node's.
    await lookAt(stand, run);
  });
});

describe('50, 51: what a node may write and run', () => {
  let played: PlayedNodes;
  const outside = () => join(stand.root, 'outside');
  beforeAll(async () => {
    mkdirSync(outside());
    symlinkSync(outside(), join(stand.project, 'docs', 'link'));
    const tries = says(
      write('src/b.ts'),
      write('docs/b.md'),
      write('docs/../src/c.ts'),
      write('docs/link/d.md'),
      write('../e.md'),
      call('command', { cmd: 'echo x > src/f.ts' }),
    );
    played = await playNodes(stand, [{ alias: 'planning', node: { capabilities: {} }, turns: [tries] }], {
      team: { globalMode: 'PLANNING' },
    });
  });

  it('PLANNING: documents alone, by no way around', () => {
    expect(played.results('planning').map(({ status }) => status === 'ok')).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(readFileSync(join(stand.project, 'docs/b.md'), 'utf8')).toBe('new\n');
    for (const path of ['src/b.ts', 'src/c.ts', 'docs/link/d.md', '../e.md', 'src/f.ts'])
      expect(existsSync(join(stand.project, path))).toBe(false);
  });

  it('PLANNING: what an agent changes with its own tools is flagged and set aside', async () => {
    stand.script({
      sly: [
        [
          { write: { path: 'src/sly.ts', content: 'sly\n' } },
          { write: { path: 'docs/sly.md', content: 'fine\n' } },
          { text: 'Done.' },
        ],
      ],
    });
    const run = await start(
      stand,
      team([{ alias: 'sly', provider: 'claude-like', capabilities: {} }], { globalMode: 'PLANNING' }),
    );
    const { turns, events } = await lookAt(stand, run);
    // Who may not even write documents is kept from it by the flags of the agent itself.
    await playNodes(stand, [{ alias: 'strict', turns: [] }], { team: { globalMode: 'PLANNING' } });
    expect(turns('sly')[0]?.flagged).toEqual(['src/sly.ts']);
    expect(events('changes.flagged')).toHaveLength(1);
    expect(existsSync(join(stand.project, 'src/sly.ts'))).toBe(false);
    expect(readFileSync(join(stand.project, 'docs/sly.md'), 'utf8')).toBe('fine\n');
    expect(stand.heard('sly')[0]?.access).toBe('edit');
    expect(stand.heard('strict')[0]?.access).toBe('plan');
  });

  const RIGHTS: readonly (readonly [string, Readonly<Record<string, boolean>>, readonly boolean[]])[] = [
    ['writeDocs', { writeDocs: false }, [true, false, true, true]],
    ['writeCode', { writeCode: false }, [false, true, true, true]],
    ['runCommands', { runCommands: false }, [true, true, false, true]],
    ['delegateOnly', { delegateOnly: true }, [false, false, false, true]],
  ];
  it('IMPLEMENTATION: as far as the rights of the node go', async () => {
    const cases = RIGHTS.map(([alias, capabilities]) => ({
      alias,
      node: { capabilities },
      turns: [
        says(
          write(`src/${alias}.ts`),
          write(`docs/${alias}.md`),
          call('command', { cmd: 'true' }),
          call('send_handoff', { to: 'peer', message: 'Hi.' }),
        ),
      ],
    }));
    const edges = RIGHTS.map(([alias]) => ({ from: alias, to: 'peer' }));
    const all = await playNodes(stand, [...cases, { alias: 'peer', turns: [] }], { team: { edges } });
    for (const [alias, , expected] of RIGHTS)
      expect([alias, all.results(alias).map(({ status }) => status === 'ok')]).toEqual([alias, expected]);
  });
});

describe('52, 53: an agent that asks before it acts', () => {
  const ask = (path: string) => ({
    ask: { tool: 'Write', input: { file_path: path, content: 'x\n' }, write: true },
  });
  const gated = (alias: string) => ({
    alias,
    provider: 'claude-like',
    capabilities: {},
    permissions: { cliPermissionsMode: 'gated' },
  });

  it('hears the no of a person, and does not act; with a change it does what was changed; a kind that was allowed is not asked again', async () => {
    stand.script({
      polite: [[ask('no.txt'), ask('this.txt'), ask('yes.txt'), ask('more.txt'), { text: 'Done.' }]],
    });
    const run = await start(stand, team([gated('polite')]));
    expect((await asked(run)).nodes).toMatchObject([{ status: 'blocked', work: { phase: 'waiting' } }]);
    const answer = async (body: object) => {
      const [approval] = approvalsOf(await asked(run));
      must(await stand.client.resolveApproval({ run, approval: approval?.id ?? '', ...body } as never));
      await until(stand, run, (view) => !approvalsOf(view).some(({ id }) => id === approval?.id));
      return approval;
    };
    expect(await answer({ decision: 'deny', message: 'Not there.' })).toMatchObject({
      tool: 'Write',
      alias: 'polite',
      input: { file_path: 'no.txt', content: 'x\n' },
    });
    await answer({ decision: 'change', input: { file_path: 'that.txt', content: 'that\n' } });
    await answer({ decision: 'allow', grant: true });
    const played = await lookAt(stand, run);
    expect(played.turns('polite')[0]).toMatchObject({ reason: 'done', text: 'Done.' });
    expect(
      ['no.txt', 'this.txt', 'that.txt', 'yes.txt', 'more.txt'].map((file) =>
        existsSync(join(stand.project, file)),
      ),
    ).toEqual([false, false, true, true, true]);
  });

  it('53: still waits after the server was ended and started again', async () => {
    stand.script({ patient: [says(spawn('late'))] });
    const capabilities = { ...HARMLESS, edgeManagement: 'all' };
    const run = await start(stand, team([{ alias: 'patient', role: 'weaver', capabilities }]));
    const [approval] = approvalsOf(await asked(run));
    stand = await stand.restart();
    expect(must(await stand.client.listApprovals({ run })).approvals).toMatchObject([
      { id: approval?.id, alias: 'patient', tool: 'spawn_node' },
    ]);
    must(await stand.client.resolveApproval({ run, approval: approval?.id ?? '', decision: 'allow' }));
    const { view } = await lookAt(stand, run);
    expect(view.nodes.map(({ alias }) => alias)).toEqual(['patient', 'late']);
  });
});

it('12: an edit of a template by an agent counts only after a person has seen it', async () => {
  const text = WEAVER.replaceAll('weaver', 'tailor').replace('You weave.', 'You sew.');
  stand.write('docs/templates/tailor.md', text);
  const changed = text.replace('You sew.', 'You rule.');
  writeFileSync(join(stand.root, 'changed'), changed);
  stand.script({
    tailor: [
      [{ write: { path: 'docs/templates/tailor.md', content: changed } }, { text: 'Mine now.' }],
      says('Two.'),
      says('Three.'),
    ],
  });
  const run = await start(
    stand,
    team([{ alias: 'tailor', role: 'tailor', provider: 'claude-like', capabilities: {} }]),
  );
  const view = await asked(run);
  const [approval] = approvalsOf(view);
  const [change] = approval?.changes ?? [];
  expect(change?.file).toBe('docs/templates/tailor.md');
  expect(change?.patch).toContain('-You sew.\n+You rule.');
  await stand.client.messageNode({ run, node: 'tailor', text: 'Go on.' });
  await until(stand, run, ({ turns, nodes }) => turns === 2 && nodes.every(({ work }) => work === null));
  const before = await lookAt(stand, run, false);
  expect(await before.prompt('tailor', 1)).toContain('You sew.');
  must(await stand.client.resolveApproval({ run, approval: approval?.id ?? '', decision: 'allow' }));
  await stand.client.messageNode({ run, node: 'tailor', text: 'Go on.' });
  const after = await lookAt(stand, run);
  expect(await after.prompt('tailor', 2)).toContain('You rule.');
});
