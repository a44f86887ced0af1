import {
  createKey,
  KEYS,
  placeSchema,
  readTopicState,
  signChallenge,
  type TopicState,
} from '@cuebook/bundle';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/runs.js';
import { must, reasonOf } from '../../bundle/test/scratch.js';
import { agentKey, newParts, settle, type TestParts } from '../test/parts.js';
import { ringOf } from './desk.js';
import { beginAdmission, finishAdmission } from './entry/admit.js';
import { issueCredential } from './entry/credentials.js';
import { putPlace } from './places.js';
import { renewTopics, tellTopicState } from './topic-state.js';

const say = async ({ offline }: TestParts, agent: string, id: string) =>
  must(await offline.store.put(KEYS.message('hall', agent, id), Buffer.from('{}')));
const stored = (parts: TestParts) => parts.offline.store.all.get(KEYS.topicState('hall')) ?? Buffer.alloc(0);
const readBy = (parts: TestParts) =>
  readTopicState(stored(parts), 'hall', { keys: ringOf(parts), now: parts.now() });
const keysOf = ({ recent }: TopicState) => recent.map(({ key }) => key);

test('the state of a topic is certified, counts messages and speakers, and is the topic’s own', async () => {
  const parts = await newParts();
  await say(parts, 'ada', 'one');
  await say(parts, 'bo', 'two');
  await say(parts, 'bo', 'three');
  const state = must(await tellTopicState(parts, 'hall'));
  expect(state).toMatchObject({ topic_id: 'hall', messages: 3, speakers: 2 });
  expect(must(readBy(parts))).toEqual(state);
  const options = { keys: ringOf(parts), now: parts.now() };
  expect(reasonOf(readTopicState(stored(parts), 'other', options))).toMatch(/^E_CERT/);
  const changed = Buffer.from(stored(parts).toString().replace('"messages":3', '"messages":4'));
  expect(reasonOf(readTopicState(changed, 'hall', options))).toMatch(/^E_CERT/);
});

test('messages stand in the order in which the platform saw them, whatever their names', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(fc.constantFrom('ada', 'bo', 'cy'), fc.integer({ min: 0, max: 99 })), {
        maxLength: 40,
        selector: ([agent, n]) => `${agent} ${n}`,
      }),
      async (said) => {
        const parts = await newParts();
        for (const [agent, n] of said) {
          await say(parts, agent, `m${n}`);
          must(await tellTopicState(parts, 'hall'));
        }
        const expected = said.map(([agent, n]) => KEYS.message('hall', agent, `m${n}`)).slice(-20);
        expect(keysOf(must(await tellTopicState(parts, 'hall')))).toEqual(expected);
      },
    ),
    runs(30, 300),
  );
});

test('whoever gets a credential for a topic finds how it stands, at most half a minute old', async () => {
  const parts = await newParts();
  await settle(parts, 'ada');
  const place = placeSchema.parse({ kind: 'topic', id: 'hall', title: 'The hall', mode: 'freeform' });
  must(await putPlace(parts, place, 'p'));
  const challenge = must(await beginAdmission(parts, { agent: 'ada', by: 'owner' }));
  const signature = must(signChallenge(challenge, challenge, agentKey(parts, 'ada')));
  must(await finishAdmission(parts, { challenge, signature }));
  const issue = async () =>
    must(await issueCredential(parts, { agent: 'ada', purpose: { kind: 'topic', id: 'hall' } }));
  await say(parts, 'ada', 'one');
  await issue();
  expect(must(readBy(parts)).messages).toBe(1);
  await say(parts, 'bo', 'two');
  await issue();
  expect(must(readBy(parts)).messages).toBe(1);
  parts.clock.now += 30_000;
  await issue();
  expect(must(readBy(parts)).messages).toBe(2);
});

test('what has not changed is not written again, until half of its time is over', async () => {
  const parts = await newParts();
  await say(parts, 'ada', 'one');
  must(await tellTopicState(parts, 'hall'));
  const first = stored(parts).toString();
  parts.clock.now += parts.lifetimes.cert / 2 - 1;
  must(await tellTopicState(parts, 'hall'));
  expect(stored(parts).toString()).toBe(first);
  parts.clock.now += 2;
  must(await tellTopicState(parts, 'hall'));
  expect(stored(parts).toString()).not.toBe(first);
  expect(must(readBy(parts))).toMatchObject({ messages: 1 });
});

test('a renewal certifies it again when the key of the server changed, or half of its time is over', async () => {
  const parts = await newParts();
  await say(parts, 'ada', 'one');
  must(await tellTopicState(parts, 'hall'));
  expect(must(await renewTopics(parts))).toEqual([]);
  const next = { ...parts, online: createKey().signer };
  expect(must(await renewTopics(next))).toEqual(['hall']);
  expect(reasonOf(readBy(parts))).toMatch(/^E_CERT/);
  expect(must(readBy(next))).toMatchObject({ messages: 1 });
  expect(must(await renewTopics(next))).toEqual([]);
  parts.clock.now += parts.lifetimes.cert / 2 + 1;
  expect(must(await renewTopics(next))).toEqual(['hall']);
});

test('what a store refused is written by the next call', async () => {
  const parts = await newParts();
  await say(parts, 'ada', 'one');
  const broken = {
    ...parts,
    objects: {
      ...parts.objects,
      put: async () => ({ ok: false, error: { code: 'E_OBJECT', reason: 'unavailable', key: '' } }),
    },
  } as unknown as TestParts;
  expect(reasonOf(await tellTopicState(broken, 'hall'))).toBe('E_OBJECT unavailable');
  expect(stored(parts)).toHaveLength(0);
  must(await tellTopicState(parts, 'hall'));
  expect(must(readBy(parts))).toMatchObject({ messages: 1 });
});
