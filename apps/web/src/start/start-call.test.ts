import { memorySource } from '@cuebook/files';
import { loadTeam } from '@cuebook/team';
import { describe, expect, it } from 'vitest';
import { modelsFor, type StartChoice, startCall } from './start-call.js';

const CHOICE: StartChoice = {
  ...{
    kind: 'roles',
    goal: ' Go. ',
    file: 'team.yaml',
    target: ' agent:a ',
    inputs: { change: 'A line.' },
    roles: ['reviewer', 'orchestrator'],
  },
  voices: {
    reviewer: { provider: 'codex', model: 'gpt-5' },
    orchestrator: { provider: '', model: '' },
    planner: { provider: 'gemini', model: '' },
  },
  ...{ provider: 'rehearsal', model: '', turns: '5', usd: '', mode: 'INTERACTIVE' },
};

describe('startCall', () => {
  it('makes a team of roles in which the orchestrator may ask all others', () => {
    const { team } = startCall(CHOICE);
    expect(JSON.parse(team && 'text' in team ? team.text : '')).toEqual({
      goal: 'Go.',
      mode: 'INTERACTIVE',
      provider: 'rehearsal',
      budget: { turns: 5 },
      nodes: [
        { alias: 'reviewer', role: 'reviewer', provider: 'codex', model: 'gpt-5' },
        { alias: 'orchestrator', role: 'orchestrator' },
      ],
      edges: [{ from: 'orchestrator', to: 'reviewer' }],
    });
  });

  const VOICES = ['', 'rehearsal'].flatMap((provider) => ['', ' m '].map((model) => ({ provider, model })));
  it.each(VOICES.flatMap((common) => VOICES.map((own) => [common, own] as const)))(
    'makes a team that loads, of %j for all and %j for the reviewer',
    async (common, own) => {
      const { team } = startCall({ ...CHOICE, ...common, voices: { reviewer: own } });
      const project = memorySource({ 'team.yaml': team && 'text' in team ? team.text : '' });
      if (!project.ok) throw new Error(project.error.code);
      const loaded = await loadTeam(project.value, 'team.yaml');
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
      const [reviewer, lead] = loaded.value.team.nodes;
      expect(lead?.model).toBe(common.model.trim() || undefined);
      const follows = own.provider === '' ? common.model : '';
      expect(reviewer?.model).toBe((own.model || follows).trim() || undefined);
    },
  );

  it.each([
    [{ kind: 'file' }, { team: { file: 'team.yaml' }, goal: 'Go.' }],
    [{ kind: 'file', goal: ' ' }, { team: { file: 'team.yaml' } }],
    [
      { kind: 'target', target: 'sheet:a' },
      {
        target: 'sheet:a',
        input: 'Go.',
        inputs: { change: 'A line.' },
        provider: 'rehearsal',
        budget: { turns: 5 },
      },
    ],
    [{ kind: 'target' }, { target: 'agent:a', input: 'Go.', provider: 'rehearsal', budget: { turns: 5 } }],
  ] as const)('starts %j', (more, call) => {
    expect(startCall({ ...CHOICE, ...more })).toEqual(call);
  });
});

it('offers the models of the maker of a provider', () => {
  const models = ['claude-opus-5', 'gpt-5', 'o4-mini'];
  expect(modelsFor('claude', models)).toEqual(['claude-opus-5']);
  expect(modelsFor('codex', models)).toEqual(['gpt-5', 'o4-mini']);
  expect(modelsFor('', models)).toEqual(models);
});
