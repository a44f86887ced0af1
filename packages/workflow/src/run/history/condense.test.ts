import type { ConversationMessage } from '@cuebook/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itInTurn, runs } from '../../../../../test/runs.js';
import { calls, runDesk } from '../../../test/run-desk.js';
import { OWN_SPELLING, wireSpelling } from '../../compose/spelling.js';
import { blockBytes, tellHistory } from './condense.js';

const tool = (n: number, text: string): ConversationMessage => ({
  role: 'tool',
  call: `call_${n}`,
  given: '',
  name: 'fs.read',
  text,
  isError: false,
});
const user = (text: string, by = 'ann'): ConversationMessage => ({ role: 'user', id: 'm', text, by });
const answer = (text: string, ...made: readonly (readonly [number, string])[]): ConversationMessage => ({
  role: 'assistant',
  turn: 1,
  text,
  calls: made.map(([n, path]) => ({ id: `call_${n}`, given: '', name: 'fs.read', input: { path } })),
});

const options = {
  workflow: undefined,
  nodeOf: () => null,
  codeOf: () => undefined,
  spelling: OWN_SPELLING,
  keeper: undefined,
};
const tell = (history: readonly ConversationMessage[], room: number) =>
  tellHistory(history, { ...options, room });
const marks = (told: Awaited<ReturnType<typeof tell>>) =>
  told?.blocks
    .map((block) => {
      if (block === undefined) return '-';
      return block.pieces.some(({ text }) => text.includes('"condensed":true')) ? 'x' : '.';
    })
    .join('');

describe('a history that is too large', () => {
  const rounds = (count: number, size: number) =>
    Array.from({ length: count }, (_, n) => [answer('', [n, 'a']), tool(n, 'x'.repeat(size))]).flat();

  it('is left as it is while it fits', async () => {
    const told = await tell([user('hi'), ...rounds(1, 5_000)], 10_000);
    expect([marks(told), told?.note]).toEqual(['...', undefined]);
  });

  it('oldest results go first, the newest stay, and words are never touched', async () => {
    const told = await tell([user('u'.repeat(2_000)), ...rounds(20, 3_000)], 45_000);
    expect(marks(told)).toMatch(/^\.(?:\.x)+\.{6,}$/);
  });

  it('for all histories and every room that holds the newest message: it fits, and calls have their results', async () => {
    const words = fc.oneof(
      fc.string({ maxLength: 400, unit: 'binary' }),
      fc.integer({ min: 0, max: 4_000 }).map((size) => 'line of words '.repeat(size / 14)),
      fc.integer({ min: 0, max: 900 }).map((size) => '\u001b"\\'.repeat(size)),
      fc.constantFrom('USER_INPUT\n- forNodeId: x', '{"tool_call":{}}', 'SYSTEM:'),
    );
    const unit = fc.oneof(
      words.map((text) => [user(text || 'x')]),
      words.map((text) => [user(text || 'x', 'cuebook')]),
      fc
        .tuple(words, fc.array(words, { maxLength: 4 }))
        .map(([text, results]) => [
          answer(text || 'x', ...results.map((each, n) => [n, each] as const)),
          ...results.map((each, n) => tool(n, each)),
        ]),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(unit, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 0, max: 30_000 }),
        async (units, extra) => {
          const history = units.flat();
          const newest = units.at(-1)?.length ?? 0;
          const room = 600 + newest * 800 + extra;
          const told = await tell(history, room);
          expect(told).toBeDefined();
          if (told === undefined) return;
          const shown = [told.note, ...told.blocks].flatMap((block) => (block === undefined ? [] : [block]));
          expect(shown.reduce((sum, block) => sum + blockBytes(block), 0)).toBeLessThanOrEqual(room);
          expect(told.blocks.slice(-newest)).not.toContain(undefined);
          // Every call that is told has its result behind it, and no result stands alone.
          let open: string[] = [];
          for (const { role, calls: made = [], callId = '' } of shown) {
            if (role === 'tool') expect(open.shift()).toBe(callId);
            else expect(open).toEqual([]);
            if (role !== 'tool') open = made.map(({ id }) => id);
          }
          expect(open).toEqual([]);
          expect(await tell(history, room)).toEqual(told);
        },
      ),
      runs(20, 4_000),
    );
  });
});

it('tools are named alike in words, calls and results, and what was read keeps its bytes', async () => {
  const text = JSON.stringify({ ok: true, content: 'use fs.read', hint: 'Find it with fs.search.' });
  const spelling = wireSpelling(['fs.read', 'fs.search']);
  const told = await tellHistory(
    [user('call fs.read'), user('Use fs.read.', 'cuebook'), answer('ok', [0, 'a']), tool(0, text)],
    { ...options, spelling, room: 10_000 },
  );
  const said = told?.blocks.map((block) => block?.pieces.map((piece) => piece.text).join('')) ?? [];
  expect(said[0]).toContain('call fs.read');
  expect(said[1]).toBe('Use fs_read.');
  expect(told?.blocks[2]?.calls?.[0]?.name).toBe('fs_read');
  expect(said[3]).toBe('{"ok":true,"content":"use fs.read","hint":"Find it with fs_search."}');
});

describe('a run that outgrows its model', () => {
  const names = ['ash', 'birch', 'cedar', 'elm', 'fir', 'hazel', 'larch', 'oak'];
  const textOf = (name: string) =>
    Array.from({ length: 300 }, (_, n) => `line ${n} of ${name} file`).join('\n');
  const project = Object.fromEntries(names.map((name) => [`${name}.md`, textOf(name)]));
  const steps = [
    ...names.map((name) => calls(['fs.read', { path: `@project/${name}.md` }])),
    { text: 'Read.' },
  ];

  itInTurn('tells older results by reference, which can be read, and keeps the record whole', async () => {
    const desk = await runDesk({ steps, project, contextTokens: 14_000 });
    const run = await desk.open();
    await run.play();
    expect(await run.status()).toEqual({ kind: 'waiting', for: 'input' });
    const last = desk.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
    const told = last.map(({ content }) => JSON.parse(content) as { condensed?: true; storedAt?: string });
    expect(told[0]).toMatchObject({
      condensed: true,
      storedAt: expect.stringMatching(/^@state\/logs\/tool-results\//),
    });
    expect(told.at(-1)?.condensed).toBeUndefined();
    expect(desk.inState(told[0]?.storedAt?.slice('@state/'.length) ?? '')).toContain('line 299 of ash file');
    const { history } = (await run.read()).state.agent;
    expect(
      history.filter(({ role }) => role === 'tool').every(({ text: kept }) => kept.includes('line 299')),
    ).toBe(true);
  });

  itInTurn(
    'goes on in a small model after large reads, with what it read last and what it was asked',
    async () => {
      const desk = await runDesk({ steps, project, contextTokens: 6_000 });
      const run = await desk.open();
      await run.play('Read the trees, please.');
      expect(await run.status()).toEqual({ kind: 'waiting', for: 'input' });
      expect(desk.requests).toHaveLength(names.length + 1);
      for (const { messages, tools } of desk.requests)
        expect(Buffer.byteLength(JSON.stringify([messages, tools]))).toBeLessThan(6_000 * 3 * 1.3);
      const last = JSON.stringify(desk.requests.at(-1)?.messages);
      expect(last).toContain('Read the trees, please.');
      expect(last).toContain('line 0 of oak file');
      expect(last).toContain('left out');
    },
  );

  it('a word that is too long is cut, with a note', async () => {
    const desk = await runDesk({ steps: [{ text: 'Read.' }], project, contextTokens: 5_000 });
    const run = await desk.open();
    await run.play('x'.repeat(40_000));
    expect(await run.status()).toEqual({ kind: 'waiting', for: 'input' });
    expect(JSON.stringify(desk.requests[0]?.messages)).toContain('(cut here: 40000 bytes in all)');
  });

  it('that cannot be made to fit is refused by name, and no model is called', async () => {
    const desk = await runDesk({ steps, project, contextTokens: 2_000 });
    const run = await desk.open();
    await run.play('x'.repeat(20_000));
    expect(await run.status()).toMatchObject({ kind: 'failed', code: 'CONTEXT_STILL_TOO_LARGE' });
    expect(desk.requests).toEqual([]);
  });
});
