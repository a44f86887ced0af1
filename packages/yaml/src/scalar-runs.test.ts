import { advancePlace } from '@cuebook/prompt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { runs } from '../../../test/runs.js';
import { readYaml } from './source.js';

const LABELS = { trust: 'author', secrecy: 'public', volatility: 'build' } as const;
const STYLES = ['BLOCK_LITERAL', 'BLOCK_FOLDED', 'PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE'] as const;

/** What stands in the source at a place, to the end of its line and with it. */
function restOf(lines: readonly string[], line: number, column: number): string {
  return [...(lines[line - 1] ?? '')].slice(column - 1).join('');
}

test('every byte of every scalar is where its piece says, however it is written', () => {
  const words = fc.array(
    fc.constantFrom('ab', 'é', '😀', ' ', '  ', '\n', '\n\n', "'", '"', '\\', ': ', ' #', '\t', '-'),
    {
      maxLength: 30,
    },
  );
  fc.assert(
    fc.property(
      words,
      fc.constantFrom(...STYLES),
      fc.integer({ min: 20, max: 40 }),
      fc.boolean(),
      (parts, style, lineWidth, isWindows) => {
        const text = parts.join('');
        const made = `pad: é\nlist:\n  - a: ${'x'}\n    ${stringify({ b: text }, { defaultStringType: style, lineWidth }).replace(/\n(?=.)/g, '\n    ')}`;
        const source = isWindows ? made.replaceAll('\n', '\r\n') : made;
        const read = readYaml('x.yaml', source, 'E_X');
        fc.pre(read.ok);
        if (!read.ok) return;
        const value = (read.value.value as { list: { b: unknown }[] }).list[0]?.b;
        const pieces = read.value.pieces(['list', 0, 'b'], LABELS);
        if (typeof value !== 'string') return;
        expect(pieces.map((piece) => piece.text).join('')).toBe(value);
        const lines = source.split(/(?<=\n)/).map((line) => line.replace('\r\n', '\n'));
        for (const { text: own, origin } of pieces) {
          const { kind, line = 0, column = 0 } = origin;
          if (kind === 'file') expect(restOf(lines, line, column).slice(0, own.length)).toBe(own);
          // A fold or an escape: a place on the line, and never that of the whole value alone.
          else expect(own.length).toBeLessThanOrEqual(value.length);
          expect(advancePlace(origin, '').line).toBeGreaterThan(3);
        }
        if (value.length > 0)
          expect(pieces.some(({ origin, text: own }) => origin.kind === 'value' && own.length > 30)).toBe(
            false,
          );
      },
    ),
    runs(400, 20_000),
  );
});
