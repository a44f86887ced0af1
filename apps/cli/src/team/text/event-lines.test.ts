import type { Followed, JsonValue } from '@cuebook/api';
import { describe, expect, it } from 'vitest';
import { styleFor } from '../../output/style.js';
import { createEventLines } from './event-lines.js';

const plain = styleFor({ env: {}, terminal: { out: false, err: false } }, 'out');
const nodes = [
  { id: 'n1', alias: 'lead', label: 'Lead' },
  { id: 'n2', alias: null, label: 'Dev' },
] as never;

const event = (type: string, data: JsonValue): Followed => ({
  type: 'event',
  event: { ...{ id: 'r/1', run: 'r', seq: 1, at: 0, command: 'c', hash: 'h' }, type, data },
});
const live = (node: string, heard: object): Followed =>
  ({ type: 'live', live: { run: 'r', node, turn: 't', event: heard } }) as Followed;
const text = (node: string, words: string) => live(node, { type: 'text.delta', block: 0, text: words });

describe('the lines of a run', () => {
  const say = (...heard: readonly Followed[]): string => {
    const lines = createEventLines({ nodes }, plain);
    return heard.map((each) => lines.take(each)).join('');
  };

  it('words of nodes that speak at the same time come in whole lines, with the name in front', () => {
    const words = [
      text('n1', 'Hel'),
      text('n2', 'One\nTw'),
      text('n1', 'lo\n'),
      live('n2', { type: 'turn.end', reason: 'done' }),
    ];
    expect(say(...words)).toBe('Dev  One\nlead Hello\nDev  Tw\n');
  });

  it('a call in the words is shown by what comes of it', () => {
    const words = text('n1', 'Go.\n{"tool_call":{"name":"send_handoff","args":{}}}\n');
    const sent = event('envelope.sent', {
      fromNodeId: 'n1',
      toNodeId: 'n2',
      payload: { message: 'Do it.\nNow.' },
    });
    expect(say(words, sent)).toBe('lead Go.\nlead → Dev Do it. …\n');
  });

  it.each<[string, readonly Followed[], string]>([
    [
      'a new node',
      [event('node.added', { node: { id: 'n3', alias: 'scout', label: 'x' }, by: 'n1' }), text('n3', 'Hi\n')],
      'scout Hi\n',
    ],
    [
      'a diff',
      [
        event('effect.intended', { id: 'e', kind: 'diff.take', input: { node: 'n2' } }),
        event('effect.settled', { id: 'e', outcome: { ok: true, output: { files: ['a', 'b'] } } }),
      ],
      'Dev  changed a, b\n',
    ],
    [
      'no change',
      [
        event('effect.intended', { id: 'e', kind: 'diff.take', input: { node: 'n2' } }),
        event('effect.settled', { id: 'e', outcome: { ok: true, output: { files: [] } } }),
      ],
      '',
    ],
    [
      'a failed check',
      [
        event('effect.intended', { id: 'e', kind: 'verify.run', input: { node: 'n2' } }),
        event('effect.settled', {
          id: 'e',
          outcome: { ok: true, output: { failure: '$ npm test\n(exit code 1)' } },
        }),
      ],
      'Dev  checks failed\nDev  $ npm test\nDev  (exit code 1)\n',
    ],
    [
      'what was set aside',
      [event('changes.flagged', { node: 'n2', files: ['src/a.ts'], rule: 'x' })],
      'Dev  removed, against the rules: src/a.ts\n',
    ],
    [
      'a turn that failed',
      [event('turn.closed', { node: 'n1', turn: 1, reason: 'failed', results: [] })],
      'lead turn failed\n',
    ],
    [
      'a hold',
      [event('node.held', { node: 'n1', hold: { kind: 'failed', code: 'E', message: 'boom' } })],
      'lead holds: failed, boom\n',
    ],
    ['a pause', [event('run.paused', { kind: 'person', by: 'ann' })], 'The run is paused by ann\n'],
    ['what nobody knows', [event('something.new', null), { type: 'ready', seq: 1 }], ''],
  ])('%s', (_title, heard, lines) => {
    expect(say(...heard)).toBe(lines);
  });
});
