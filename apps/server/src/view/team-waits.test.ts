import { NEW_TEAM, type NodeState, type TeamState } from '@cuebook/team';
import { describe, expect, it } from 'vitest';
import { teamWaits } from './team-waits.js';

const node = (id: string, more: object): NodeState =>
  ({
    node: { id, alias: `${id}-alias`, orchestrator: false },
    work: null,
    hold: null,
    inbox: [],
    messages: [],
    results: [],
    ...more,
  }) as never;
const running = (nodes: readonly NodeState[], more: Partial<TeamState> = {}): TeamState => ({
  ...NEW_TEAM,
  status: 'running',
  settings: { ...NEW_TEAM.settings, mode: 'INTERACTIVE' },
  nodes: Object.fromEntries(nodes.map((each) => [each.node.id, each])),
  ...more,
});
const work = (more: object) => ({
  turn: 3,
  effect: 'turn_1',
  calls: [],
  native: [],
  step: null,
  outcome: null,
  ...more,
});

describe('what a team waits for beside approvals', () => {
  const CASES: readonly (readonly [name: string, state: TeamState, row: object])[] = [
    [
      'a turn in doubt',
      running([node('n1', { work: work({}) })], { doubts: ['turn_1'] }),
      {
        ...{
          for: 'outcome',
          id: 'turn_1',
          node: 'n1',
          alias: 'n1-alias',
          tool: '',
          answers: ['not-done', 'unknown'],
        },
        command: 'cuebook approvals answer turn_1 not-done',
        reason: 'A crash cut off turn 3, and nobody knows whether it was done.',
      },
    ],
    [
      'a command in doubt, by its words',
      running(
        [
          node('n1', {
            work: work({ calls: [{ id: 'c', effect: 'eff_1', name: 'command', input: { cmd: 'ls' } }] }),
          }),
        ],
        {
          doubts: ['eff_1'],
        },
      ),
      { for: 'outcome', id: 'eff_1', node: 'n1', tool: 'command', input: { cmd: 'ls' } },
    ],
    [
      'a node that failed',
      running([node('n1', { hold: { kind: 'failed', code: 'E_CHANGES_UNKNOWN', message: 'Look.' } })]),
      { for: 'input', id: 'run_1/n1-alias', reason: 'Look.', answers: ['resume', 'TEXT'] },
    ],
    [
      'a pause for money',
      running([], {
        status: 'paused',
        pause: { kind: 'budget', exhausted: { scope: 'run', unit: 'turns', limit: 5, spent: 5 } as never },
      }),
      { for: 'budget', id: 'run_1', answers: ['TURNS'], command: 'cuebook approvals answer run_1 TURNS' },
    ],
    ['nobody has anything to do', running([node('n1', {})]), { for: 'input', id: 'run_1', node: 'n1' }],
  ];
  it.each(CASES)('%s is listed with its node and the answers that there are', (_name, state, row) => {
    expect(teamWaits('run_1', state, 7)).toMatchObject([
      { kind: 'team', status: 'waiting', askedAt: 7, ...row },
    ]);
  });

  it('a run that is over waits for nobody', () => {
    for (const status of ['completed', 'failed', 'stopped'] as const)
      expect(teamWaits('run_1', running([node('n1', {})], { status }), 0)).toEqual([]);
  });
});
