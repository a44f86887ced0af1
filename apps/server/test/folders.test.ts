import { afterAll, beforeAll, expect, it } from 'vitest';
import { itInTurn } from '../../../test/runs.js';
import { lookAt } from './played-nodes.js';
import { must, nodeOf, type ServerStand, says, serverStand, start, team, until } from './server-stand.js';

let stand: ServerStand;
beforeAll(async () => {
  stand = await serverStand({ git: true, files: { 'a.txt': 'a\n' } });
});
afterAll(() => stand.remove());

const OWN = { workspace: 'own', provider: 'claude-like', capabilities: {} };

itInTurn('a node works in the folder of another: it is shown, applied and cleaned as that', async () => {
  stand.script({
    dev: [[{ write: { path: 'b.txt', content: 'by dev\n' } }, { text: 'Made.' }]],
    review: [[{ rename: ['b.txt', 'c.txt'] }, { text: 'Better.' }]],
    late: [[{ remove: 'c.txt' }, { text: 'Gone.' }]],
  });
  const nodes = [
    { alias: 'dev', role: 'orchestrator', ...OWN },
    { alias: 'review', ...OWN, workspace: { with: 'dev' } },
  ];
  const run = await start(stand, team(nodes));
  await lookAt(stand, run);
  must(await stand.client.messageNode({ run, node: 'review', text: 'Look.' }));
  const { view, turns } = await lookAt(stand, run);
  const dev = nodeOf(view, 'dev').id;
  expect(nodeOf(view, 'review').workspace).toEqual({ with: dev });
  expect(turns('review')[0]?.diff?.files).toEqual(expect.arrayContaining(['c.txt']));
  expect(turns('dev')[0]?.diff?.files).toEqual(['b.txt']);

  const late = { run, label: 'Late', alias: 'late', role: 'implementer', provider: 'claude-like' };
  const { node } = must(await stand.client.addNode({ ...late, workspace: { with: 'REVIEW' } }));
  expect(must(await stand.client.getRun({ run })).nodes.find(({ id }) => id === node)).toMatchObject({
    workspace: { with: dev },
  });
  expect(must(await stand.client.listWorkspaces({ run })).workspaces).toMatchObject([
    { node: dev, kind: 'own', unapplied: 1, others: [nodeOf(view, 'review').id, node] },
  ]);
  const preview = must(await stand.client.applyWork({ run, node: 'late', dryRun: true }));
  expect(preview.files).toEqual([{ path: 'c.txt', change: 'new', node: dev }]);
  must(await stand.client.messageNode({ run, node: 'late', text: 'Take it away.' }));
  await until(stand, run, (now) => nodeOf(now, 'late').lastTurn > 0 && nodeOf(now, 'late').work === null);
  expect(must(await stand.client.cleanWork({ run, node: 'review' }))).toMatchObject({ removed: [dev] });
});

it.each([
  [{ with: 'ghost' }, { status: 404, code: 'E_TEAM_NODE', message: expect.stringContaining('"ghost"') }],
  [{ with: '' }, { status: 400, field: expect.stringContaining('workspace') }],
  ['mine', { status: 400, field: expect.stringContaining('workspace') }],
])('no node is added to a workspace %j', async (workspace, error) => {
  stand.script({ dev: [says('Here.')] });
  const run = await start(stand, team([{ alias: 'dev', role: 'orchestrator', ...OWN }]));
  const node = { run, label: 'x', role: 'implementer', provider: 'cli', workspace: workspace as 'own' };
  expect(await stand.client.addNode(node)).toMatchObject({ ok: false, error });
});

it('a team whose nodes work in the folders of each other is not run', async () => {
  const nodes = [
    { alias: 'a', workspace: { with: 'b' } },
    { alias: 'b', workspace: { with: 'a' } },
  ];
  expect(await stand.client.startRun({ team: { text: team(nodes) } })).toMatchObject({
    ok: false,
    error: { status: 400, code: 'E_TEAM_WORKSPACE', field: 'team' },
  });
});
