import { createHash } from 'node:crypto';
import { type BlockInput, composeRequest, createRedactor, type Piece, piecesText } from '@cuebook/prompt';
import { findObligations } from '@cuebook/prompt/diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { applyEdits, type EditOptions } from '../src/edit/apply.js';
import { type PromptEdit, parseEdit, printEdit } from '../src/edit/edit.js';
import { neutralWords } from '../src/edit/neutral.js';

const hash = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const redactor = createRedactor({ roots: [], private: [], names: [] });
const OPTIONS: EditOptions = {
  words: (by) => ({
    text: 'file' in by ? 'New words.\n' : by.text,
    origin:
      'file' in by ? { kind: 'file', ref: by.file, line: 1, column: 1 } : { kind: 'input', ref: '--change' },
    trust: 'file' in by ? 'author' : 'user',
    secrecy: 'public',
    volatility: 'build',
  }),
};
const piece = (text: string, ref: string, more: Partial<Piece> = {}): Piece => ({
  text,
  origin: { kind: 'file', ref, line: 1, column: 1 },
  trust: 'author',
  secrecy: 'public',
  volatility: 'build',
  ...more,
});
const parse = (text: string): PromptEdit => {
  const read = parseEdit(text);
  if (!read.ok) throw new Error(read.error);
  return read.value;
};
const edited = (blocks: readonly BlockInput[], ...edits: readonly string[]) =>
  applyEdits(
    { blocks, tools: [{ name: 'search', parameters: {} }], params: { model: 'a' } },
    edits.map(parse),
    OPTIONS,
  );
const textOf = (blocks: readonly BlockInput[], ...edits: readonly string[]): string => {
  const done = edited(blocks, ...edits);
  if (!done.ok) throw new Error(done.error.code);
  return done.value.blocks.map(({ pieces }) => piecesText(pieces)).join('|');
};

const TONE = 'One.\nTwo is here.\n\n- Never shout.\n- Be kind.\n\nThe end.\n';
const BLOCKS: readonly BlockInput[] = [
  {
    name: 'rules',
    role: 'system',
    pieces: [piece(TONE, 'texts/tone.md'), piece('Always sign.', 'texts/sign.md')],
  },
  {
    name: 'change',
    role: 'user',
    pieces: [
      piece('What they said.', 'change', { origin: { kind: 'input', ref: 'change' }, trust: 'external' }),
    ],
  },
];

describe('edits', () => {
  it.each([
    ['drop:texts/tone.md', 'Always sign.|What they said.'],
    ['drop:texts/tone.md:2', 'One.\n\n- Never shout.\n- Be kind.\n\nThe end.\nAlways sign.|What they said.'],
    ['drop:texts/tone.md:4-5', 'One.\nTwo is here.\n\nThe end.\nAlways sign.|What they said.'],
    [
      'drop:obligation:"Never shout."',
      'One.\nTwo is here.\n\n- Be kind.\n\nThe end.\nAlways sign.|What they said.',
    ],
    ['drop:block:change', `${TONE}Always sign.`],
    ['replace:texts/sign.md=@new.md', `${TONE}New words.|What they said.`],
    [
      'replace:obligation:"Be kind."=@new.md',
      'One.\nTwo is here.\n\n- Never shout.\nNew words.\n\nThe end.\nAlways sign.|What they said.',
    ],
  ])('%s', (edit, text) => {
    expect(textOf(BLOCKS, edit)).toBe(text);
  });

  it('models, parameters and tools', () => {
    const done = edited(BLOCKS, 'model=big', 'param:temperature=0.2', 'tool:-search');
    expect(done).toMatchObject({
      ok: true,
      value: { tools: [], params: { model: 'big', temperature: 0.2 }, matched: [1, 1, 1] },
    });
  });

  it('what matches nothing is told, and structure and confidential text are not touched', () => {
    expect(edited(BLOCKS, 'drop:nowhere.md')).toMatchObject({ ok: true, value: { matched: [0] } });
    const secret: readonly BlockInput[] = [
      { name: 'a', role: 'system', pieces: [piece('Hush.', 'x', { secrecy: 'confidential' })] },
    ];
    expect(edited(secret, 'drop:x')).toMatchObject({ ok: false, error: { code: 'E_EDIT_PROTECTED' } });
    const shell: readonly BlockInput[] = [
      {
        name: 'a',
        role: 'system',
        pieces: [piece('BEGIN Never shout. END', 'x', { origin: { kind: 'structure', ref: 'shell' } })],
      },
    ];
    expect(edited(shell, 'drop:obligation:"Never shout."')).toMatchObject({ ok: false });
  });

  it.each([
    [{ secrecy: 'secret' }, 'E_SECRET_IN_PROMPT'],
    [{ trust: 'external' }, 'E_TRUST'],
    [{ trust: 'user' }, 'E_TRUST'],
  ] as const)(
    '15: what an edit puts in is judged by the gates: secret and untrusted words are refused: %j',
    (more, code) => {
      const words = () => piece('Be loud.', 'new.md', more);
      const done = applyEdits(
        { blocks: BLOCKS, tools: [], params: {} },
        [parse('replace:texts/tone.md=@new.md')],
        { words },
      );
      if (!done.ok) throw new Error(done.error.code);
      const composed = composeRequest({ ...done.value, hash, redactor });
      expect(composed.ok ? [] : composed.error.map((each) => each.code)).toEqual([
        expect.stringContaining(code),
      ]);
    },
  );

  it('neutral words take the same room and ask nothing', () => {
    for (const length of [1, 20, 300, 5000]) {
      const text = neutralWords(length);
      expect(text.length).toBeGreaterThanOrEqual(length);
      expect(text.length).toBeLessThan(length + 6);
      expect(findObligations(text)).toEqual([]);
    }
    const text = textOf(BLOCKS, 'neutral:obligation:"Never shout."');
    expect(text).not.toContain('shout');
    expect(Math.abs(text.length - textOf(BLOCKS).length)).toBeLessThan(8);
  });

  it('every edit reads back as it is printed', () => {
    const ref = fc.stringMatching(/^[a-z][a-z0-9/._-]{0,20}[a-z]$/);
    const place = fc.oneof(
      ref.map((each) => ({ kind: 'origin' as const, ref: each })),
      fc
        .tuple(ref, fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 9 }))
        .map(([each, first, more]) => ({
          kind: 'origin' as const,
          ref: each,
          lines: [first, first + more] as const,
        })),
      ref.map((name) => ({ kind: 'block' as const, name })),
      fc
        .string({ minLength: 1 })
        .filter((text) => text.trim() !== '')
        .map((text) => ({ kind: 'obligation' as const, text })),
    );
    const edit: fc.Arbitrary<PromptEdit> = fc.oneof(
      place.map((at) => ({ edit: 'drop' as const, at })),
      place.map((at) => ({ edit: 'neutral' as const, at })),
      fc
        .tuple(
          place,
          fc.string().filter((text) => !text.startsWith('@')),
        )
        .map(([at, text]) => ({ edit: 'replace' as const, at, by: { text } })),
      fc.tuple(place, ref).map(([at, file]) => ({ edit: 'replace' as const, at, by: { file } })),
      fc.integer().map((value) => ({ edit: 'param' as const, name: 'top_k', value })),
    );
    fc.assert(
      fc.property(edit, (each) => {
        expect(parse(printEdit(each))).toEqual(each);
      }),
      runs(1000, 20_000),
    );
  });

  it('14: nothing but the edit: every piece that the edit does not name is there, byte for byte and in order', () => {
    const refs = ['a.md', 'b.md', 'c.md'] as const;
    const pieces = fc.array(fc.tuple(fc.constantFrom(...refs), fc.stringMatching(/^[a-z ]{1,12}\.\n?$/)), {
      minLength: 1,
      maxLength: 6,
    });
    const blocks = fc.array(pieces, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        blocks,
        fc.constantFrom(...refs),
        fc.constantFrom('drop', 'neutral', 'replace'),
        (given, ref, verb) => {
          const told = given.map(
            (each, at): BlockInput => ({
              name: `b${at}`,
              role: 'system',
              pieces: each.map(([of, text]) => piece(text, of)),
            }),
          );
          const same = edited(told);
          if (!same.ok) throw new Error('refused');
          expect(same.value.blocks).toEqual(told);
          const hashOf = (of: readonly BlockInput[]): string | undefined => {
            const composed = composeRequest({ blocks: of, hash, redactor });
            return composed.ok ? composed.value.prompt.hash : undefined;
          };
          expect(hashOf(same.value.blocks)).toBe(hashOf(told));
          const done = edited(told, verb === 'replace' ? `replace:${ref}=@new.md` : `${verb}:${ref}`);
          if (!done.ok) throw new Error('refused');
          const kept = (of: readonly BlockInput[]): readonly string[] =>
            of.flatMap((block) =>
              block.pieces
                .filter(({ origin }) => refs.includes(origin.ref as never) && origin.ref !== ref)
                .map(({ text }) => text),
            );
          expect(kept(done.value.blocks).join('')).toBe(kept(told).join(''));
          expect(
            done.value.blocks.some(({ pieces: all }) => all.some(({ origin }) => origin.ref === ref)),
          ).toBe(false);
        },
      ),
      runs(500, 5000),
    );
  });
});
