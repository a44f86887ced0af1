import type { JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { anyToken } from '../../../../test/tokens.js';
import { byteLength, clipBytes, clipText, clipWords } from './clip.js';
import { fitResult } from './fit-result.js';
import { readOutcome, UNKNOWN_OUTCOME } from './result.js';

const done = (output: JsonValue) => readOutcome({ ok: true, output }, 100);

it.each([
  ['a text', 'hello', { status: 'ok', text: 'hello' }],
  ['a text in a frame', { text: 'hello' }, { status: 'ok', text: 'hello' }],
  [
    'an error in a frame',
    { text: 'no', isError: true },
    { status: 'error', code: 'E_TOOL_FAILED', text: 'no' },
  ],
  [
    'a reference',
    { text: 'see there', blob: 'sha256:ab' },
    { status: 'ok', text: 'see there', blob: 'sha256:ab' },
  ],
  ['any JSON', { rows: [1, 2] }, { status: 'ok', text: '{"rows":[1,2]}' }],
  ['nothing', null, { status: 'ok', text: 'null' }],
])('the output of a tool: %s', (_title, output, result) => {
  expect(done(output)).toEqual(result);
});

it('a failed driver is an error result with its code', () => {
  const outcome = { ok: false, error: { code: 'E_EFFECT_TIMEOUT', message: 'too long' } } as const;
  expect(readOutcome(outcome, 100)).toEqual({ status: 'error', code: 'E_EFFECT_TIMEOUT', text: 'too long' });
});

it('an outcome that nobody knows says so', () => {
  expect(readOutcome(UNKNOWN_OUTCOME, 100)).toMatchObject({ status: 'unknown' });
});

it('a result past the bound is cut, and says how long it was', () => {
  const { text } = done('x'.repeat(5_000));
  expect(byteLength(text)).toBeLessThanOrEqual(100);
  expect(text).toContain('5000 bytes');
});

describe('clipping', () => {
  it('stays within the bound, keeps the beginning, and never leaves half a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer({ min: 40, max: 200 }),
        (text, max) => {
          const clipped = clipBytes(text, max);
          const isWhole = byteLength(text) <= max;
          expect(byteLength(clipped)).toBeLessThanOrEqual(max);
          expect(text.startsWith(isWhole ? clipped : clipped.slice(0, clipped.lastIndexOf('\n[cut: ')))).toBe(
            true,
          );
          expect(clipped === text).toBe(isWhole);
          expect(clipped.isWellFormed()).toBe(true);
          const short = clipText(text, max);
          expect(short.length).toBeLessThanOrEqual(max);
          expect(short.isWellFormed()).toBe(true);
        },
      ),
      runs(300, 30_000),
    );
  });
});

describe('clipping words that are masked later', () => {
  it('leaves no half of a credential, wherever it is cut', () => {
    const words = fc.string({ unit: fc.constantFrom(...'abc ,:"\n'), maxLength: 120 });
    const around = fc.constantFrom(' ', '"', '\n', '(', 'key: ');
    fc.assert(
      fc.property(
        anyToken,
        words,
        around,
        words,
        fc.integer({ min: 60, max: 240 }),
        (token, before, open, after, max) => {
          const text = `${before}${open}${token} ${after}`;
          for (const clipped of [clipWords(text, max), clipBytes(text, max)]) {
            const told = clipped.split(token).join(' ');
            expect([max, text, told.includes(token.slice(0, 10))]).toEqual([max, text, false]);
          }
        },
      ),
      runs(400, 30_000),
    );
  });

  it('keeps what is no credential, up to the bound', () => {
    expect(clipWords('an ordinary sentence of ordinary words', 20)).toBe('an ordinary sentenc…');
    expect(clipWords('x'.repeat(100), 20)).toBe(`${'x'.repeat(19)}…`);
  });
});

describe('fitting a result', () => {
  const kept: string[] = [];
  const keep = async (text: string, bytes: number) => {
    kept.push(text);
    return { text: `${bytes} bytes are kept`, blob: 'sha256:ab' };
  };

  it('what is small goes as it is', async () => {
    expect(await fitResult({ output: 'small', isError: true }, { keep })).toEqual({
      text: 'small',
      isError: true,
    });
    expect(kept).toEqual([]);
  });

  it('what is large is stored, and the caller says what stands for it', async () => {
    const output = 'é'.repeat(40_000);
    expect(await fitResult({ output }, { keep })).toEqual({
      text: '80000 bytes are kept',
      blob: 'sha256:ab',
    });
    expect(kept).toEqual([output]);
  });
});
