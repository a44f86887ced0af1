import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { bothWays, WORKFLOW } from '../../test/both-ways.js';

/** What is asked of every run, whatever its kind. */
const LOOKS: readonly (readonly string[])[] = [
  ['runs'],
  ['runs', '--json'],
  ['approvals'],
  ['approvals', '--json'],
  ['log', 'LAST'],
  ['replay', 'LAST@1'],
  ['verify', 'LAST'],
  ['explain', 'LAST@1', '--at', '1:1'],
  ['prefix', 'LAST'],
  ['attach', 'LAST'],
  ['attach', 'LAST', '--json'],
];

const TEAM = ['run', 'team:asking.yaml'] as const;
const AGENT = ['run', 'agent:desk'] as const;
const PROMPT = ['run', 'prompt:clerk'] as const;
const LIFE = ['run', 'resident:ada'] as const;
const SHEET = ['run', 'sheet:greet'] as const;
/** A run is stopped, and once more when nothing of it is under way. */
const STOPS: readonly (readonly string[])[] = [
  ['runs', 'stop', 'LAST'],
  ['runs', '--json'],
  ['approvals'],
  ['log', 'LAST'],
  ['verify', 'LAST'],
  ['attach', 'LAST', '--json'],
  ['runs', 'stop', 'LAST', '--json'],
];

/** A run of each kind, to where it stands still, and what goes on with it; first the exit codes of `run`. */
const KINDS: Readonly<Record<string, readonly [codes: readonly number[], ...calls: (readonly string[])[]]>> =
  {
    team: [
      [1, 2, 2, 2, 1, 0, 0, 0],
      [...TEAM, '--script', 'order.json', '--turns', '9'],
      ...LOOKS,
      [...AGENT, '--run', 'LAST', '--input', 'Hi'],
      [...SHEET, '--run', 'LAST'],
      [...TEAM, '--run', 'LAST', '--goal', 'Other'],
      [...TEAM, '--run', 'LAST', '--settle', 'unknown'],
      [...TEAM, '--run', 'LAST', '--answer', 'no', '--json'],
      [...TEAM, '--run', 'LAST'],
      ...LOOKS,
      ...STOPS,
      [...TEAM, '--run', 'LAST'],
    ],
    agent: [
      [1, 2, 0, 1, 1, 0],
      [...AGENT, '--script', 'pay.json', '--input', 'Hi'],
      ...LOOKS,
      [...TEAM, '--run', 'LAST'],
      [...AGENT, '--run', 'LAST', '--answer', 'no'],
      ...LOOKS,
      [...AGENT, '--script', 'pay.json', '--input', 'Hi'],
      ...STOPS,
      [...AGENT, '--run', 'LAST'],
      [...AGENT, '--run', 'LAST', '--input', 'Hi'],
    ],
    prompt: [
      [1, 2, 0, 0],
      [...PROMPT, '--script', 'pay.json', '--input', 'Hi'],
      ...LOOKS,
      [...AGENT, '--run', 'LAST'],
      [...PROMPT, '--run', 'LAST', '--answer', 'no'],
      ...LOOKS,
      ...STOPS,
      [...PROMPT, '--run', 'LAST'],
    ],
    resident: [
      [0, 1],
      [...LIFE, '--script', 'life.json'],
      // Without a server it ends with its process, and with one it lives on until it is stopped.
      ...STOPS,
      ...LOOKS,
      [...LIFE, '--run', 'LAST'],
    ],
    workflow: [
      [1, 1, 1],
      ['run', WORKFLOW, '--script', 'ask.json'],
      ...LOOKS,
      ['run', WORKFLOW, '--run', 'LAST', '--answer', 'large'],
      ...LOOKS,
      ...STOPS,
      ['run', WORKFLOW, '--run', 'LAST'],
    ],
    'a manifest of the project': [
      [0, 0, 2],
      ['run', 'manifest:default/clerk', '--script', 'talk.json'],
      ...LOOKS,
      ...STOPS,
      ['run', 'manifest:default/clerk', '--run', 'LAST'],
      ['run', 'manifest:default/nobody', '--script', 'talk.json'],
    ],
    'a manifest that is handed in': [
      [0, 0],
      ['run', '-f', 'manifests/clerk.yaml', '--script', 'talk.json'],
      ...LOOKS,
      ...STOPS,
      ['run', '-f', 'manifests/clerk.yaml', '--script', 'talk.json', '--json'],
    ],
    'the example of its author': [
      [0, 0],
      [...SHEET, '--script', 'talk.json'],
      ...LOOKS,
      ...STOPS,
      [...SHEET, '--script', 'talk.json', '--json'],
    ],
    'a kind of the project': [
      [0, 0, 0],
      ['run', 'ledger:shop', '--script', 'talk.json', '--input', 'Hi'],
      ...LOOKS,
      ['run', 'ledger:shop', '--run', 'LAST', '--input', 'More'],
      ...STOPS,
      ['run', 'ledger:shop', '--run', 'LAST'],
    ],
    'one turn': [
      [0, 0, 2, 2, 2, 2, 2],
      [...SHEET, '--set', 'mail=Hi', '--script', 'talk.json'],
      ...LOOKS,
      ...STOPS,
      [...SHEET, '--run', 'LAST'],
      [...SHEET, '--run', 'LAST', '--set', 'mail=Ho'],
      [...SHEET, '--run', 'LAST', '--script', 'talk.json'],
      ['run', 'role:planner', '--run', 'LAST'],
      [...SHEET, '--answer', 'yes'],
      [...SHEET, '--attach', 'talk.json'],
    ],
  };

/** Of a log the names of its events: who works on a run, and what they wrote down of the script, is theirs. */
const namesOf = ([call, code, out, err]: readonly unknown[]): readonly unknown[] =>
  call === 'log LAST' ? [call, code, String(out).match(/ [a-z]+\.[a-z.]+ /g), err] : [call, code, out, err];

/** What is traced, each in a project of its own; the trace is of what was sent, whoever sent it. */
const TRACED: Readonly<Record<string, readonly string[]>> = {
  agent: [...AGENT, '--script', 'talk.json', '--input', 'Hi'],
  prompt: [...PROMPT, '--script', 'talk.json', '--input', 'Hi'],
  workflow: ['run', WORKFLOW, '--script', 'ask.json'],
  'one turn': [...SHEET, '--set', 'mail=Hi', '--script', 'talk.json'],
};

describe('a run of each kind, with a server and without one', () => {
  it.each(Object.keys(TRACED))('is traced in the same way: %s', async (kind) => {
    const calls = [[...(TRACED[kind] ?? []), '--trace', 'trace.json'], ...LOOKS];
    const [alone = [], hosted = []] = await bothWays(calls);
    expect(hosted.map(namesOf)).toEqual(alone.map(namesOf));
    expect(alone[0]?.[1]).not.toBe(2);
  });

  it.each(Object.keys(KINDS))('is shown, answered and gone on with in the same way: %s', async (kind) => {
    const [codes = [], ...calls] = KINDS[kind] ?? [];
    const [alone = [], hosted = []] = await bothWays(calls);
    expect(hosted.map(namesOf)).toEqual(alone.map(namesOf));
    const ran = alone.filter(([call]) => String(call).startsWith('run '));
    expect(ran.map(([, code]) => code)).toEqual(codes);
    // Whoever looks at a run is told of it; how it stands is the code of who follows it.
    const looked = alone.filter(([call]) => !/^(?:run|attach) /.test(String(call)));
    expect(looked.filter(([, code]) => code !== 0)).toEqual([]);
  });
});
