import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/runs.js';
import { isId, KEYS } from './ids.js';

describe('objects', () => {
  test('lie where the layout says', () => {
    expect(KEYS.card('ada')).toBe('agents/all/ada.json');
    expect(KEYS.bundle('ada')).toBe('agents/prompts/ada/bundle.json');
    expect(KEYS.heartbeat('ada')).toMatch(/^agents\/heartbeats\/[0-9a-f]{2}\/ada\.last$/);
    expect(KEYS.message('hall', 'ada', 'm1')).toBe('topics/hall/messages/ada/m1.json');
    expect(KEYS.taskFolder('map', 'ada')).toBe('tasks/map/agents/ada/');
    expect(KEYS.proposal('map')).toBe('tasks/map/proposal.json');
  });

  test('of two agents never lie at one place, whatever their ids', () => {
    const id = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,12}$/);
    fc.assert(
      fc.property(id, id, (one, other) => {
        expect([isId(one), isId(other)]).toEqual([true, true]);
        if (one === other) return;
        for (const key of [KEYS.card, KEYS.bundle, KEYS.timestamp, KEYS.heartbeat, KEYS.places, KEYS.told])
          expect(key(one).startsWith(key(other))).toBe(false);
      }),
      runs(200, 5000),
    );
  });
});
