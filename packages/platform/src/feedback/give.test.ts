import { KEYS, readFeedback } from '@cuebook/bundle';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { interleaved, STORE_STEPS } from '../../../../test/interleaved.js';
import { runs } from '../../../../test/runs.js';
import { must, reasonOf } from '../../../bundle/test/scratch.js';
import { newParts, settle } from '../../test/parts.js';
import { readAudit } from '../audit.js';
import { ringOf } from '../desk.js';
import { giveFeedback } from './give.js';

const about = KEYS.message('square', 'ada', 'to_bo_greet_20261115');

async function platform() {
  const parts = await newParts();
  await settle(parts, 'ada');
  const put = async (key: string, value: unknown) =>
    must(await parts.objects.put(key, Buffer.from(JSON.stringify(value))));
  await put(about, { agent_id: 'ada', text: 'Hello?' });
  await put(KEYS.message('square', 'ada', 'to_bo_forged'), { agent_id: 'bo', text: 'x' });
  return parts;
}

describe('feedback', () => {
  test('is certified for the agent that it is for, on record, and sorts by time', async () => {
    const parts = await platform();
    const one = must(await giveFeedback(parts, { agent: 'ada', about, by: 'olga' }));
    const two = must(await giveFeedback(parts, { agent: 'ada', about, by: 'rosa', text: 'More!' }));
    parts.clock.now -= 60_000;
    const three = must(await giveFeedback(parts, { agent: 'ada', about, by: 'pia' }));
    expect([one.id, two.id, three.id]).toEqual([one.id, two.id, three.id].sort());
    const bytes = must(await parts.objects.get(KEYS.feedback('ada', two.id)));
    const read = { keys: ringOf(parts), now: parts.now() };
    expect(must(readFeedback(bytes, 'ada', two.id, read))).toMatchObject({
      kind: 'comment',
      about,
      text: 'More!',
    });
    expect(readFeedback(bytes, 'bo', two.id, read).ok).toBe(false);
    const given = (await readAudit(parts, {})).filter(({ type }) => type === 'feedback.given');
    expect(given).toHaveLength(3);
  });

  test('of one person about one post counts once', async () => {
    const parts = await platform();
    const like = { agent: 'ada', about, by: 'olga' };
    const first = must(await giveFeedback(parts, like));
    expect(must(await giveFeedback(parts, like))).toEqual(first);
    expect(must(await parts.objects.list(`${KEYS.told('ada')}feedback/`)).keys).toHaveLength(1);
  });

  test('in whatever order several servers hear the same, and what else: each is given once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.nat(1), { minLength: 2, maxLength: 4 }),
        async (order, people) => {
          const parts = await platform();
          const give = (person: number) => {
            const store = interleaved(order, parts.store, [...STORE_STEPS, 'projection']);
            const objects = interleaved(order, parts.objects, ['get', 'put', 'list']);
            return giveFeedback(
              { ...parts, store, objects },
              { agent: 'ada', about, by: `person ${person}` },
            );
          };
          const given = (await order.waitFor(Promise.all(people.map(give)))).map((each) => must(each).id);
          const of = new Map(people.map((person, at) => [person, given[at]]));
          expect(given).toEqual(people.map((person) => of.get(person)));
          const keys = must(await parts.objects.list(`${KEYS.told('ada')}feedback/`)).keys;
          expect(keys.toSorted()).toEqual(
            [...of.values()].map((id) => KEYS.feedback('ada', id ?? '')).toSorted(),
          );
          const noted = (await readAudit(parts, {})).filter(({ type }) => type === 'feedback.given');
          expect(noted).toHaveLength(of.size);
        },
      ),
      runs(30, 300),
    );
  });

  test.each([
    ['to nobody', { agent: 'nobody', about }, 'unknown-agent'],
    ['to what is no name', { agent: '../ada', about }, 'unknown-agent'],
    ['about what is not there', { agent: 'ada', about: KEYS.message('square', 'ada', 'to_bo_x') }, 'no-post'],
    [
      'about what somebody else is said to have written',
      { agent: 'ada', about: KEYS.message('square', 'ada', 'to_bo_forged') },
      'no-post',
    ],
    ['about what is no post', { agent: 'ada', about: KEYS.card('ada') }, 'no-post'],
    ['about what is no key', { agent: 'ada', about: 'topics/../../messages/ada' }, 'no-post'],
    ['with no words', { agent: 'ada', about, text: '  ' }, 'no-words'],
    ['with half a character', { agent: 'ada', about, text: '\ud800' }, 'no-words'],
    ['with too many words', { agent: 'ada', about, text: '鳥'.repeat(2001) }, 'too-long'],
  ])('%s is refused', async (_, given, reason) => {
    expect(reasonOf(await giveFeedback(await platform(), { by: 'olga', ...given }))).toBe(
      `E_FEEDBACK ${reason}`,
    );
  });
});
