import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { block, piece, promptOf } from '../test/prompts.js';
import { keptPrefix } from './kept-prefix.js';
import { provenSavings } from './proven-saving.js';
import { stablePrefix } from './stable-prefix.js';

const named = (text: string, ref: string) => piece(text, { origin: { kind: 'variable', ref } });
const prompt = (...texts: readonly string[]) =>
  promptOf(...texts.map((text, at) => block(`b${at}`, 'user', ...(text === '' ? [] : [piece(text)]))));

describe('the kept prefix', () => {
  it('ends at the first byte that differs, and names what stands there', () => {
    const told = (count: string) =>
      promptOf(
        block('rules', 'system', piece('Be kind.')),
        block('task', 'user', piece('Ünit '), named(count, 'turn'), piece(' of 9')),
      );
    expect(keptPrefix(told('1'), told('2'))).toMatchObject({
      bytes: Buffer.byteLength('Be kind.\n\nÜnit '),
      brokenBy: { block: 'task', in: 'text', span: { origin: { ref: 'turn' } } },
    });
  });

  it('is the whole earlier prompt where words were only added', () => {
    expect(keptPrefix(prompt('a', 'b'), prompt('a', 'b', 'c'))).toEqual({ bytes: 4, brokenBy: null });
  });

  it('names words that are gone, and other roles and calls', () => {
    expect(keptPrefix(prompt('a', 'b'), prompt('a')).brokenBy).toMatchObject({ block: 'b1', in: 'text' });
    const roles = promptOf(block('b0', 'system', piece('a')));
    expect(keptPrefix(prompt('a'), roles)).toMatchObject({ bytes: 0, brokenBy: { in: 'role' } });
    const called = (id: string) => {
      const { blocks, ...rest } = prompt('a', 'b');
      const [first, second] = blocks;
      return { ...rest, blocks: [{ ...first, calls: [{ id, name: 'x', args: {} }] }, second] as never };
    };
    expect(keptPrefix(called('1'), called('2'))).toMatchObject({
      bytes: 1,
      brokenBy: { block: 'b0', in: 'beside' },
    });
  });

  it('is never longer than what two prompts share', () => {
    const texts = fc.array(fc.constantFrom('', 'a', 'aé', 'aè', '😀', '😁', 'ab'), { maxLength: 4 });
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const [before, after] = [prompt(...a), prompt(...b)];
        const { bytes, brokenBy } = keptPrefix(before, after);
        const [left, right] = [Buffer.from(before.text), Buffer.from(after.text)];
        expect(left.subarray(0, bytes).equals(right.subarray(0, bytes))).toBe(true);
        if (brokenBy === null) expect(bytes).toBe(left.length);
      }),
      runs(500, 5_000),
    );
  });
});

describe('what moving a break saves', () => {
  it('by labels ends at the next break', () => {
    const turn = { volatility: 'turn' } as const;
    const made = promptOf(
      block('a', 'user', piece('12', { ...turn, origin: { kind: 'variable', ref: 'n' } }), piece('four')),
      block('b', 'user', piece('5', { ...turn, origin: { kind: 'variable', ref: 'm' } }), piece('seventh')),
    );
    expect(stablePrefix(made).brokenBy).toMatchObject({ block: 'a', savesBytes: 4 });
  });

  it('is what the prompts that were told confirm: nothing where something else breaks at once', () => {
    const told = (count: number, other: number) =>
      promptOf(
        block('task', 'user', named(`${count}`, 'count'), named(`${other}`, 'other'), piece('a long rest')),
      );
    const steady = [1, 2, 3].map((count) => told(count, 7));
    expect(provenSavings(steady)).toEqual([
      { block: 'task', origin: { kind: 'variable', ref: 'count' }, turns: 2, savesBytes: 2 * 14 },
    ]);
    expect(provenSavings([1, 2, 3].map((count) => told(count, count)))).toEqual([]);
  });
});
