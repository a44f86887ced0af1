import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { fixture } from '../../../test/fixture.js';
import { type Fields, parseLine } from '../../agent/fields.js';
import type { AgentEvent } from './agent-event.js';
import { endOfResult } from './ending.js';
import { nameTools } from './tool-names.js';
import { createTurnReader } from './turn-reader.js';

/** Reads a recorded stream up to its first result. */
function replay(name: string) {
  // The server of the recording has another name than ours.
  const lines = fixture(`claude/${name}`).map(
    (line) => parseLine(JSON.stringify(line).replaceAll('mcp__orchestrator__', 'mcp__cuebook__')) ?? {},
  );
  const at = lines.findIndex(({ type }) => type === 'result');
  const reader = createTurnReader(nameTools([{ name: 'spawn_node' }]), (text) => text);
  const events = [
    ...(at < 0 ? lines : lines.slice(0, at)).flatMap((line) => reader.read(line)),
    ...reader.close(),
  ];
  const result = lines[at];
  const text = (type: 'text.delta' | 'reasoning.delta') =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  return {
    text: text('text.delta'),
    reasoning: text('reasoning.delta'),
    tools: events.flatMap((event) =>
      event.type === 'tool.end' ? [[event.name, event.by, event.isError ?? false]] : [],
    ),
    logs: events.filter((event) => event.type === 'log').length,
    tokens: [reader.usage(result).inputTokens, reader.usage(result).outputTokens],
    end: result && endOfResult(result, reader.failure()),
    events,
  };
}

const NOTHING = { text: '', reasoning: '', tools: [], logs: 0, tokens: [0, 0] };
const DONE = { reason: 'done', stop: 'stop' };

describe('a recorded turn', () => {
  it.each([
    ['plain', { text: 'Hello from the stub.', reasoning: 'let me think', tokens: [100, 20], end: DONE }],
    ['two-turns', { text: 'First answer.', tokens: [100, 20], end: DONE }],
    [
      'own-tools',
      {
        text: 'I will write a file and run a command.Done.',
        tools: [
          ['Write', 'agent', false],
          ['Bash', 'agent', false],
        ],
        tokens: [300, 60],
        end: DONE,
      },
    ],
    [
      'denied',
      {
        text: 'I will write a file and run a command.Done.',
        tools: [
          ['Write', 'agent', true],
          ['Bash', 'agent', true],
        ],
        tokens: [300, 60],
        end: DONE,
      },
    ],
    [
      'our-tool',
      { text: 'Spawning.Spawned.', tools: [['spawn_node', 'caller', false]], tokens: [200, 40], end: DONE },
    ],
    ['stream-error', { text: 'partialRecovered.', tokens: [200, 21], end: DONE }],
    ['interrupted', { text: 'A long answer that never ends ', tokens: [100, 1], end: { reason: 'aborted' } }],
    ['killed', { text: 'A long answer that never ends ', tokens: [100, 1], end: undefined }],
    [
      'status-401',
      { end: { reason: 'error', error: { code: 'E_PROVIDER_AUTH', status: 401, retryable: false } } },
    ],
    [
      'status-429',
      { logs: 1, end: { reason: 'error', error: { code: 'E_PROVIDER_RATE', status: 429, retryable: true } } },
    ],
    [
      'status-500',
      { logs: 2, end: { reason: 'error', error: { code: 'E_PROVIDER_DOWN', status: 500, retryable: true } } },
    ],
    ['not-signed-in', { end: { reason: 'error', error: { code: 'E_PROVIDER_AUTH', retryable: false } } }],
  ])('is read: %s', (name, expected) => {
    const { events: _, ...read } = replay(name);
    expect(read).toMatchObject({ ...NOTHING, ...expected });
  });

  it('has each tool begun once, before it ends', () => {
    for (const name of ['own-tools', 'denied', 'our-tool']) {
      const { events } = replay(name);
      const marks = events.flatMap((event) =>
        event.type === 'tool.start' || event.type === 'tool.end' ? [`${event.type} ${event.id}`] : [],
      );
      expect(new Set(marks).size).toBe(marks.length);
      expect(marks.filter((mark) => mark.startsWith('tool.start')).length).toBe(marks.length / 2);
    }
  });
});

describe('a reader of turns', () => {
  const reader = () => createTurnReader(nameTools([]), (text) => text);
  const use = (id: string, parent: string | null) => ({
    type: 'assistant',
    parent_tool_use_id: parent,
    message: {
      id: 'm',
      content: [
        { type: 'text', text: 'words' },
        { type: 'tool_use', id, name: 'Read', input: {} },
      ],
    },
  });

  it('tells what a helper agent does, not what it says', () => {
    const types = (parent: string | null) =>
      reader()
        .read(use('t', parent))
        .map(({ type }) => type);
    expect(types(null)).toEqual(['text.delta', 'tool.start']);
    expect(types('toolu_parent')).toEqual(['tool.start']);
  });

  it('closes a tool that has no outcome, and takes no second one', () => {
    const open = reader();
    open.read(use('t', null));
    expect(open.close()).toMatchObject([{ type: 'tool.end', id: 't', isError: true }]);
    const late = {
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
    };
    expect([...open.read(late), ...open.close()]).toEqual([]);
  });

  it('keeps bad arguments as they were written', () => {
    const open = reader();
    const stream = (event: Fields) => open.read({ type: 'stream_event', event });
    const events: AgentEvent[] = [
      ...stream({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't', name: 'Read' },
      }),
      ...stream({ type: 'content_block_delta', index: 0, delta: { partial_json: '{"a":' } }),
      ...open.close(),
    ];
    expect(events.at(-1)).toMatchObject({
      type: 'tool.end',
      input: undefined,
      badInput: '{"a":',
      isError: true,
    });
  });

  it('takes any line, of any shape', () => {
    const keys = fc.constantFrom(
      'type',
      'event',
      'message',
      'content',
      'uuid',
      'id',
      'usage',
      'index',
      'error',
    );
    const words = fc.constantFrom(
      'stream_event',
      'assistant',
      'user',
      'system',
      'result',
      'tool_use',
      'text',
      'message_start',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        words,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(keys, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(fc.dictionary(keys, tree)), (lines) => {
        const open = reader();
        for (const line of lines) open.read(line as Fields);
        open.close();
        const { inputTokens, outputTokens } = open.usage(lines[0] as Fields | undefined);
        expect(Math.min(inputTokens, outputTokens)).toBeGreaterThanOrEqual(0);
      }),
      runs(300, 20_000),
    );
  });
});
