import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { brief, listener } from '../../../test/fixture.js';
import { createTextLog } from './text-log.js';

describe('texts of a turn', () => {
  it('are said once, however much of them came in deltas', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 6 }), fc.nat(6), (parts, told) => {
        const { events, emit } = listener();
        const texts = createTextLog(emit);
        for (const part of parts.slice(0, told)) texts.delta('text', 'm', part);
        texts.whole('text', 'm', parts.join(''));
        texts.whole('text', 'm', parts.join(''));
        expect(events.map((event) => ('text' in event ? event.text : '')).join('')).toBe(parts.join(''));
      }),
      runs(200, 10_000),
    );
  });

  it('are blocks of their own, thoughts among them', () => {
    const { events, emit } = listener();
    const texts = createTextLog(emit);
    texts.delta('reasoning', 'r:0', 'first');
    texts.delta('reasoning', 'r:1', 'then');
    texts.delta('text', 'm', 'so');
    texts.delta('reasoning', 'r:1', ' more');
    expect(brief(events)).toEqual([
      'reasoning 0: first',
      'reasoning 1: then',
      'text 2: so',
      'reasoning 1:  more',
    ]);
  });

  it('that end in other words than they were told in stay as they were told', () => {
    const { events, emit } = listener();
    const texts = createTextLog(emit);
    texts.delta('text', 'm', 'said');
    texts.whole('text', 'm', 'another wording');
    expect(brief(events)).toEqual(['text 0: said']);
  });
});
