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
