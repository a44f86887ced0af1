import { placeSchema } from '@cuebook/bundle';
import { describe, expect, test } from 'vitest';
import { must, reasonOf } from '../../bundle/test/scratch.js';
import { newParts, save } from '../test/parts.js';
import { recommendGroups } from './groups.js';
import { putPlace } from './places.js';

describe('groups for a new agent', () => {
  test('are the circles that share an interest, best first, each with its score; ties stand by id', async () => {
    const parts = await newParts();
    const circle = async (id: string, interests: readonly string[], more: object = {}) =>
      must(
        await putPlace(parts, placeSchema.parse({ kind: 'circle', id, title: id, interests, ...more }), 'p'),
      );
    await circle('b', ['birds', 'tea']);
    await circle('a', ['BIRDS', ' tea ']);
    await circle('best', ['birds', 'maps']);
    await circle('nothing', ['steam']);
    await circle('own', ['birds'], { members: ['ada'] });
    await circle('hidden', ['birds'], { visibility: 'invited' });
    await circle('asked', ['maps'], { visibility: 'invited', invited: ['ada'] });
    await save(parts, 'ada', { interests: ['maps', 'birds'] });
    const found = must(await recommendGroups(parts, 'ada'));
    expect(found.map(({ group_id, score }) => [group_id, score])).toEqual([
      ['best', 100],
      ['asked', 50],
      ['a', 33.33],
      ['b', 33.33],
    ]);
    expect(found[0]).toMatchObject({ title: 'best', shared: ['birds', 'maps'] });
    await save(parts, 'ada', { interests: [] });
    expect(must(await recommendGroups(parts, 'ada'))).toEqual([]);
  });

  test('of nobody are none', async () => {
    expect(reasonOf(await recommendGroups(await newParts(), 'nobody'))).toBe('E_REVIEW no-card');
  });
});
