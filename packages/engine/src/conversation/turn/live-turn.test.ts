import { createRedactor } from '@cuebook/prompt';
import type { TurnEvent } from '@cuebook/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { anyToken } from '../../../../../test/tokens.js';
import { createLiveTurn } from './live-turn.js';
import { takeTurn } from './take-turn.js';

const redactor = createRedactor({ roots: [['@project', '/srv/desk']], private: ['/home/ada'], names: [] });
const END: TurnEvent = { type: 'turn.end', reason: 'done' };

const watch = (events: readonly TurnEvent[]): readonly TurnEvent[] => {
  const live = createLiveTurn(redactor);
  return events.flatMap((event) => live.take(event));
};

/** A text in pieces, as deltas of one kind. */
const inPieces = (text: string, sizes: readonly number[], make: (piece: string) => TurnEvent) => {
  const events: TurnEvent[] = [];
  let at = 0;
  for (const size of [...sizes, text.length]) {
    events.push(make(text.slice(at, at + size)));
    at += size;
  }
  return events;
};

const sizes = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 });
const KINDS: readonly ((piece: string) => TurnEvent)[] = [
  (text) => ({ type: 'text.delta', block: 0, text }),
  (text) => ({ type: 'reasoning.delta', block: 3, text }),
  (json) => ({ type: 'tool.delta', id: 'call_1', json }),
];
/** What may come in between, of everything that is no end. */
const between: readonly TurnEvent[] = [
  {
    type: 'usage',
    usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  },
  { type: 'log', level: 'info', text: 'still here' },
  { type: 'tool.start', id: 'call_9', name: 'look', by: 'agent' },
  { type: 'tool.delta', id: 'call_9', json: '{"a":' },
];

describe('the live events of a turn', () => {
  it('a credential is never told, in words, thoughts, arguments or anything else, however it is cut', () => {
    fc.assert(
      fc.property(anyToken, sizes, fc.constantFrom(...KINDS), fc.nat(3), (token, by, make, other) => {
        const text = `{"say": "take ${token} now", "at": "/home/ada/x"} and so on`;
        const pieces = inPieces(text, by, make);
        const mixed = pieces.flatMap((piece, index) =>
          index % 3 === 1 ? [between[other] as TurnEvent, piece] : [piece],
        );
        const shown = JSON.stringify(
          watch([
            ...mixed,
            {
              type: 'tool.end',
              id: 'call_1',
              name: token,
              by: 'agent',
              input: { [token]: [token] },
              output: text,
            },
            { type: 'approval.request', id: 'a', tool: 'run', input: { command: text } },
            { type: 'tool.end', id: 'call_2', name: 'x', by: 'caller', input: undefined, badInput: text },
            { type: 'log', level: 'error', text },
            { type: 'turn.end', reason: 'error', error: { code: 'E', message: text, retryable: false } },
          ]),
        );
        for (let at = 0; at + 8 <= token.length; at += 4)
          expect(shown).not.toContain(token.slice(at, at + 8));
        expect(shown).not.toContain('/home/ada');
      }),
      runs(60, 3_000),
    );
  });

  it('the words are those of the turn, in their order, and nothing is kept back at its end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('one ', 'two', ', ', 'three\n', '四', 'five.')),
        sizes,
        (words, by) => {
          const text = words.join('');
          const told = watch([...inPieces(text, by, KINDS[0] as (typeof KINDS)[number]), END]);
          expect(told.map((event) => (event.type === 'text.delta' ? event.text : '')).join('')).toBe(text);
          expect(told.at(-1)).toEqual(END);
        },
      ),
      runs(100, 5_000),
    );
  });

  it('a block is told to its end before the next one begins', () => {
    const told = watch([
      { type: 'text.delta', block: 0, text: 'first' },
      { type: 'text.delta', block: 1, text: 'second ' },
      END,
    ]);
    expect(told).toEqual([
      { type: 'text.delta', block: 0, text: 'first' },
      { type: 'text.delta', block: 1, text: 'second ' },
      END,
    ]);
  });
});

it('what the receipt of a turn keeps holds no credential: words, thoughts, calls, errors', async () => {
  const token = 'glpat-Zx81bQ7mT3kW9vLr2cHd';
  const events: readonly TurnEvent[] = [
    { type: 'turn.start', provider: 'test' },
    { type: 'text.delta', block: 0, text: `it is ${token.slice(0, 9)}` },
    { type: 'text.delta', block: 0, text: token.slice(9) },
    { type: 'reasoning.delta', block: 1, text: token },
    { type: 'tool.end', id: '1', name: 'write', by: 'agent', input: { content: token }, output: token },
    { type: 'turn.end', reason: 'error', error: { code: 'E', message: `bad ${token}`, retryable: false } },
  ];
  const ended: unknown[] = [];
  const done = async () => ({ ok: true, value: null }) as const;
  const outcome = await takeTurn<unknown>(
    {
      recorder: {
        record: done,
        sent: done,
        end: async (input) => {
          ended.push(input);
          return { ok: true, value: null };
        },
      },
    },
    {
      effect: { id: 'turn_1', kind: 'model.turn', lane: 'a', input: null, onCrash: 'repeat' },
      context: {
        run: 'run_1',
        attempt: 1,
        signal: new AbortController().signal,
        fence: { scope: 's', token: 1 },
        now: () => 0,
      },
      composed: { request: {} as never },
      session: {
        async *turn() {
          yield* events;
        },
        close: async () => undefined,
      },
      voice: { provider: 'test' },
    },
  );
  expect(JSON.stringify(ended)).toContain('[removed:credential]');
  expect(JSON.stringify(ended)).not.toContain('Zx81bQ7m');
  // The run itself gets the real words: the engine seals them.
  expect(JSON.stringify(outcome)).toContain(token);
});
