import fc from 'fast-check';
import { expect, it } from 'vitest';
import { growth } from '../../../../../test/growth.js';
import { inTurn, runs } from '../../../../../test/runs.js';
import { hasOpenLine } from './open-line.js';

/** The same by looking from each tag on to the end of its line. */
function slowly(text: string): boolean {
  if (/\{%\s*raw\s*%\}/.test(text) && /\{%\s*endraw\s*%\}/.test(text)) return false;
  return [...text].some((_, at) => {
    const end = { '{{': '}', '{%': '%', '{#': '#' }[text.slice(at, at + 2)];
    if (end === undefined) return false;
    const rest = text.slice(at + 2);
    return !(rest.split(/[\n\r\u2028\u2029]/)[0] ?? '').includes(end);
  });
}

it('finds a tag that its line does not close, as a slow look does', () => {
  const text = fc.array(
    fc.constantFrom(
      '{',
      '{{',
      '}',
      '}}',
      '{%',
      '%}',
      '{#',
      '#}',
      '#',
      '%',
      'a',
      ' ',
      '\n',
      '\r',
      '\u2028',
      '{% raw %}',
      '{% endraw %}',
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(text, (pieces) => {
      expect(hasOpenLine(pieces.join(''))).toBe(slowly(pieces.join('')));
    }),
    runs(5000, 50_000),
  );
});

it.each(inTurn(['{{ ', '{% ', '{# ', '{{a}} ', '}', '\n'], 4))(
  'reads %j over and over in time that grows with it',
  (piece) => {
    const run = (n: number) => hasOpenLine(`${piece.repeat(n)}}%#`);
    run(1000);
    expect(growth(run, 100_000, 3)).toBeLessThan(3.2);
  },
);
