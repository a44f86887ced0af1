import type { JsonValue, RunEventView } from '@cuebook/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { styleFor } from '../../output/style.js';
import { createCallLines } from './call-lines.js';

const plain = styleFor({ env: {}, terminal: { out: false, err: false } }, 'out');
const event = (type: string, data: JsonValue): RunEventView => ({
  ...{ id: 'r/1', run: 'r', seq: 1, at: 0, command: 'c', hash: 'h' },
  type,
  data,
});
const call = (id: string, name: string, input: JsonValue, more: object = {}): JsonValue =>
  ({ id, given: id, name, input, parallel: false, onCrash: 'ask', plan: 'run', ...more }) as JsonValue;
const judged = (...calls: JsonValue[]) => event('turn.judged', { node: 'dev', turn: 1, calls });
const began = (id: string, of: string, input: JsonValue = {}) =>
  event('effect.intended', { id, kind: 'tool.call', input: { call: of, tool: 't', input } });
const ended = (id: string, output: JsonValue) =>
  event('effect.settled', { id, outcome: { ok: true, output } });
const say = (...heard: readonly RunEventView[]): readonly string[] => {
  const lines = createCallLines(plain);
  return heard.flatMap((each) => lines.take(each)).map(({ node, text }) => `${node}: ${text}`);
};

describe('the calls of a run', () => {
  const RUN = call('c1', 'command', { cmd: 'npm test' });
  it.each<[string, readonly RunEventView[], readonly string[]]>([
    [
      'a command that was run, in the words that were allowed',
      [judged(RUN), began('e1', 'c1', { cmd: 'npm run unit' }), ended('e1', { text: 'all good\nmore' })],
      ['dev: ✓ command npm run unit → all good …'],
    ],
    [
      'a command that failed',
      [judged(RUN), began('e1', 'c1', { cmd: 'npm test' }), ended('e1', { text: 'exit 1', isError: true })],
      ['dev: ✗ command npm test failed: exit 1'],
    ],
    [
      'a call that was refused',
      [
        judged(
          call(
            'c2',
            'edit',
            { path: 'a.md' },
            { plan: 'refuse', result: { status: 'refused', text: 'Only reads.' } },
          ),
        ),
      ],
      ['dev: ✗ edit a.md refused: Only reads.'],
    ],
    [
      'a call that was denied',
      [judged(RUN), event('call.settled', { call: 'c1', result: { status: 'denied', text: 'No.' } })],
      ['dev: ✗ command npm test not done: denied: No.'],
    ],
    [
      'what a person said about it',
      [
        judged(RUN),
        event('approval.requested', { id: 'a1', about: 'c1', tool: 'command', input: { cmd: 'npm test' } }),
        event('approval.resolved', { id: 'a1', decision: 'deny', by: 'ann', message: 'Not now.' }),
      ],
      ['dev: ✗ command npm test denied by ann: Not now.'],
    ],
    [
      'an act of an agent in mid-turn, by its turn',
      [
        event('turn.started', { node: 'dev', turn: 1, effect: 'e9' }),
        event('approval.requested', { id: 'a1', about: 'e9', tool: 'edit', input: { path: 'x' } }),
        event('approval.resolved', { id: 'a1', decision: 'allow', by: 'ann' }),
      ],
      ['dev: edit x allowed by ann'],
    ],
    [
      'a handover, which has a line of its own',
      [judged(call('c3', 'send_handoff', { to: 'x' })), began('e3', 'c3'), ended('e3', 'sent')],
      [],
    ],
    ['an effect of nobody', [ended('e7', 'x'), began('e8', 'c8'), ended('e8', 'x')], []],
  ])('%s', (_name, heard, lines) => {
    expect(say(...heard)).toEqual(lines);
  });

  it('are one line each, whatever they hold, and nothing throws', () => {
    const types = fc.constantFrom(
      ...[
        'turn.started',
        'turn.judged',
        'native.called',
        'effect.intended',
        'effect.settled',
        'call.settled',
      ],
      ...['approval.requested', 'approval.resolved', 'other'],
    );
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(text, text, fc.array(types), (name, said, others) => {
        const lines = createCallLines(plain);
        for (const type of others) expect(lines.take(event(type, null))).toEqual([]);
        const heard = [
          judged(call('c', name, { cmd: said })),
          began('e', 'c', { cmd: said }),
          ended('e', { text: said, isError: name.length % 2 === 0 }),
        ].flatMap((each) => lines.take(each));
        for (const line of heard) {
          expect(line.text.split('\n').length).toBeLessThanOrEqual(1 + name.split('\n').length);
          expect(line.text.length).toBeLessThan(700);
        }
      }),
      runs(200, 5_000),
    );
  });
});
