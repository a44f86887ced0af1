import { describe, expect, it } from 'vitest';
import { modelsFor, type StartChoice, startCall } from './start-call.js';

const CHOICE: StartChoice = {
  ...{
    kind: 'roles',
    goal: ' Go. ',
    file: 'team.yaml',
    target: ' agent:a ',
    roles: ['reviewer', 'orchestrator'],
  },
  voices: { reviewer: 'codex', orchestrator: '', planner: 'gemini' },
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
        { alias: 'reviewer', role: 'reviewer', provider: 'codex' },
        { alias: 'orchestrator', role: 'orchestrator' },
      ],
      edges: [{ from: 'orchestrator', to: 'reviewer' }],
    });
  });

  it.each([
    [{ kind: 'file' }, { team: { file: 'team.yaml' }, goal: 'Go.' }],
    [{ kind: 'file', goal: ' ' }, { team: { file: 'team.yaml' } }],
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
