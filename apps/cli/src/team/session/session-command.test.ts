import { describe, expect, it } from 'vitest';
import { limitsInputSchema } from '../../../../../packages/api/src/schema/run.js';
import { readLimits } from '../limits.js';
import { readCommand } from './session-command.js';

describe('what is typed at a run', () => {
  it.each([
    ['', { kind: 'nothing' }],
    ['a', { kind: 'allow', which: undefined, grant: false }],
    ['allow #2', { kind: 'allow', which: 2, grant: false }],
    ['g', { kind: 'allow', which: undefined, grant: true }],
    ['deny', { kind: 'deny', which: undefined, message: '' }],
    ['deny 2 not  now', { kind: 'deny', which: 2, message: 'not  now' }],
    ['deny 20 years is too long', { kind: 'deny', which: 20, message: 'years is too long' }],
    ['deny because', { kind: 'deny', which: undefined, message: 'because' }],
    ['c', { kind: 'change', which: undefined, input: undefined }],
    ['change 3 {"cmd":"ls"}', { kind: 'change', which: 3, input: { cmd: 'ls' } }],
    ['change {"cmd":"ls"}', { kind: 'change', which: undefined, input: { cmd: 'ls' } }],
    ['change {', { kind: 'wrong', message: 'What stands behind change is not JSON, so nothing was done.' }],
    ['m dev hello there', { kind: 'message', node: 'dev', text: 'hello there', interrupt: false }],
    ['message! dev stop', { kind: 'message', node: 'dev', text: 'stop', interrupt: true }],
    ['m dev', { kind: 'wrong', message: 'message NODE WORDS' }],
    ['  I  dev ', { kind: 'interrupt', node: 'dev' }],
    ['interrupt', { kind: 'wrong', message: 'interrupt NODE' }],
    ['resume', { kind: 'resume', node: undefined }],
    ['r dev', { kind: 'resume', node: 'dev' }],
    ['diff dev', { kind: 'diff', node: 'dev' }],
    ['mode planning', { kind: 'mode', mode: { globalMode: 'PLANNING' } }],
    ['mode AUTO', { kind: 'mode', mode: { mode: 'AUTO' } }],
    ['mode', { kind: 'wrong', message: 'mode auto, or interactive, or planning, or implementation' }],
    [
      'mode constructor',
      { kind: 'wrong', message: 'mode auto, or interactive, or planning, or implementation' },
    ],
    ['override dev Be  brief.', { kind: 'override', node: 'dev', text: 'Be  brief.' }],
    ['override dev', { kind: 'override', node: 'dev', text: null }],
    ['override', { kind: 'wrong', message: 'override NODE TEXT' }],
    ['limit turns=40', { kind: 'limit', node: undefined, spent: { turns: 40 }, bounds: {} }],
    [
      'limit dev tokens=1000 usd=2.5',
      { kind: 'limit', node: 'dev', spent: { tokens: 1000, usd: 2.5 }, bounds: {} },
    ],
    [
      'limit turns=9 parallel=2 parallel.claude-code=1 approvalMinutes=0.5',
      {
        kind: 'limit',
        node: undefined,
        spent: { turns: 9 },
        bounds: { parallel: 2, approvalMinutes: 0.5, perProvider: { 'claude-code': 1 } },
      },
    ],
    ...[
      ...['limit', 'limit dev', 'limit turns=0', 'limit turns=1.5', 'limit days=3', 'limit dev turns'],
      ...['limit dev parallel=2', 'limit nodes=2 nodes=3', 'limit nodes.x=2', 'limit constructor=1'],
    ].map(
      (line) =>
        [
          line,
          { kind: 'wrong', message: expect.stringMatching(/^limit \[NODE\] turns=N tokens=N usd=N/) },
        ] as [string, object],
    ),
    ['p', { kind: 'pause' }],
    ['q', { kind: 'quit' }],
    ['dance', { kind: 'wrong', message: '"dance" is not a command here; help lists them.' }],
  ])('%j', (line, command) => {
    expect(readCommand(line)).toEqual(command);
  });
});

it('every limit that a run is started with can be set while it runs', () => {
  const names = Object.keys(limitsInputSchema.shape);
  const written = names.map((name) => (name === 'perProvider' ? 'parallel.x=1' : `${name}=1`));
  const command = readCommand(`limit ${written.join(' ')}`);
  expect(command).toMatchObject({ kind: 'limit', spent: {} });
  const { bounds } = command as Extract<typeof command, { kind: 'limit' }>;
  expect(Object.keys(bounds).sort()).toEqual([...names].sort());
  expect(limitsInputSchema.safeParse(bounds).success).toBe(true);
  expect(limitsInputSchema.safeParse(readLimits(written)).success).toBe(true);
});
