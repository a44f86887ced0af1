import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { block, piece, promptOf } from '../../test/prompts.js';
import { type DiffSide, diffPrompts, findReach, type PromptDiff } from './diff.js';
import { findObligations } from './obligations.js';

const file = (ref: string, text: string) =>
  piece(text, { origin: { kind: 'file', ref, line: 1, column: 1 } });

describe('diff', () => {
  const before = promptOf(
    block('a', 'system', file('tone.md', 'Be kind.\nYou MUST cite.\n'), file('rules.md', 'Never lie.')),
  );
  const after = promptOf(
    block(
      'a',
      'system',
      file('tone.md', 'Be kind.\nYou should cite.\n'),
      file('rules.md', 'Never lie.'),
      file('new.md', ' Always ask.'),
    ),
  );

  test('by origin: which source changed, and its lines', () => {
    expect(diffPrompts({ prompt: before }, { prompt: after }).origins).toEqual([
      {
        origin: 'file tone.md',
        change: 'changed',
        blocks: ['a'],
        addedLines: ['You should cite.'],
        removedLines: ['You MUST cite.'],
      },
      {
        origin: 'file new.md',
        change: 'added',
        blocks: ['a'],
        addedLines: [' Always ask.'],
        removedLines: [],
      },
    ]);
    expect(diffPrompts({ prompt: after }, { prompt: before }).origins[1]).toMatchObject({
      origin: 'file new.md',
      change: 'removed',
    });
  });

  test('by obligation: what is demanded or forbidden anew, and what no longer', () => {
    const { obligations } = diffPrompts({ prompt: before }, { prompt: after });
    expect(obligations.dropped).toEqual([{ force: 'MUST', text: 'You MUST cite.' }]);
    expect(obligations.added).toEqual([
      { force: 'SHOULD', text: 'You should cite.' },
      { force: 'MUST', text: 'Always ask.' },
    ]);
  });

  test('tools and capabilities', () => {
    const diff = diffPrompts(
      { prompt: before, tools: [{ name: 'ls' }], capabilities: ['read'] },
      { prompt: before, tools: [{ name: 'rm' }], capabilities: ['read'] },
    );
    expect(diff).toMatchObject({
      same: false,
      tools: { added: ['rm'], dropped: ['ls'] },
      capabilities: { added: [], dropped: [] },
      origins: [],
    });
  });

  test('calls, what they answer and pictures differ though no word does', () => {
    const call = (input: object) => ({ id: 'c1', name: 'read', input });
    const said = (more: object) => {
      const composed = promptOf(block('said', 'assistant', file('a.md', 'Reading.')));
      return { ...composed, blocks: composed.blocks.map((each) => ({ ...each, ...more })) };
    };
    const sides = [
      [{ calls: [call({ path: 'a' })] }, { calls: [call({ path: 'b' })] }, 'calls'],
      [{}, { calls: [call({})] }, 'calls'],
      [{ callId: 'c1' }, { callId: 'c2' }, 'callId'],
      [{ media: [{ type: 'image/png', data: 'AA==' }] }, {}, 'media'],
    ] as const;
    for (const [old, now, path] of sides) {
      const diff = diffPrompts({ prompt: said(old) }, { prompt: said(now) });
      expect(diff).toMatchObject({ same: false, blocks: [{ block: 'said', beside: [{ path }] }] });
    }
  });

  test('says something exactly when a byte that is sent differs, or a label or right', () => {
    const texts = fc.constantFrom('a', 'b', 'a\n\nb', 'You must a.', '');
    const pieces = fc.record({
      text: texts,
      ref: fc.constantFrom('x.md', 'y.md'),
      secrecy: fc.constantFrom('public', 'confidential'),
    });
    const side = fc.record({
      blocks: fc.uniqueArray(
        fc.record({
          name: fc.constantFrom('one', 'two', 'three'),
          role: fc.constantFrom('user', 'assistant'),
          pieces: fc.array(pieces, { maxLength: 2 }),
          more: fc.constantFrom({}, {}, { callId: 'c' }, { media: [{ type: 'image/png', data: 'AA==' }] }),
        }),
        { maxLength: 3, selector: ({ name }) => name },
      ),
      tools: fc.constantFrom(
        [],
        [{ name: 't', parameters: { a: 1, b: 2 } }],
        [{ name: 't', parameters: { b: 2, a: 1 } }],
        [{ name: 't' }, { name: 'u' }],
        [{ name: 'u' }, { name: 't' }],
      ),
      params: fc.constantFrom({}, { stop: ['a'] }, { stop: ['a'], seed: 1 }, { seed: 1, stop: ['a'] }),
      capabilities: fc.constantFrom([], ['read']),
    });
    type Side = typeof side extends fc.Arbitrary<infer Value> ? Value : never;
    const subjectOf = ({ blocks, ...beside }: Side): DiffSide => {
      const composed = promptOf(
        ...blocks.map(({ name, role, pieces: each }) =>
          block(name, role, ...each.map(({ text, ref, secrecy }) => ({ ...file(ref, text), secrecy }))),
        ),
      );
      const withMore = composed.blocks.map((each, index) => ({ ...each, ...blocks[index]?.more }));
      return { prompt: { ...composed, blocks: withMore }, ...beside };
    };
    /** What a provider is sent: a block without anything in it is left out. */
    const sent = ({ blocks, tools, params }: Side): string =>
      JSON.stringify([
        blocks
          .map(({ role, pieces: each, more }) => [role, each.map(({ text }) => text).join(''), more] as const)
          .filter(([, text, more]) => text !== '' || Object.keys(more).length > 0),
        tools,
        params,
      ]);
    const isSaid = ({
      origins,
      tools,
      params,
      blocks,
      blockOrder,
      labels,
      capabilities,
    }: PromptDiff): boolean =>
      [origins, tools.added, tools.dropped, tools.changed, params, blocks, labels, capabilities.added].some(
        (each) => each.length > 0,
      ) ||
      capabilities.dropped.length > 0 ||
      tools.order !== undefined ||
      blockOrder !== undefined;
    const isRight = (old: Side, now: Side): void => {
      const diff = diffPrompts(subjectOf(old), subjectOf(now));
      const isOther = sent(old) !== sent(now);
      if (isOther) expect([diff.same, isSaid(diff)]).toEqual([false, true]);
      else
        expect(diff.same).toBe(
          diff.labels.length === 0 && diff.capabilities.added.length + diff.capabilities.dropped.length === 0,
        );
    };
    fc.assert(fc.property(side, side, isRight), runs(500, 20_000));
    // Sides that differ in one thing.
    const changed = fc
      .tuple(side, side, fc.constantFrom('blocks', 'tools', 'params', 'capabilities'))
      .map(([old, other, key]) => [old, { ...old, [key]: other[key] }] as const);
    fc.assert(
      fc.property(changed, ([old, now]) => isRight(old, now as Side)),
      runs(500, 20_000),
    );
  });

  test('text of one source whose parts change their labels is told, though the set of labels is the same', () => {
    const parts = (...labels: readonly ('public' | 'confidential')[]) =>
      promptOf(
        block(
          'a',
          'user',
          ...labels.map((secrecy, index) => ({ ...file('a.md', `Part ${index}.`), secrecy })),
        ),
      );
    const diff = diffPrompts(
      { prompt: parts('public', 'confidential', 'public') },
      { prompt: parts('confidential', 'public', 'public') },
    );
    expect(diff).toMatchObject({
      same: false,
      labels: [
        {
          label: 'secrecy',
          before: ['public 7', 'confidential 7', 'public 7'],
          after: ['confidential 7', 'public 14'],
        },
      ],
    });
  });

  test('the same prompt has no difference', () => {
    expect(diffPrompts({ prompt: before }, { prompt: before })).toMatchObject({
      same: true,
      origins: [],
      obligations: { added: [], dropped: [] },
    });
  });

  test('text that stands elsewhere has moved', () => {
    const moved = promptOf(
      block('a', 'system', file('rules.md', 'Never lie.')),
      block('b', 'user', file('tone.md', 'Be kind.\nYou MUST cite.\n')),
    );
    expect(diffPrompts({ prompt: before }, { prompt: moved }).origins).toMatchObject([
      { origin: 'file tone.md', change: 'moved' },
    ]);
  });

  test('by reach: which targets get new bytes, through which sources', () => {
    const { origins } = diffPrompts({ prompt: before }, { prompt: after });
    const other = promptOf(block('o', 'system', file('other.md', 'x')));
    const shared = promptOf(block('s', 'system', file('tone.md', 'Be kind.\nYou should cite.\n')));
    expect(
      findReach(origins, [
        { target: 'sheet:a', before: { prompt: before }, after: { prompt: after } },
        { target: 'sheet:b', before: { prompt: other }, after: { prompt: other } },
        { target: 'sheet:c', before: undefined, after: { prompt: shared } },
        { target: 'sheet:d', before: { prompt: shared }, after: { prompt: shared } },
        { target: 'sheet:e', before: { prompt: other }, after: undefined },
        { target: 'sheet:f', before: { prompt: shared }, after: 'broken' },
        { target: 'sheet:g', before: 'broken', after: { prompt: other } },
        { target: 'sheet:h', before: 'broken', after: 'broken' },
      ]),
    ).toEqual([
      { target: 'sheet:a', change: 'changed', through: ['file tone.md', 'file new.md'] },
      { target: 'sheet:c', change: 'added', through: ['file tone.md'] },
      { target: 'sheet:d', change: 'touched', through: ['file tone.md'] },
      { target: 'sheet:e', change: 'removed', through: [] },
      { target: 'sheet:f', change: 'broken', through: ['file tone.md'] },
      { target: 'sheet:g', change: 'fixed', through: [] },
    ]);
  });
});

test.each([
  ['You MUST NOT write. Fine.', [{ force: 'NEVER', text: 'You MUST NOT write.' }]],
  [
    'Always:\n- Delegate work.\n- Review  diffs.\nNever:\n* Hide errors.\n\nplain',
    [
      { force: 'MUST', text: 'Delegate work.' },
      { force: 'MUST', text: 'Review diffs.' },
      { force: 'NEVER', text: 'Hide errors.' },
    ],
  ],
  ['## Never:\n1. Lie', [{ force: 'NEVER', text: 'Lie' }]],
  [
    "Don't guess; you should ask.",
    [
      { force: 'NEVER', text: "Don't guess;" },
      { force: 'SHOULD', text: 'you should ask.' },
    ],
  ],
  ['The mustard is nevertheless fine.', []],
])('the obligations of %j', (text, expected) => {
  expect(findObligations(text)).toEqual(expected);
});
