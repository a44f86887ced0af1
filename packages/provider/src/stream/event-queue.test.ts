import { describe, expect, it } from 'vitest';
import type { TurnEvent } from '../turn.js';
import { createEventQueue } from './event-queue.js';

const text = (block: number, value: string): TurnEvent => ({ type: 'text.delta', block, text: value });
const tool = (id: string, json: string): TurnEvent => ({ type: 'tool.delta', id, json });

async function drain(queue: ReturnType<typeof createEventQueue>): Promise<readonly TurnEvent[]> {
  queue.close();
  const events: TurnEvent[] = [];
  for (let event = await queue.next(); event !== undefined; event = await queue.next()) events.push(event);
  return events;
}

describe('createEventQueue', () => {
  it('joins deltas of one thing when the reader is behind', async () => {
    const queue = createEventQueue(1);
    for (let count = 0; count < 100_000; count += 1) queue.push(text(0, 'ab'));
    expect(queue.size).toBe(2);
    const events = await drain(queue);
    expect(events.map((event) => (event.type === 'text.delta' ? event.text.length : 0))).toEqual([
      2, 199_998,
    ]);
  });

  const apart: readonly (readonly [string, TurnEvent, TurnEvent])[] = [
    ['text of two blocks', text(0, 'a'), text(1, 'b')],
    ['text and reasoning', text(0, 'a'), { type: 'reasoning.delta', block: 0, text: 'b' }],
    ['arguments of two calls', tool('1', '{'), tool('2', '{')],
    ['two logs', { type: 'log', level: 'info', text: 'a' }, { type: 'log', level: 'info', text: 'b' }],
  ];
  it.each(apart)('keeps apart %s', async (_name, first, second) => {
    const queue = createEventQueue(0);
    queue.push(first);
    queue.push(second);
    expect(await drain(queue)).toEqual([first, second]);
  });

  it('joins the arguments of one call', async () => {
    const queue = createEventQueue(0);
    for (const part of ['{', '"a"', ':1}']) queue.push(tool('1', part));
    expect(await drain(queue)).toEqual([tool('1', '{"a":1}')]);
  });

  it('hands out what a reader waits for, and everything in order', async () => {
    const queue = createEventQueue(10_000);
    const first = queue.next();
    queue.push(text(0, 'first'));
    expect(await first).toEqual(text(0, 'first'));
    const many = Array.from({ length: 5_000 }, (_, index) => text(index, String(index)));
    for (const event of many) queue.push(event);
    expect(await drain(queue)).toEqual(many);
  });
});
