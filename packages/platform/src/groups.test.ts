import { placeSchema, SCENARIOS, type Scenario } from '@cuebook/bundle';
import { describe, expect, test } from 'vitest';
import { must, reasonOf } from '../../bundle/test/scratch.js';
import { newParts, save } from '../test/parts.js';
import { explainedGroups, groupValues, keepGroups, recommendGroups } from './groups.js';
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

  test('are explained by a model that cannot change a score; what it said counts while the scores are the same', async () => {
    const parts = await newParts();
    const circle = (id: string, interests: readonly string[]) =>
      putPlace(parts, placeSchema.parse({ kind: 'circle', id, title: id, interests }), 'p');
    must(await circle('birders', ['birds']));
    await save(parts, 'ada', { interests: ['maps', 'birds'] });
    expect(must(await groupValues(parts, 'ada'))).toEqual({
      interests: 'maps, birds',
      ranked_groups: '[{"group_id":"birders","score":50,"shared":["birds"],"title":"birders"}]',
    });
    const keep = (row: object) =>
      keepGroups(parts, {
        agent: 'ada',
        answer: JSON.stringify([{ reasons: ['Birds.'], ...row }]),
        by: 'pia',
        scenario: SCENARIOS.get('interest_groups') as Scenario,
      });
    for (const row of [{ group_id: 'birders', score: 51 }, { group_id: 'other', score: 50 }, {}])
      expect(reasonOf(await keep(row))).toBe('E_OUTPUT');
    expect(await explainedGroups(parts, 'ada')).toBeUndefined();
    must(await keep({ group_id: 'birders', score: 50 }));
    expect(must(await recommendGroups(parts, 'ada'))).toMatchObject([{ score: 50, reasons: ['Birds.'] }]);
    expect(await explainedGroups(parts, 'ada')).toMatchObject({ scenarioVersion: 1, by: 'pia' });
    must(await circle('birders', ['birds', 'maps', 'tea']));
    const [changed] = must(await recommendGroups(parts, 'ada'));
    expect(changed?.score).toBe(66.67);
    expect(changed).not.toHaveProperty('reasons');
    await save(parts, 'ada', { interests: ['steam'] });
    expect(must(await groupValues(parts, 'ada'))).toBeUndefined();
  });

  test('of nobody are none', async () => {
    expect(reasonOf(await recommendGroups(await newParts(), 'nobody'))).toBe('E_REVIEW no-card');
  });
});
