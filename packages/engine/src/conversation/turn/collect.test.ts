import type { TurnEvent } from '@cuebook/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { createCollector, MAX_TURN_CALLS, MAX_TURN_TEXT } from './collect.js';

const collect = (events: readonly TurnEvent[]) => {
  const collector = createCollector();
  for (const event of events) collector.take(event);
  return collector.outcome();
};
const delta = (block: number, text: string): TurnEvent => ({ type: 'text.delta', block, text });
const usage = (inputTokens: number, costUsd?: number): TurnEvent => ({
  type: 'usage',
  usage: {
    inputTokens,
    outputTokens: 1,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    ...(costUsd === undefined ? {} : { costUsd }),
  },
});

describe('the events of a turn', () => {
  it('words stand by block, whatever order the pieces come in', () => {
    expect(collect([delta(0, 'one '), delta(1, 'three'), delta(0, 'two'), delta(2, '  ')]).text).toBe(
      'one two\n\nthree',
    );
  });

  it('a call for us is asked, one that was answered in mid-turn is only told', () => {
    const outcome = collect([
      { type: 'tool.end', id: '1', name: 'read', by: 'caller', input: { a: 1 } },
      { type: 'tool.end', id: '2', name: 'read', by: 'caller', input: undefined, badInput: '{' },
      { type: 'tool.end', id: '3', name: 'write', by: 'caller', input: {}, output: 'done' },
      { type: 'tool.end', id: '4', name: 'Bash', by: 'agent', input: {}, output: 'x', isError: true },
    ]);
    expect(outcome.calls).toEqual([
      { id: '1', name: 'read', input: { a: 1 } },
      { id: '2', name: 'read', input: null, badInput: '{' },
    ]);
    expect(outcome.native?.map(({ id }) => id)).toEqual(['3', '4']);
  });

  it('what several reports say is added up; money only where all of them know it', () => {
    expect(collect([usage(10, 0.5), usage(5, 0.25)]).usage).toMatchObject({ inputTokens: 15, costUsd: 0.75 });
    expect(collect([usage(10, 0.5), usage(5)]).usage).not.toHaveProperty('costUsd');
    expect(collect([usage(10), usage(5, 0.5)]).usage).not.toHaveProperty('costUsd');
  });

  it('a turn without an end is an error', () => {
    expect(collect([delta(0, 'half')])).toMatchObject({
      text: 'half',
      end: { reason: 'error', code: 'E_AGENT_TURN' },
    });
  });

  it('more words than a turn may keep are cut, and it says so', () => {
    const { text } = collect(Array.from({ length: 50 }, () => delta(0, 'x'.repeat(MAX_TURN_TEXT / 20))));
    expect(text.length).toBeLessThan(MAX_TURN_TEXT + 100);
    expect(text).toContain('[cut');
  });

  it('more calls than a turn may make are not kept', () => {
    const calls = Array.from(
      { length: 5_000 },
      (_, index): TurnEvent => ({ type: 'tool.end', id: `${index}`, name: 'read', by: 'caller', input: {} }),
    );
    expect(collect(calls).calls).toHaveLength(MAX_TURN_CALLS);
  });

  it('any words come back as JSON can keep them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.string({ unit: 'binary' }))), (pieces) => {
        const { text } = collect(pieces.map(([block, piece]) => delta(block, piece)));
        expect(text.isWellFormed()).toBe(true);
        expect(JSON.parse(JSON.stringify(text))).toBe(text);
      }),
      runs(100, 10_000),
    );
  });
});
