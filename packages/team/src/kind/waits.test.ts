import { describe, expect, it } from 'vitest';
import { NEW_TEAM, type NodeState, type TeamState } from '../run/state.js';
import { teamWaitList } from './waits.js';

const node = (id: string, more: object): NodeState =>
  ({
    node: { id, alias: `${id}-alias`, orchestrator: false, workspace: 'own' },
    work: null,
    hold: null,
    wake: null,
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
const waits = (state: TeamState) =>
  teamWaitList(state, { run: 'run_1', since: 7, approvals: [], changes: new Map() });

describe('what a team waits for beside approvals', () => {
  const CASES: readonly (readonly [name: string, state: TeamState, row: object])[] = [
    [
      'a turn in doubt',
      running([node('n1', { work: work({}) })], { doubts: ['turn_1'] }),
      {
        ...{ for: 'outcome', id: 'turn_1', lane: 'n1', name: 'n1-alias', tool: '' },
        ...{ answers: ['not-done', 'unknown'], example: 'not-done' },
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
        { doubts: ['eff_1'] },
      ),
      { for: 'outcome', id: 'eff_1', lane: 'n1', tool: 'command', input: { cmd: 'ls' } },
    ],
    [
      'a node that failed',
      running([node('n1', { hold: { kind: 'failed', code: 'E_CHANGES_UNKNOWN', message: 'Look.' } })]),
      { for: 'hold', id: 'run_1/n1-alias', reason: 'Look.', answers: ['resume', 'TEXT'] },
    ],
    [
      'a pause for money',
      running([], {
        status: 'paused',
        pause: { kind: 'budget', exhausted: { scope: 'run', unit: 'turns', limit: 5, spent: 5 } as never },
      }),
      { for: 'budget', id: 'run_1', answers: ['TURNS'], example: '10' },
    ],
    ['nobody has anything to do', running([node('n1', {})]), { for: 'input', id: 'run_1', lane: 'n1' }],
  ];
  it.each(CASES)('%s is listed with its node and the answers that there are', (_name, state, row) => {
    expect(waits(state)).toMatchObject([{ kind: 'team', run: 'run_1', since: 7, ...row }]);
  });

  it('a run that is over waits for nobody', () => {
    for (const status of ['completed', 'failed', 'stopped'] as const)
      expect(waits(running([node('n1', {})], { status }))).toEqual([]);
  });

  it('a node whose folder another holds that waits for a person is listed, and answered by nobody', () => {
    const asks = { id: 'c', effect: null, name: 'command', input: {}, phase: 'asked' };
    const holder = node('n1', { work: work({ native: [asks] }) });
    const other = { id: 'n2', alias: 'n2-alias', orchestrator: false, workspace: { with: 'n1' } };
    const waiting = node('n2', { node: other, messages: [{ text: 'Go.' }] });
    expect(waits(running([holder, waiting]))).toMatchObject([
      {
        for: 'folder',
        lane: 'n2',
        id: 'run_1/n2-alias',
        answers: [],
        reason: expect.stringContaining('n1-alias'),
      },
    ]);
    // Whoever is at work has the folder in its turn, and nobody waits for a person.
    expect(waits(running([node('n1', { work: work({}) }), waiting]))).toEqual([]);
  });
});
