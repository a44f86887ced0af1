import { describe, expect, it } from 'vitest';
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
    ['limit turns=40', { kind: 'limit', node: undefined, to: { turns: 40 } }],
    ['limit dev tokens=1000 usd=2.5', { kind: 'limit', node: 'dev', to: { tokens: 1000, usd: 2.5 } }],
    ...['limit', 'limit dev', 'limit turns=0', 'limit turns=1.5', 'limit days=3', 'limit dev turns'].map(
      (line) =>
        [line, { kind: 'wrong', message: 'limit [NODE] turns=N tokens=N usd=N, with numbers above 0' }] as [
          string,
          object,
        ],
    ),
    ['p', { kind: 'pause' }],
    ['q', { kind: 'quit' }],
    ['dance', { kind: 'wrong', message: '"dance" is not a command here; help lists them.' }],
  ])('%j', (line, command) => {
    expect(readCommand(line)).toEqual(command);
  });
});
