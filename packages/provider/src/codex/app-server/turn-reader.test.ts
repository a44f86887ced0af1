import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { brief, fixture, listener } from '../../../test/fixture.js';
import { HOME, redactor, SECRET } from '../../../test/play.js';
import { type Fields, fieldsOf, textOf } from '../../agent/fields.js';
import type { TurnEvent } from '../../turn.js';
import { MAX_EVENT_OUTPUT } from '../report/tool-log.js';
import { createTurnReader } from './turn-reader.js';

const clean = (text: string) => redactor.redactText(text).text;
const WARNING = expect.stringContaining('warning: Codex could not find bubblewrap');

/** Reads a recorded stream up to the end of the first turn, or of the one on this thread. */
function read(lines: readonly Fields[], threadId?: string) {
  const started = lines.find(({ method }) => method === 'turn/started');
  const thread = threadId ?? textOf(fieldsOf(started?.params).threadId);
  const { events, emit } = listener();
  const reader = createTurnReader({ emit, clean, redactor, ours: (name) => name, threadId: thread });
  for (const { method, params } of lines) {
    const end = reader.notice(textOf(method), fieldsOf(params));
    if (end === undefined) continue;
    reader.close();
    return { events, end };
  }
  reader.close();
  return { events, end: undefined };
}

describe('the turns that the app-server tells', () => {
  const CASES: readonly [string, readonly unknown[], object][] = [
    [
      'plain',
      [WARNING, 'reasoning 0: hm', 'text 1: Hello from the stub.', 'usage 100 in, 20 out'],
      { reason: 'done', stop: 'stop' },
    ],
    [
      'approve-decline',
      [
        WARNING,
        'start fileChange by agent',
        'end fileChange (error): "declined"',
        'start commandExecution by agent',
        'end commandExecution (error): "declined"',
        'text 0: Done.',
        'usage 300 in, 60 out',
      ],
      { reason: 'done' },
    ],
    [
      'own-tool',
      [
        WARNING,
        'start spawn_node by caller',
        'end spawn_node: "{\\"ok\\":true,\\"node_id\\":\\"n-42\\"}"',
        'text 0: Spawned.',
        'usage 200 in, 40 out',
      ],
      { reason: 'done' },
    ],
    [
      'mcp',
      [
        WARNING,
        'start mcp__orchestrator__spawn_node by agent',
        expect.stringMatching(/^end mcp__orchestrator__spawn_node: ".*n-42/),
        'text 0: ok',
        'usage 200 in, 40 out',
      ],
      { reason: 'done' },
    ],
    ['interrupt', [WARNING, 'text 0: A long answer that never ends '], { reason: 'aborted' }],
    [
      'err-401',
      [WARNING, expect.stringContaining('warning: unexpected status 401')],
      { reason: 'error', error: { code: 'E_PROVIDER_AUTH', status: 401, retryable: false } },
    ],
    [
      'err-429',
      [WARNING, expect.stringContaining('429')],
      { reason: 'error', error: { code: 'E_PROVIDER_RATE', status: 429, retryable: true } },
    ],
    [
      'err-500',
      [WARNING, expect.stringContaining('high demand')],
      { reason: 'error', error: { code: 'E_PROVIDER_DOWN', status: 500, retryable: true } },
    ],
  ];
  it.each(CASES)('%s', (name, lines, ending) => {
    const { events, end } = read(fixture(`codex/${name}`));
    expect(brief(events)).toEqual(lines);
    expect(end).toMatchObject(ending);
  });

  it('keeps two threads of one process apart', () => {
    const lines = fixture('codex/parallel');
    const threads = new Set(
      lines
        .filter(({ method }) => method === 'turn/started')
        .map(({ params }) => textOf(fieldsOf(params).threadId)),
    );
    const texts = [...threads].map((thread) =>
      brief(read(lines, thread).events).filter((line) => line.startsWith('text')),
    );
    expect(texts.sort()).toEqual([[`text 0: ${'A '.repeat(20)}`], [`text 0: ${'B '.repeat(20)}`]]);
  });

  it('does not count an earlier turn that a resumed thread tells again', () => {
    const usage = (turnId: string, total: number, last: number) => ({
      method: 'thread/tokenUsage/updated',
      params: {
        ...{ threadId: 't', turnId },
        tokenUsage: { total: { inputTokens: total, outputTokens: 0 }, last: { inputTokens: last } },
      },
    });
    const { events } = read([
      usage('old', 500, 500),
      { method: 'turn/started', params: { threadId: 't', turn: { id: 'new' } } },
      usage('old', 500, 500),
      usage('new', 600, 100),
      usage('new', 730, 130),
      { method: 'turn/completed', params: { threadId: 't', turn: { id: 'new', status: 'completed' } } },
    ]);
    expect(brief(events)).toEqual(['usage 230 in, 0 out']);
  });

  it('tells nothing private of what its tools were given and gave, and cuts what is long', () => {
    const item = {
      ...{ type: 'commandExecution', id: 'c', status: 'completed', cwd: `${HOME}/work` },
      command: `cat ${HOME}/.netrc`,
      aggregatedOutput: `password ${SECRET}${'x'.repeat(MAX_EVENT_OUTPUT)}`,
    };
    const { events } = read([
      { method: 'turn/started', params: { threadId: 't', turn: { id: 'u' } } },
      { method: 'item/completed', params: { threadId: 't', turnId: 'u', item } },
    ]);
    const told = JSON.stringify(events);
    expect(told).not.toContain(HOME);
    expect(told).not.toContain(SECRET);
    expect(told.length).toBeLessThan(MAX_EVENT_OUTPUT + 2_000);
    expect(told).toContain('[cut: the output is longer]');
  });

  it('never throws, whatever it is told, and ends each call that it began', () => {
    const word = fc.constantFrom(
      ...[
        't',
        'u',
        'item',
        'm',
        'commandExecution',
        'fileChange',
        'mcpToolCall',
        'dynamicToolCall',
        'completed',
      ],
      ...['agentMessage', 'reasoning', 'failed', 'declined'],
    );
    const value = fc.oneof(word, fc.jsonValue(), fc.array(fc.jsonValue(), { maxLength: 3 }));
    const object = fc.record(
      Object.fromEntries(
        [
          'id',
          'type',
          'status',
          'text',
          'changes',
          'summary',
          'arguments',
          'error',
          'result',
          'total',
          'last',
        ].map((key) => [key, value]),
      ),
      { requiredKeys: [] },
    );
    const params = fc.record(
      {
        ...{ threadId: word, turnId: word, itemId: value, delta: value, message: value },
        ...{
          item: fc.oneof(object, value),
          turn: fc.oneof(object, value),
          tokenUsage: fc.oneof(object, value),
        },
      },
      { requiredKeys: [] },
    );
    const method = fc.constantFrom(
      ...['turn/started', 'turn/completed', 'item/started', 'item/completed', 'item/agentMessage/delta'],
      ...[
        'item/reasoning/summaryTextDelta',
        'thread/tokenUsage/updated',
        'error',
        'configWarning',
        'unknown',
      ],
    );
    const begin = { method: 'turn/started', params: { threadId: 't', turn: { id: 'u' } } };
    fc.assert(
      fc.property(fc.array(fc.record({ method, params }), { maxLength: 20 }), (lines) => {
        const { events } = read([begin, ...lines], 't');
        const ids = (type: 'tool.start' | 'tool.end') =>
          events.filter((event): event is Extract<TurnEvent, { type: typeof type }> => event.type === type);
        expect(
          ids('tool.end')
            .map(({ id }) => id)
            .sort(),
        ).toEqual(
          ids('tool.start')
            .map(({ id }) => id)
            .sort(),
        );
      }),
      runs(300, 20_000),
    );
  });
});
