import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { adopt } from '../../test/render.js';
import { printFiles } from '../print-files.js';
import { readerOf } from '../readers.js';
import { isSameNumber } from './numbers.js';

describe('a number', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

  it('is the same in every way to write it', () => {
    fc.assert(
      fc.property(finite, fc.nat(9), fc.nat(9), (value, front, back) => {
        const [digits = '', exponent = '0'] = String(value).replace(/^-/, '').split('e');
        const zeros = `${'0'.repeat(front)}${digits}${digits.includes('.') ? '' : '.'}${'0'.repeat(back)}`;
        const shifted = `${digits.replace('.', '')}E${Number(exponent) - (digits.split('.')[1]?.length ?? 0)}`;
        for (const written of [String(value), `${zeros}e${exponent}`, shifted])
          expect(isSameNumber(written, Number(written))).toBe(true);
      }),
      runs(60, 300),
    );
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        for (const written of [`0x${value.toString(16)}`, `0o${value.toString(8)}`])
          expect(isSameNumber(written, value)).toBe(true);
      }),
    );
  });

  it('is another one when it is written with more digits than a number holds', () => {
    const digit = fc.integer({ min: 1, max: 9 });
    const rest = fc.array(fc.nat(9), { minLength: 17, maxLength: 40 });
    fc.assert(
      fc.property(digit, rest, digit, fc.nat(40), (first, middle, last, point) => {
        const digits = [first, ...middle, last].join('');
        const written = `${digits.slice(0, point)}.${digits.slice(point)}`;
        expect(isSameNumber(written, Number(written))).toBe(false);
        expect(isSameNumber(digits, Number(digits))).toBe(false);
      }),
      runs(60, 300),
    );
    expect(isSameNumber(`0x${'f'.repeat(20)}`, Number(`0x${'f'.repeat(20)}`))).toBe(false);
    expect(isSameNumber('1e400', Number.POSITIVE_INFINITY)).toBe(false);
    expect(isSameNumber('1e-400', 0)).toBe(false);
  });
});

const ROWS = [
  {
    ...{ reader: 'langfuse', path: 'lf.json', line: 2 },
    text: (number: string) =>
      `[{"name": "p", "version": 1, "type": "text", "prompt": "Hi",\n"config": {"seed": ${number}}}]`,
  },
  {
    ...{ reader: 'openai', path: 'o.json', line: 2 },
    text: (number: string) =>
      `{"openai_prompt_id": "p", "name": "p", "production_version": "1", "versions": [{"version": "1", "messages": [{"role": "user", "content": "Hi"}],\n"config": {"seed": ${number}}}]}`,
  },
  {
    ...{ reader: 'github-models', path: 'p.prompt.yml', line: 2 },
    text: (number: string) =>
      `messages: [{ role: user, content: Hi }]\nmodelParameters: { seed: ${number} }\n`,
  },
  {
    ...{ reader: 'dotprompt', path: 'p.prompt', line: 4 },
    text: (number: string) => `---\nmodel: m\nconfig:\n  seed: ${number}\n---\nHi`,
  },
  {
    ...{ reader: 'claude', path: '.claude/agents/a.md', line: 4 },
    text: (number: string) => `---\nname: a\ndescription: d\nseed: ${number}\n---\nHi`,
  },
  {
    // A colon in a plain value: the fields are read one by one.
    ...{ reader: 'skill', path: '.claude/skills/a/SKILL.md', line: 4 },
    text: (number: string) => `---\nname: a\ndescription: d: e\nseed: ${number}\n---\nHi`,
  },
  {
    ...{ reader: 'promptfoo', path: 'promptfooconfig.yaml', line: 2 },
    text: (number: string) => `prompts: ["Hi {{seed}}"]\ntests: [{ vars: { seed: ${number} } }]\n`,
  },
];

describe.each(ROWS)('$reader', ({ reader: id, path, line, text }) => {
  const reader = readerOf(id);
  if (reader === undefined) throw new Error(id);
  const read = (number: string) => {
    const adopted = adopt(reader, path, text(number));
    const told = adopted.diagnostics.filter(({ message }) => message.includes('The number'));
    return { adopted, told };
  };

  it('names a number that is changed, at its line, and no other', () => {
    for (const number of ['9007199254740993', '12345678901234567890', '0.1234567890123456789'])
      expect(read(number).told).toMatchObject([
        { code: 'W_IMPORT_DIALECT', severity: 'info', line, message: expect.stringContaining(number) },
      ]);
    for (const number of ['0.1', '1.50', '1e3', '9007199254740992', '-0'])
      expect(read(number).told).toEqual([]);
  });

  it('never sends one that is past every number', () => {
    const { adopted, told } = read('1e400');
    expect(told).toMatchObject([{ line }]);
    for (const { params } of adopted.sheets) expect(JSON.stringify(params)).not.toMatch(/null|seed/);
    for (const { text: printed } of printFiles(adopted))
      expect(printed).not.toMatch(/^params:(?:\n {2}.*)*\n {2}seed/m);
  });
});
