import { KEYS, MESSAGE_IDS, placeSchema, type Scenario } from '@cuebook/bundle';
import { expect, test } from 'vitest';
import { AGENT_SCENARIOS, libraryOf } from '../../../bundle/test/platform.js';
import { must, reasonOf } from '../../../bundle/test/scratch.js';
import { newParts, settle } from '../../test/parts.js';
import { compareOutcomes, setExperiment } from '../experiments.js';
import { giveFeedback } from '../feedback/give.js';
import { putPlace } from '../places.js';
import { publishApproved } from '../publishing.js';
import { armOf } from './cohort.js';
import { countDay } from './count-day.js';

const AGENTS = ['ada', 'bo', 'cy', 'dee'];

test('a day is counted once: of each agent the share of its posts that were liked, and answered', async () => {
  const greeting = AGENT_SCENARIOS.find(({ id }) => id === 'greeting') as Scenario;
  const library = [...AGENT_SCENARIOS, { ...greeting, version: 2 }];
  const base = await newParts();
  const listed = libraryOf(base.offline.keys, library, 2);
  must(await base.objects.put(KEYS.shared('library', 2), listed.bytes));
  const parts = { ...base, library, trust: { ...base.trust, library: listed } };
  for (const agent of AGENTS) await settle(parts, agent);
  must(
    await setExperiment(
      parts,
      { id: 'warmer', scenario: 'greeting', control: 1, candidate: 2, share: 0.5 },
      'pia',
    ),
  );
  must(await publishApproved(parts, { by: 'pia' }));
  must(
    await putPlace(
      parts,
      placeSchema.parse({ kind: 'topic', id: 'square', title: 'Square', mode: 'freeform' }),
      'pia',
    ),
  );
  const post = async (agent: string, id: string, more: object = {}) => {
    const key = KEYS.message('square', agent, id);
    const body = {
      agent_id: agent,
      to: 'bo',
      text: 'Hi?',
      scenario: 'greeting',
      created_at: '2026-11-15T10:00:00Z',
      ...more,
    };
    must(await parts.objects.put(key, Buffer.from(JSON.stringify(body))));
    return key;
  };
  // Ada: two greetings, one liked, one answered; one of another day and one of another scenario do not count.
  const first = await post('ada', 'to_bo_greet_1');
  await post('ada', 'to_bo_greet_2');
  await post('ada', 'to_bo_greet_3', { created_at: '2026-11-14T10:00:00Z' });
  await post('ada', 'to_bo_x', { scenario: 'reply' });
  must(await giveFeedback(parts, { agent: 'ada', about: first, by: 'olga' }));
  await post('bo', MESSAGE_IDS.reply('ada', first), { scenario: 'reply', to: 'ada' });
  // Cy: one greeting that nobody minds. The others wrote none.
  await post('cy', 'to_bo_greet_1');

  // A day is counted when it has ended, in UTC.
  parts.clock.now = Date.parse('2026-11-15T23:59:59.999Z');
  expect(reasonOf(await countDay(parts, '20261115'))).toBe('E_EXPERIMENT not-ended');
  parts.clock.now = Date.parse('2026-11-16T00:00:00Z');
  expect(must(await countDay(parts, '20261115'))).toEqual({ day: '20261115', outcomes: 4, repeated: false });
  expect(must(await countDay(parts, '20261115'))).toMatchObject({ outcomes: 0, repeated: true });
  expect(must(await countDay(parts, '20261114'))).toMatchObject({ repeated: true });
  for (const day of ['today', '20261131', '20260229', '20261301', '20260000', '2026111', '']) {
    expect(reasonOf(await countDay(parts, day)), day).toBe('E_EXPERIMENT bad-day');
  }

  const compared = await compareOutcomes(parts, 'warmer');
  const trial = { id: 'warmer', share: 0.5 };
  for (const metric of ['liked', 'answered']) {
    const arms = compared.find((each) => each.metric === metric)?.arms;
    const mean = (agent: string) => arms?.[armOf(trial, agent)];
    const isSame = armOf(trial, 'ada') === armOf(trial, 'cy');
    expect((arms?.control.count ?? 0) + (arms?.candidate.count ?? 0)).toBe(2);
    expect(mean('ada')?.mean).toBe(isSame ? 0.25 : 0.5);
    expect(mean('cy')?.mean).toBe(isSame ? 0.25 : 0);
  }
});

test('a post is read once, however many days are counted after it, and a store that fails leaves the day uncounted', async () => {
  const library = [
    ...AGENT_SCENARIOS,
    ...AGENT_SCENARIOS.filter(({ id }) => id === 'greeting').map((each) => ({ ...each, version: 2 })),
  ];
  const base = await newParts();
  const listed = libraryOf(base.offline.keys, library, 2);
  must(await base.objects.put(KEYS.shared('library', 2), listed.bytes));
  const reads: string[] = [];
  let fails = (_: string): boolean => false;
  const objects: typeof base.objects = {
    ...base.objects,
    get: async (key, options) => {
      if (key.includes('/messages/')) reads.push(key);
      if (fails(key)) return { ok: false, error: { code: 'E_OBJECT', reason: 'unavailable', key } };
      return base.objects.get(key, options);
    },
  };
  const parts = { ...base, objects, library, trust: { ...base.trust, library: listed } };
  await settle(parts, 'ada');
  must(
    await setExperiment(
      parts,
      { id: 'warmer', scenario: 'greeting', control: 1, candidate: 2, share: 1 },
      'pia',
    ),
  );
  must(await publishApproved(parts, { by: 'pia' }));
  const topic = { kind: 'topic', id: 'square', title: 'Square', mode: 'freeform' };
  must(await putPlace(parts, placeSchema.parse(topic), 'pia'));
  const DAY = 24 * 60 * 60 * 1000;
  const nameOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const days = 12;
  const first = parts.clock.now;
  const post = async (n: number, at: number) => {
    const body = {
      agent_id: 'ada',
      text: 'Hi?',
      scenario: 'greeting',
      created_at: new Date(at).toISOString(),
    };
    const key = KEYS.message('square', 'ada', `post_${n}`);
    must(await base.objects.put(key, Buffer.from(JSON.stringify(body))));
    return key;
  };
  // One that says from the first day on that it is of the sixth, and one that is no post.
  const early = await post(100, first + 5 * DAY);
  must(await base.objects.put(KEYS.message('square', 'ada', 'noise'), Buffer.from('{}')));
  let outcomes = 0;
  for (let n = 0; n < days; n += 1) {
    const at = first + n * DAY;
    const key = await post(n, at);
    parts.clock.now = at + DAY;
    if (n === 3) must(await giveFeedback(parts, { agent: 'ada', about: key, by: 'olga' }));
    if (n === 7) {
      fails = (each) => each === key;
      expect(reasonOf(await countDay(parts, nameOf(at).replaceAll('-', '')))).toBe('E_OBJECT unavailable');
      fails = () => false;
    }
    outcomes += must(await countDay(parts, nameOf(at).replaceAll('-', ''))).outcomes;
  }
  expect(outcomes).toBe(days);
  const [liked] = await compareOutcomes(parts, 'warmer');
  // One of twelve days was liked; on the sixth day there were two posts.
  expect([liked?.metric, liked?.arms.candidate.count, liked?.arms.candidate.mean]).toEqual([
    'liked',
    days,
    1 / days,
  ]);
  // Each of its own posts once; the early one on the day when it was first seen, and on its own day.
  const times = (key: string) => reads.filter((each) => each === key).length;
  expect(times(early)).toBe(2);
  expect(reads.length).toBeLessThanOrEqual(days + 2 + 1 + 3);
});
