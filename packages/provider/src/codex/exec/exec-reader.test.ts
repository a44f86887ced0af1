import { describe, expect, it } from 'vitest';
import { brief, fixture, listener } from '../../../test/fixture.js';
import { redactor } from '../../../test/play.js';
import type { LateStart } from '../../agent/late-start.js';
import type { CodexEnding } from '../driver.js';
import type { CodexTokenCount } from '../report/usage.js';
import { createExecReader } from './exec-reader.js';

function read(name: string) {
  const { events, emit } = listener();
  const starts: LateStart[] = [];
  const counts: CodexTokenCount[] = [];
  const reader = createExecReader({
    ...{ emit, redactor, clean: (text) => text, ours: (tool) => tool },
    announce: (start) => void starts.push(start),
    counted: (total) => void counts.push(total),
  });
  let end: CodexEnding | undefined;
  for (const event of fixture(`codex/exec-${name}`)) end ??= reader.line(event);
  reader.close();
  return { events, starts, counts, end };
}

describe('the turns that codex exec tells', () => {
  const CASES: readonly [string, readonly unknown[], object][] = [
    [
      'plain',
      [expect.stringMatching(/^reasoning 0: /), expect.stringMatching(/^text 1: /)],
      { reason: 'done' },
    ],
    [
      'tool-workspace',
      [
        'text 0: I will patch and run.',
        'start fileChange by agent',
        'end fileChange: ""',
        'start commandExecution by agent',
        'end commandExecution: "from-shell\\nhello world\\n"',
        'text 1: Done.',
      ],
      { reason: 'done', stop: 'stop' },
    ],
    [
      'tool-exit3',
      expect.arrayContaining([expect.stringMatching(/^end commandExecution \(error\): /)]),
      { reason: 'done' },
    ],
    [
      'mcp-approve-cfg',
      expect.arrayContaining(['start mcp__orchestrator__spawn_node by agent']),
      { reason: 'done' },
    ],
    [
      'err-401',
      [expect.stringMatching(/^warning: .*401/)],
      { error: { code: 'E_PROVIDER_AUTH', status: 401 } },
    ],
    [
      'err-429',
      [expect.stringMatching(/^warning: .*429/)],
      { error: { code: 'E_PROVIDER_RATE', status: 429 } },
    ],
    [
      'err-500-default-retries',
      expect.arrayContaining([expect.stringMatching(/^warning: Reconnecting/)]),
      { error: { code: 'E_PROVIDER_DOWN', status: 500, retryable: true } },
    ],
  ];
  it.each(CASES)('%s', (name, lines, ending) => {
    const { events, starts, end } = read(name);
    expect(brief(events)).toEqual(lines);
    expect(end).toMatchObject(ending);
    expect(starts).toEqual([{ sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
  });

  it('counts what the thread has cost', () => {
    expect(read('tool-workspace').counts).toMatchObject([{ input: 300, output: 60 }]);
    expect(read('err-401').counts).toEqual([]);
  });

  it('tells a text protocol in one piece', () => {
    const lines = brief(read('text-toolcall').events);
    expect(lines.some((line) => line.includes('{"tool_call":{'))).toBe(true);
  });
});
