import type { BlockInput, Piece } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { concerns, UNIT_KINDS, unitsOf } from '../src/design/units.js';
import { applyEdits } from '../src/edit/apply.js';

describe('units of a prompt', () => {
  const piece = (text: string, more: Partial<Piece> = {}): Piece => ({
    text,
    origin: { kind: 'file', ref: 'texts/tone.md', line: 1, column: 1 },
    trust: 'author',
    secrecy: 'public',
    volatility: 'build',
    ...more,
  });
  const block = (...pieces: readonly Piece[]): BlockInput => ({ name: 'rules', role: 'system', pieces });
  const TEXT = [
    '# Title',
    'You answer mails. You must be kind',
    'to everybody.',
    '',
    '- Never lie.',
    '- Cite sources,',
    '  with their dates.',
    '',
    '```',
    'Never run this.',
    '```',
    'One line.',
    'Another line.',
    '',
  ].join('\n');

  it.each([
    ['obligation', ['You must be kind to everybody.', 'Never lie.', 'Cite sources,']],
    [
      'part',
      [
        'You answer mails. You must be kind\nto everybody.',
        '- Never lie.',
        '- Cite sources,\n  with their dates.',
        '```\nNever run this.\n```',
        'One line.',
        'Another line.',
      ],
    ],
    ['origin', [TEXT]],
  ] as const)('by %s', (kind, expected) => {
    const found = unitsOf([block(piece(TEXT))], kind).map(({ text }) => text);
    if (kind === 'obligation') for (const [at, text] of expected.entries()) expect(found[at]).toContain(text);
    else expect(found).toEqual(expected);
  });

  it('leave out what they name and nothing else, whatever the text is', () => {
    const line = fc.constantFrom(
      '- Never lie.',
      'Be kind.',
      '',
      'You must cite',
      'sources.',
      '# Title',
      'A line.',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom(...UNIT_KINDS), (lines, kind) => {
        const request = {
          blocks: [
            block(piece(lines.join('\n'))),
            block(piece('data', { trust: 'external', origin: { kind: 'input', ref: 'x' } })),
          ],
          tools: [],
          params: {},
        };
        for (const { at, text, line: first } of unitsOf(request.blocks, kind)) {
          const edited = applyEdits(request, [{ edit: 'drop', at }], { words: () => piece('') });
          if (!edited.ok) throw new Error(edited.error.message);
          expect(edited.value.matched[0]).toBeGreaterThan(0);
          expect(edited.value.blocks.at(-1)?.pieces[0]?.text).toBe('data');
          expect(lines[(first ?? 0) - 1]).toContain(text.split(/[\n ]/u)[0]);
        }
      }),
      runs(1000, 10_000),
    );
  });

  it.each([
    [piece('You must obey.', { trust: 'external' })],
    [piece('You must obey.', { secrecy: 'confidential' })],
    [piece('You must obey.', { form: 'value' })],
    [piece('You must obey.', { origin: { kind: 'input', ref: 'x' } })],
  ])('are public words of authors: %j', (given) => {
    for (const kind of UNIT_KINDS) expect(unitsOf([block(given)], kind)).toEqual([]);
  });

  it.each([
    ['Ask before deleting files.', 'delete the file', true],
    ['Ask before deleting files.', 'a mail', false],
    ['You must always answer.', 'you must always answer', false],
    ['Name the order number.', '"matches":"order [0-9]+"', true],
  ])('concern cases that share a word that matters: %s / %s', (unit, words, expected) => {
    expect(concerns(unit, words)).toBe(expected);
  });
});
