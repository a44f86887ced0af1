import { memorySource } from '@cuebook/files';
import { expect, it } from 'vitest';
import { teamRun } from '../../test/team-run.js';
import { loadTeam } from './load.js';
import { startOf } from './start.js';

const TEAM = `goal: Ship it.
done: [Tests pass.]
mode: INTERACTIVE
budget: { turns: 9 }
verify: [npm test]
limits: { parallel: 2, depth: 1 }
nodes:
  - { alias: lead, role: orchestrator, provider: claude, model: big }
  - { alias: dev, role: implementer, workspace: shared, budget: { turns: 3 }, override: Be brief. }
edges:
  - { from: LEAD, to: dev, type: report }
`;

it('a team file starts a run as it says', async () => {
  const project = memorySource({ 'team.yaml': TEAM });
  if (!project.ok) throw new Error();
  const source = await loadTeam(project.value, 'team.yaml');
  if (!source.ok) throw new Error(JSON.stringify(source.diagnostics));
  const run = teamRun();
  const options = { run: 'run_1', by: 'ann', providers: ['claude'], priced: false };
  expect(run.submit(startOf(source.value, options))).toMatchObject({ ok: true });
  const [lead, dev] = [run.node('lead'), run.node('dev')];
  expect(run.state()).toMatchObject({
    status: 'running',
    edges: [{ from: lead.node.id, to: dev.node.id, type: 'report', label: 'report' }],
    settings: {
      mode: 'INTERACTIVE',
      goal: { text: 'Ship it.', by: 'author', ref: 'team.yaml', runs: [[8, 1, 7, 1]] },
      done: [{ text: 'Tests pass.', runs: [[11, 2, expect.any(Number), 1]] }],
      verify: ['npm test'],
      limits: { parallel: 2, depth: 1, nodes: 24 },
    },
  });
  expect(Object.keys(run.state().roles)).toContain('reviewer');
  expect(lead.node).toMatchObject({ provider: 'claude', model: 'big', orchestrator: true });
  expect(dev.node).toMatchObject({
    provider: 'rehearsal',
    workspace: 'shared',
    override: { text: 'Be brief.', runs: [[9, 9, expect.any(Number), 1]] },
    at: { ref: 'team.yaml', at: { alias: [expect.any(Number), expect.any(Number), 1] } },
  });
  expect(run.state().budget.scopes[`node/${dev.node.id}`]?.limit).toMatchObject({ turns: 3 });
  expect(run.turn('lead')).toBeDefined();
});

it('a goal that is handed in takes the place of the file’s', async () => {
  const project = memorySource({ 'team.yaml': TEAM });
  const source = await loadTeam((project as Extract<typeof project, { ok: true }>).value, 'team.yaml');
  if (!source.ok) throw new Error();
  const start = startOf(source.value, { run: 'r', by: 'ann', goal: 'Other.', providers: [], priced: false });
  expect(start.goal).toEqual({ text: 'Other.', by: 'user', ref: 'goal' });
});

it('a limit is told from where it is written, unless a person hands it in', async () => {
  const project = memorySource({ 'team.yaml': TEAM });
  const source = await loadTeam((project as Extract<typeof project, { ok: true }>).value, 'team.yaml');
  if (!source.ok) throw new Error();
  const options = { run: 'r', by: 'ann', providers: [], priced: false };
  const places = (budget?: { readonly turns: number }) =>
    startOf(source.value, { ...options, ...(budget && { budget }) }).nodes.map(
      (each) => each.at?.at['budget.turns'],
    );
  expect(places()).toEqual([
    [4, 18, 1],
    [9, 74, 1],
  ]);
  expect(places({ turns: 5 })).toEqual([undefined, [9, 74, 1]]);
});
