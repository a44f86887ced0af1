import { describe, expect, test } from 'vitest';
import { block, piece, promptOf } from '../../test/prompts.js';
import { diffPrompts, findReach } from './diff.js';
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
      { target: 'sheet:g', change: 'mended', through: [] },
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
