import { hash } from 'node:crypto';
import { composeScenario, KEYS, SCENARIOS, type Scenario, verifyObject } from '@cuebook/bundle';
import { compose, createRedactor } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/runs.js';
import { memoryStore, must, reasonOf } from '../../bundle/test/scratch.js';
import { newParts, save, settle } from '../test/parts.js';
import { addTemplate, newWorld } from '../test/years.js';
import { readAudit } from './audit.js';
import { ringOf } from './desk.js';
import { eventValues, findEvent, keepEvent, listEvents, weekOf } from './events.js';
import { assignedVersion, findLibrary } from './library/library.js';
import { pinVersion } from './library/pin.js';
import { findPlace, tellPlaces } from './places.js';
import { viewScenarios } from './views.js';

const EVENT = {
  theme: 'A night of maps',
  description: 'Everybody draws the way home.',
  suggested_roles: ['cartographer', 'guide'],
  duration_days: 7,
  reward: 'A compass rose',
};
const answer = (more: object = {}) => JSON.stringify({ ...EVENT, ...more });
const WEEK = '2026-11-16';
const WEEKLY = SCENARIOS.get('weekly_event') as Scenario;

describe('the public event of a week', () => {
  test('is asked for with what published cards care about and the themes there were, all of it fenced', async () => {
    const parts = await newParts();
    await settle(parts, 'ada', { interests: ['birds', 'Maps'] });
    await settle(parts, 'bo', { interests: ['maps', 'MAPS ', 'tea'] });
    await save(parts, 'cy', { interests: ['never published'] });
    must(
      await keepEvent(parts, {
        week: '2026-11-09',
        answer: answer({ theme: 'Owls' }),
        by: 'pia',
        scenario: WEEKLY,
      }),
    );
    const values = await eventValues(parts, WEEK);
    const blocks = must(composeScenario({ scenario: WEEKLY, values }));
    const { text } = must(
      compose({
        blocks,
        hash: (words) => `sha256:${hash('sha256', words)}`,
        redactor: createRedactor({ roots: [], private: [], names: [] }),
      }),
    );
    expect(text).toContain('in the week of 2026-11-16');
    expect(text).toContain(
      '- name: community_signals\n- trust: tool\nmaps: 2\nbirds: 1\ntea: 1\nCONTEXT_TEXT_END',
    );
    expect(text).toContain('- name: past_themes\n- trust: platform\nOwls\nCONTEXT_TEXT_END');
    expect(text).not.toContain('never published');
  });

  test('has theme, description, roles, days and reward, is on record, and is a certified topic that agents hear of', async () => {
    const parts = await newParts();
    await settle(parts, 'ada');
    const kept = must(await keepEvent(parts, { week: WEEK, answer: answer(), by: 'pia', scenario: WEEKLY }));
    expect(kept).toMatchObject({
      week: WEEK,
      event: EVENT,
      topic: 'event_20261116',
      scenarioVersion: 1,
      by: 'pia',
    });
    const place = await findPlace(parts, { kind: 'topic', id: kept.topic });
    expect(place).toMatchObject({ title: EVENT.theme, mode: 'freeform', visibility: 'public' });
    for (const words of ['Everybody draws', 'cartographer, guide', 'Days: 7', 'A compass rose'])
      expect(place?.summary).toContain(words);
    const key = KEYS.topic(kept.topic);
    const expected = { kind: 'topic_manifest', subject: kept.topic, objectKey: key };
    const stored = parts.offline.store.all.get(key) ?? Buffer.alloc(0);
    expect(reasonOf(verifyObject(stored, { keys: ringOf(parts), expect: expected, now: parts.now() }))).toBe(
      'ok',
    );
    must(await tellPlaces(parts, 'ada'));
    expect(parts.offline.store.all.get(KEYS.places('ada'))?.toString()).toContain(kept.topic);
    const trail = (await readAudit(parts, {})).filter(({ type }) => type === 'event.kept');
    expect(trail).toMatchObject([{ data: { week: WEEK, event: EVENT, by: 'pia' } }]);
  });

  test.each([
    ['no reward', { reward: undefined }],
    ['half a day', { duration_days: 1.5 }],
    ['no roles', { suggested_roles: [] }],
    ['more than was asked for', { winner: 'ada' }],
  ])('with %s is refused, and nothing is kept', async (_name, more) => {
    const parts = await newParts();
    expect(
      reasonOf(await keepEvent(parts, { week: WEEK, answer: answer(more), by: 'pia', scenario: WEEKLY })),
    ).toBe('E_OUTPUT');
    expect(await listEvents(parts)).toEqual([]);
    expect(await findPlace(parts, { kind: 'topic', id: 'event_20261116' })).toBeUndefined();
  });

  test('is asked for in the version that the library assigns, and kept with its number', async () => {
    const world = await newWorld(memoryStore(), []);
    const { parts } = world;
    const first = must(await assignedVersion(parts, 'weekly_event'));
    const { version } = await addTemplate(world, 'weekly_event');
    // Signed is not assigned.
    expect(must(await assignedVersion(parts, 'weekly_event'))).toEqual(first);
    must(await pinVersion(parts, { scenario: 'weekly_event', version, by: 'pia' }));
    const scenario = must(await assignedVersion(parts, 'weekly_event'));
    expect([scenario.version, scenario.template]).toEqual([
      version,
      `${first.template}\nVersion ${version}.`,
    ]);
    const kept = must(await keepEvent(parts, { week: WEEK, answer: answer(), by: 'pia', scenario }));
    expect(kept.scenarioVersion).toBe(version);
    const shown = viewScenarios(await findLibrary(parts)).find(({ id }) => id === 'weekly_event');
    expect(shown?.version).toBe(version);
    expect(reasonOf(await assignedVersion(parts, 'no_such'))).toBe('E_LIBRARY not-listed');
  });

  test('is one: a second answer of the week changes nothing, and what a crash left undone is finished', async () => {
    const parts = await newParts();
    const broken = {
      ...parts,
      objects: {
        ...parts.objects,
        put: async () => ({ ok: false, error: { code: 'E_OBJECT', reason: 'denied', key: '' } }),
      },
    } as unknown as typeof parts;
    expect(
      reasonOf(await keepEvent(broken, { week: WEEK, answer: answer(), by: 'pia', scenario: WEEKLY })),
    ).toBe('E_OBJECT denied');
    const again = must(
      await keepEvent(parts, {
        week: WEEK,
        answer: answer({ theme: 'Other' }),
        by: 'quin',
        scenario: WEEKLY,
      }),
    );
    expect(again).toMatchObject({ event: EVENT, by: 'pia' });
    expect(await findEvent(parts, WEEK)).toEqual(again);
    expect((await listEvents(parts)).map(({ week }) => week)).toEqual([WEEK]);
  });
});

test('a week is named by its Monday, and what is no day has none', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }), (date) => {
      const day = date.toISOString().slice(0, 10);
      const week = weekOf(day) ?? '';
      const days = (Date.parse(day) - Date.parse(week)) / 86_400_000;
      expect([new Date(week).getUTCDay(), days >= 0 && days < 7]).toEqual([1, true]);
    }),
    runs(200, 5000),
  );
  for (const text of ['', 'today', '2026-02-30', '2026-1-1', '20261116'])
    expect(weekOf(text)).toBeUndefined();
});
