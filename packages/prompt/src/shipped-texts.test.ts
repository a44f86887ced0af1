import { describe, expect, it } from 'vitest';
import { explain } from './explain.js';
import { piecesText } from './piece.js';
import { shippedTexts } from './shipped-texts.js';

const FILE = `# Words

<!-- greeting -->
Hello, {{name}}.
Second é line.

<!-- end.short -->
Bye
`;
const TEXTS = shippedTexts('demo', (file) => (file === 'words.md' ? FILE : 'A whole file.\n'));
const NAME = {
  text: 'Ada',
  origin: { kind: 'input', ref: 'name' },
  trust: 'user',
  secrecy: 'public',
  volatility: 'turn',
} as const;

describe('shipped texts', () => {
  it('are whole files, or sections without the blank lines behind them', () => {
    expect(TEXTS.text('other.md')).toBe('A whole file.\n');
    expect(TEXTS.text('words.md#end.short')).toBe('Bye');
    expect(TEXTS.piece('words.md#end.short')).toMatchObject({
      text: 'Bye',
      origin: { kind: 'shipped', ref: 'cuebook:demo/words.md', line: 8, column: 1 },
      trust: 'platform',
    });
    expect(TEXTS.piece('other.md')).toBe(TEXTS.piece('other.md'));
  });

  it('have their exact places around the values that fill them', () => {
    const pieces = TEXTS.fill('words.md#greeting', { name: NAME });
    expect(piecesText(pieces)).toBe('Hello, Ada.\nSecond é line.');
    expect(pieces.map(({ origin }) => [origin.line, origin.column])).toEqual([
      [4, 1],
      [undefined, undefined],
      [4, 16],
    ]);
    expect(() => TEXTS.fill('words.md#greeting', {})).toThrow(TypeError);
    expect(() => TEXTS.text('words.md#none')).toThrow(TypeError);
  });

  it('explain to the very byte', () => {
    const { text, origin, trust, secrecy, volatility } = TEXTS.piece('words.md#end.short');
    const spans = [{ start: 0, end: 3, origin, trust, secrecy, volatility }];
    const blocks = [{ name: 'b', role: 'user' as const, text, spans, hash: '' }];
    expect(explain({ blocks }, 2)?.origin).toMatchObject({ kind: 'shipped', line: 8, column: 3 });
  });

  it('are found by what they say', () => {
    expect(TEXTS.find('words.md', 'Bye')?.origin.line).toBe(8);
    expect(TEXTS.find('words.md', 'By')).toBeUndefined();
    expect({ ...TEXTS.record(['end.short'], (name) => `words.md#${name}`) }).toEqual({ 'end.short': 'Bye' });
  });
});
