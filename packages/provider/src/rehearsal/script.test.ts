import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { MAX_SCRIPT_BYTES, readScript } from './script.js';

describe('readScript', () => {
  it('reads YAML', () => {
    const text =
      'lanes:\n  worker:\n    - text: hi\n      toolCalls: [{ id: a, name: check }]\n  "*":\n    - error: { status: 500 }\n';
    expect(readScript(text, 'script.yaml')).toEqual({
      ok: true,
      value: {
        lanes: {
          worker: [{ text: 'hi', toolCalls: [{ id: 'a', name: 'check', args: {} }] }],
          '*': [{ error: { status: 500 } }],
        },
      },
    });
  });

  it('reads the JSON of any script', () => {
    const step = fc.record(
      { text: fc.string(), reasoning: fc.string(), delayMs: fc.nat(1000) },
      { requiredKeys: ['text'] },
    );
    // The schema library leaves `__proto__` out of every record.
    const name = fc.stringMatching(/^[\w*-]{1,12}$/).filter((each) => each !== '__proto__');
    const lanes = fc.dictionary(name, fc.array(step, { maxLength: 3 }), { minKeys: 1 });
    fc.assert(
      fc.property(lanes, (given) => {
        const read = readScript(JSON.stringify({ lanes: given }, null, 2), 's.json');
        expect(read).toEqual({ ok: true, value: { lanes: { ...given } } });
      }),
      runs(200, 5000),
    );
  });

  it('reports every problem at once, each with its line', () => {
    const text = [
      'lanes:',
      '  worker:',
      '    - txt: hi',
      '    - error: { status: 200 }',
      '    - toolCalls: [{ args: {} }]',
      'lane: 1',
    ].join('\n');
    const read = readScript(text, 'script.yaml');
    expect(!read.ok && read.error.map(({ line, path, code }) => [line, path, code])).toEqual([
      [3, 'lanes.worker[0].txt', 'E_SCRIPT'],
      [4, 'lanes.worker[1].error.status', 'E_SCRIPT'],
      [5, 'lanes.worker[2].toolCalls[0].name', 'E_SCRIPT'],
      [6, 'lane', 'E_SCRIPT'],
    ]);
  });

  const HOSTILE: ReadonlyArray<[string, string]> = [
    ['nothing', ''],
    ['no lanes', 'lanes: {}'],
    ['a list', '[1, 2]'],
    ['broken YAML', 'lanes: [\n'],
    ['a key twice', 'lanes: {a: [], a: []}'],
    ['deep nesting', `lanes: ${'['.repeat(100_000)}`],
    [
      'aliases of aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nlanes: [*c,*c,*c,*c,*c,*c,*c,*c,*c]`,
    ],
    ['too long', `lanes: {a: [{text: ${'x'.repeat(MAX_SCRIPT_BYTES)}}]}`],
    ['a delay for ever', 'lanes: {a: [{delayMs: 1e12}]}'],
  ];
  it.each(HOSTILE)('refuses %s', (_name, text) => {
    const read = readScript(text, 'script.yaml');
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.error[0]?.code).toBe('E_SCRIPT');
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'lanes:{}[]&*!|>-? \n\t"#x') }), (text) => {
        expect(typeof readScript(text, 's').ok).toBe('boolean');
      }),
      runs(300, 10_000),
    );
  });
});
