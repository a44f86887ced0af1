import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { brief, fixture, listener } from '../../test/fixture.js';
import { HOME, redactor, SECRET } from '../../test/play.js';
import type { Fields } from '../agent/fields.js';
import { endOfResult } from './failure.js';
import { createStreamReader } from './stream-reader.js';

function read(lines: readonly Fields[], exitCode?: number) {
  const { events, emit } = listener();
  const reader = createStreamReader({ emit, redactor, clean: (text) => redactor.redactText(text).text });
  let last: Fields | undefined;
  for (const line of lines) last ??= reader.line(line);
  reader.close();
  return { events, hasAnswered: reader.hasAnswered, end: last && endOfResult(last, exitCode) };
}

describe('the turns that Gemini CLI tells', () => {
  const TOOL_TURN = [
    'text 0: I will write and run.',
    'start write_file by agent',
    'end write_file: ""',
    'start run_shell_command by agent',
    'end run_shell_command: "from-shell"',
    'text 1: Done.',
    'usage 300 in, 60 out',
  ];
  const CASES: readonly [string, number, unknown, object | undefined, boolean][] = [
    [
      'plain',
      0,
      ['text 0: Hello from the stub.', 'usage 100 in, 20 out'],
      { reason: 'done', stop: 'stop' },
      true,
    ],
    ['tool-yolo', 0, TOOL_TURN, { reason: 'done' }, true],
    [
      'tool-default',
      0,
      expect.arrayContaining([expect.stringMatching(/^end write_file \(error\): .*not found/)]),
      { reason: 'done' },
      true,
    ],
    [
      'mcp-trust',
      0,
      expect.arrayContaining(['start mcp_orchestrator_spawn_node by agent', 'text 1: Spawned.']),
      { reason: 'done' },
      true,
    ],
    ['err-401', 145, ['usage 0 in, 0 out'], { error: { code: 'E_PROVIDER_AUTH', status: 401 } }, false],
    [
      'err-429-maxattempts1',
      173,
      ['usage 0 in, 0 out'],
      { error: { code: 'E_PROVIDER_RATE', status: 429 } },
      false,
    ],
    [
      'err-drop',
      1,
      ['text 0: partial text', 'usage 0 in, 0 out'],
      { error: { code: 'E_PROVIDER_FAILED' } },
      true,
    ],
    ['kill-SIGTERM', 0, [expect.stringMatching(/^text 0: /)], undefined, true],
  ];
  it.each(CASES)('%s', (name, exitCode, lines, ending, answered) => {
    const { events, end, hasAnswered } = read(fixture(`gemini/${name}`), exitCode);
    expect(brief(events)).toEqual(lines);
    expect({ end }).toMatchObject({ end: ending });
    expect(hasAnswered).toBe(answered);
  });

  it('tells a text protocol in one piece, though it came in many', () => {
    const [text] = brief(read(fixture('gemini/text-toolcall')).events);
    expect(text).toContain('{"tool_call":{');
  });

  it('tells nothing private of what its tools were given and gave', () => {
    const { events } = read([
      { type: 'tool_use', tool_id: 'a', tool_name: 'read_file', parameters: { file_path: `${HOME}/.netrc` } },
      {
        type: 'tool_result',
        tool_id: 'a',
        status: 'success',
        output: `password ${SECRET}${'x'.repeat(300_000)}`,
      },
    ]);
    const told = JSON.stringify(events);
    for (const secret of [HOME, SECRET]) expect(told).not.toContain(secret);
    expect(told).toContain('[cut: the output is longer]');
  });

  it('never throws, whatever it is told, and ends each call that it began', () => {
    const type = fc.constantFrom('message', 'tool_use', 'tool_result', 'error', 'result', 'init', 'thought');
    const id = fc.oneof(fc.constantFrom('a', 'b'), fc.jsonValue());
    const event = fc.record(
      {
        ...{ type, tool_id: id, role: fc.constantFrom('assistant', 'user'), content: fc.jsonValue() },
        ...{
          tool_name: fc.jsonValue(),
          parameters: fc.jsonValue(),
          output: fc.jsonValue(),
          stats: fc.jsonValue(),
        },
      },
      { requiredKeys: ['type'] },
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 15 }), (lines) => {
        const { events } = read(lines);
        const count = (kind: string) => events.filter((each) => each.type === kind).length;
        expect(count('tool.end')).toBe(count('tool.start'));
      }),
      runs(300, 20_000),
    );
  });
});
