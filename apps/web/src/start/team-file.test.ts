import type { RunView } from '@cuebook/api';
import { memorySource } from '@cuebook/files';
import { loadTeam } from '@cuebook/team';
import { expect, it } from 'vitest';
import { teamFileOf } from './team-file.js';

const rights = {
  edgeManagement: 'none',
  writeCode: true,
  writeDocs: false,
  runCommands: false,
  delegateOnly: false,
};
const permissions = { cliPermissionsMode: 'gated', agentManagementRequiresApproval: true };
const node = (id: string, more: object) => ({
  ...{ id, label: 'A: "b"', alias: null, role: 'planner', provider: 'rehearsal', model: null },
  ...{ workspace: 'own', capabilities: rights, permissions, prompt: null, override: null, ...more },
});
const VIEW = {
  ...{
    goal: 'Say "hi": # now\nand then',
    done: [],
    mode: 'AUTO',
    globalMode: 'PLANNING',
    verify: ['npm test'],
  },
  budget: { turns: { spent: 1, limit: 7 }, tokens: { spent: 0, limit: 9 }, usd: { spent: 0, limit: null } },
  nodes: [node('n1', { alias: 'lead' }), node('n2', { workspace: { with: 'n1' }, override: '- x: y' })],
  edges: [{ id: 'e', from: 'n1', to: 'n2', type: 'handoff', bidirectional: false, label: '' }],
} as unknown as RunView;

it('a team file of a run is read as the team that the run has', async () => {
  const project = memorySource({ 'teams/a.yaml': teamFileOf(VIEW) });
  if (!project.ok) throw new Error(project.error.code);
  const loaded = await loadTeam(project.value, 'teams/a.yaml');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const { goal, budget, verify, nodes, edges } = loaded.value.team;
  expect({ goal, budget, verify, edges }).toEqual({
    ...{ goal: VIEW.goal, budget: { turns: 7 }, verify: ['npm test'] },
    edges: [{ from: 'lead', to: 'planner-1', type: 'handoff', bidirectional: false }],
  });
  expect(nodes).toMatchObject([
    { alias: 'lead', label: 'A: "b"', capabilities: rights, permissions },
    { alias: 'planner-1', workspace: { with: 'lead' }, override: '- x: y' },
  ]);
  expect(teamFileOf(VIEW)).toContain('  - alias: lead\n    label: "A: \\"b\\""\n    role: planner\n');
});

it.each([
  'no',
  'Null',
  'True',
  'on',
  'a-b',
  '-',
  '1',
  '1e3',
  '~',
  'a: b',
  '0x1',
  'a #b',
  '&a',
  ' a',
  'ü\u2028',
])('keeps the label %j a text', async (label) => {
  const view = { ...VIEW, nodes: [node('n1', { alias: 'lead', label })], edges: [] };
  const project = memorySource({ 'teams/a.yaml': teamFileOf(view as unknown as RunView) });
  if (!project.ok) throw new Error(project.error.code);
  const loaded = await loadTeam(project.value, 'teams/a.yaml');
  expect(loaded.ok && loaded.value.team.nodes[0]?.label).toBe(label);
});
