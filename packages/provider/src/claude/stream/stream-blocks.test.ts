import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import type { AgentEvent } from './agent-event.js';
import { createStreamBlocks } from './stream-blocks.js';

interface Spoken {
  readonly kind: 'text' | 'thinking';
  readonly pieces: readonly string[];
  /** How many of the pieces come as deltas before the whole block does. */
  readonly streamed: number;
}

describe('blocks of a stream', () => {
  it('say every word once, however much of a block was streamed before it came whole', () => {
    const block = fc.record({
      kind: fc.constantFrom('text' as const, 'thinking' as const),
      pieces: fc.array(fc.string({ maxLength: 6 }), { maxLength: 5 }),
      streamed: fc.nat(5),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(block, { maxLength: 4 }), { maxLength: 4 }),
        fc.boolean(),
        (messages, isPartial) => {
          const blocks = createStreamBlocks();
          const events = messages.flatMap((message, number) => {
            const start = isPartial
              ? blocks.stream({ type: 'message_start', message: { id: `m${number}` } })
              : [];
            return [
              ...start,
              ...message.flatMap((spoken, index) => say(blocks, spoken, `m${number}`, index, isPartial)),
            ];
          });
          const whole = (kind: Spoken['kind']) =>
            messages
              .flat()
              .filter((spoken) => spoken.kind === kind)
              .map(({ pieces }) => pieces.join(''))
              .join('');
          expect(heard(events, 'text.delta')).toBe(whole('text'));
          expect(heard(events, 'reasoning.delta')).toBe(whole('thinking'));
          expect(events.some(({ type }) => type === 'log')).toBe(false);
        },
      ),
      runs(300, 20_000),
    );
  });

  it('keep what was said of a stream that broke, and number the new one apart', () => {
    const blocks = createStreamBlocks();
    const events = ['half of', 'whole'].flatMap((text, number) => [
      ...blocks.stream({ type: 'message_start', message: { id: `m${number}` } }),
      ...blocks.stream({ type: 'content_block_start', index: 0, content_block: { type: 'text' } }),
      ...blocks.stream({ type: 'content_block_delta', index: 0, delta: { text } }),
    ]);
    expect([...events, ...blocks.complete('m1', 'text', 'whole again')]).toEqual([
      { type: 'text.delta', block: 0, text: 'half of' },
      { type: 'text.delta', block: 1, text: 'whole' },
      { type: 'text.delta', block: 1, text: ' again' },
    ]);
  });

  it('never take back a word, and say so when a block ends otherwise than it began', () => {
    const blocks = createStreamBlocks();
    blocks.stream({ type: 'message_start', message: { id: 'm' } });
    blocks.stream({ type: 'content_block_start', index: 0, content_block: { type: 'text' } });
    blocks.stream({ type: 'content_block_delta', index: 0, delta: { text: 'abc' } });
    expect(blocks.complete('m', 'text', 'xyz').map(({ type }) => type)).toEqual(['log']);
  });

  it('take anything for an event', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.constantFrom('type', 'index', 'delta', 'content_block'), fc.jsonValue())),
        (all) => {
          const blocks = createStreamBlocks();
          for (const event of all) expect(Array.isArray(blocks.stream(event))).toBe(true);
        },
      ),
      runs(200, 5000),
    );
  });
});

function say(
  blocks: ReturnType<typeof createStreamBlocks>,
  { kind, pieces, streamed }: Spoken,
  id: string,
  index: number,
  isPartial: boolean,
): readonly AgentEvent[] {
  const field = kind === 'text' ? 'text' : 'thinking';
  const stream = (event: Record<string, unknown>) => (isPartial ? blocks.stream({ index, ...event }) : []);
  return [
    ...stream({ type: 'content_block_start', content_block: { type: kind } }),
    ...pieces
      .slice(0, streamed)
      .flatMap((piece) => stream({ type: 'content_block_delta', delta: { [field]: piece } })),
    ...blocks.complete(id, kind, pieces.join('')),
    ...stream({ type: 'content_block_stop' }),
  ];
}

const heard = (events: readonly AgentEvent[], type: 'text.delta' | 'reasoning.delta'): string =>
  events.map((event) => (event.type === type ? event.text : '')).join('');
