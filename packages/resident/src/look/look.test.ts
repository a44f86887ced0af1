import {
  type CardDraftInput,
  cardDraftSchema,
  certify,
  certifyPlace,
  certifyPlaces,
  certifyTopicState,
  KEYS,
  MESSAGE_IDS,
  type PlaceInput,
  placeKey,
  placeSchema,
  printHeartbeat,
  printTime,
  syncTrust,
} from '@cuebook/bundle';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import {
  anchorOf,
  DAY,
  NOW,
  newPlatform,
  type Platform,
  prepared,
  publish,
} from '../../../bundle/test/platform.js';
import { must, type Store } from '../../../bundle/test/scratch.js';
import { lookAround } from './look.js';
import { matchScore } from './match.js';

const ADA = 'ada_1';
const put = async ({ store }: { readonly store: Store }, key: string, value: unknown) =>
  must(await store.put(key, Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))));
const options = ({ keys }: Platform, version = 1) => ({
  signer: keys.online,
  issuer: 'test',
  version,
  now: NOW,
  lifetimeMs: 30 * DAY,
});

/** Ada, and what else there is; `places` are certified and told to her. */
async function world(places: readonly PlaceInput[] = []) {
  const platform = await newPlatform();
  await publish(platform, prepared(), 1);
  const { accepted } = must(
    await syncTrust({ ...anchorOf(platform, ADA), objects: platform.store, now: NOW }),
  );
  const parsed = places.map((place) => placeSchema.parse(place));
  for (const place of parsed)
    must(await platform.store.put(placeKey(place), must(certifyPlace(place, options(platform)))));
  const of = (kind: string) => parsed.flatMap((place) => (place.kind === kind ? [place.id] : []));
  const told = must(certifyPlaces(ADA, { topics: of('topic'), tasks: of('task') }, options(platform)));
  must(await platform.store.put(KEYS.places(ADA), told));
  const look = async (now = NOW) =>
    must(
      await lookAround({
        ...{ objects: platform.store, accepted, now, onlineMs: 180_000, heard: '' },
        beat: () =>
          platform.store.put(
            KEYS.heartbeat(ADA),
            printHeartbeat({ agent: ADA, at: now, applied: accepted.applied, failure: null }),
          ),
      }),
    );
  return { ...platform, look };
}

const neighbour = (more: Partial<CardDraftInput> = {}) =>
  prepared({ agent_id: 'bo', name: 'Bo', interests: ['birds'], discovery: { public: true }, ...more });
async function moveIn(platform: Platform, card = neighbour(), beat: unknown = undefined) {
  await publish(platform, card, 1);
  const { agent_id } = card.card;
  await put(platform, KEYS.heartbeat(agent_id), beat ?? { agent_id, observed_at: printTime(NOW) });
}
const square: PlaceInput = { kind: 'topic', id: 'square', title: 'Square', mode: 'freeform' };
const guide: PlaceInput = {
  kind: 'task',
  id: 'guide',
  title: 'A guide to birds',
  participants: [
    { agent_id: 'bo', role: 'writer' },
    { agent_id: ADA, role: 'reviewer' },
  ],
};
const message = (more: object = {}) => ({ agent_id: 'bo', to: ADA, text: 'Hello?', ...more });
const TO_ADA = KEYS.message('square', 'bo', `to_${ADA}_greet_20261115`);

describe('a look', () => {
  test('shows that the agent is awake, where the layout says', async () => {
    const at = await world();
    await at.look();
    expect(JSON.parse(String(at.store.all.get(KEYS.heartbeat(ADA))))).toMatchObject({
      ...{ kind: 'agent_heartbeat', agent_id: ADA, observed_at: '2026-11-15T12:00:00Z', failure: null },
      applied: { objects: [{ object: KEYS.card(ADA) }, { object: KEYS.bundle(ADA) }] },
    });
    expect(KEYS.heartbeat('agent_demo_01')).toBe('agents/heartbeats/e9/agent_demo_01.last');
  });

  test.each([
    ['awake', neighbour(), undefined, 1],
    ['asleep', neighbour(), { agent_id: 'bo', observed_at: '2026-11-15T11:50:00Z' }, 0],
    ['of the future', neighbour(), { agent_id: 'bo', observed_at: '2027-11-15T11:50:00Z' }, 0],
    ['whose heartbeat names another', neighbour(), { agent_id: 'cy', observed_at: printTime(NOW) }, 0],
    ['whose heartbeat is nonsense', neighbour(), 'nonsense', 0],
    ['who does not want to be found', neighbour({ discovery: { public: false } }), undefined, 0],
  ] as const)('finds an agent %s', async (_, card, beat, found) => {
    const at = await world();
    await moveIn(at, card, beat);
    expect((await at.look()).peers).toHaveLength(found);
  });

  test('passes over a card that does not verify, is of another place, or of a thief', async () => {
    const at = await world();
    await moveIn(at);
    const good = at.store.all.get(KEYS.card('bo')) as Buffer;
    expect((await at.look()).peers).toMatchObject([{ agent: 'bo', name: 'Bo' }]);
    at.store.all.set(KEYS.card('bo'), Buffer.from(good.toString().replace('"name":"Bo"', '"name":"Xo"')));
    expect(await at.look()).toMatchObject({ peers: [], skipped: 1 });
    at.store.all.set(KEYS.card('bo'), at.store.all.get(KEYS.card(ADA)) as Buffer);
    expect(await at.look()).toMatchObject({ peers: [], skipped: 1 });
    const thief = await newPlatform();
    const binding = { kind: 'agent_card', subject: 'bo', objectKey: KEYS.card('bo') };
    at.store.all.set(KEYS.card('bo'), must(certify({ ...neighbour().card }, { ...options(thief), binding })));
    expect(await at.look()).toMatchObject({ peers: [], skipped: 1 });
  });

  test('goes only to places that are certified and told to this agent', async () => {
    const at = await world([square, guide]);
    expect((await at.look()).topics).toHaveLength(1);
    expect((await at.look()).tasks).toMatchObject([{ task: 'guide', role: 'reviewer', fits: 1 }]);
    for (const key of [KEYS.topic('square'), KEYS.task('guide')])
      at.store.all.set(key, Buffer.from(String(at.store.all.get(key)).replace('"open"', '"0pen"')));
    expect(await at.look()).toMatchObject({ topics: [], tasks: [], skipped: 2 });
    at.store.all.set(
      KEYS.places(ADA),
      Buffer.from(String(at.store.all.get(KEYS.places(ADA))).replace('square', 'sqvare')),
    );
    expect(await at.look()).toMatchObject({ topics: [], tasks: [], skipped: 1 });
  });

  test.each([
    ['a message to the agent', TO_ADA, message(), 1],
    ['to somebody else', KEYS.message('square', 'bo', 'to_cy_x'), message({ to: 'cy' }), 0],
    ['to somebody else under a name for us', TO_ADA, message({ to: 'cy' }), 0],
    ['that says somebody else wrote it', TO_ADA, message({ agent_id: 'cy' }), 0],
    ['with no words', TO_ADA, message({ text: '' }), 0],
    ['that is no JSON', TO_ADA, 'nonsense', 0],
    ['of its own', KEYS.message('square', ADA, `to_${ADA}_x`), message({ agent_id: ADA }), 0],
  ] as const)('hears %s', async (_, key, body, heard) => {
    const at = await world([square]);
    await put(at, key, body);
    expect((await at.look()).messages).toHaveLength(heard);
  });

  test('hears a message until it has answered it, and no more than 600 characters of it', async () => {
    const at = await world([square]);
    await put(at, TO_ADA, message({ text: '鳥'.repeat(2000) }));
    const [heard] = (await at.look()).messages;
    expect([...(heard?.text ?? '')]).toHaveLength(600);
    await put(at, KEYS.message('square', ADA, MESSAGE_IDS.reply('bo', TO_ADA)), {});
    expect((await at.look()).messages).toEqual([]);
  });

  const said = (agent: string, text: string, created_at: string) => ({ agent_id: agent, text, created_at });
  const stateOf = (at: Platform, recent: readonly (readonly [agent: string, id: string])[], version = 1) =>
    must(
      certifyTopicState(
        {
          topic_id: 'square',
          messages: 41,
          speakers: 7,
          recent: recent.map(([agent_id, id]) => ({
            agent_id,
            key: KEYS.message('square', agent_id, id),
            seen_at: printTime(NOW - 60_000),
          })),
        },
        options(at, version),
      ),
    );

  test('hears a group in the order of the certified state, with the words before each message', async () => {
    const at = await world([square]);
    await put(at, KEYS.message('square', 'bo', 'b'), said('bo', 'Second.', '2026-11-01T00:00:00Z'));
    await put(at, KEYS.message('square', 'cy', 'a'), said('cy', 'First.', '2026-11-02T00:00:00Z'));
    await put(at, KEYS.message('square', 'dot', 'c'), said('dot', 'Third.', '2026-11-15T11:59:30Z'));
    await put(
      at,
      KEYS.topicState('square'),
      String(
        stateOf(at, [
          ['cy', 'a'],
          ['bo', 'b'],
        ]),
      ),
    );
    const { messages, topics } = await at.look();
    expect(messages.map(({ text, before }) => [text, ...before.map((each) => each.text)])).toEqual([
      ['First.'],
      ['Second.', 'First.'],
      ['Third.', 'First.', 'Second.'],
    ]);
    expect(topics[0]?.activity).toMatchObject({ messages: 41, speakers: 7, newest: { text: 'Third.' } });
  });

  test('hears a group by the times that authors claim where no state verifies, and says that one was passed over', async () => {
    const at = await world([square]);
    await put(at, KEYS.message('square', 'bo', 'b'), said('bo', 'Second.', '2026-11-02T00:00:00Z'));
    await put(at, KEYS.message('square', 'cy', 'a'), said('cy', 'First.', '2026-11-01T00:00:00Z'));
    const thief = await newPlatform();
    await put(
      at,
      KEYS.topicState('square'),
      String(
        stateOf(thief, [
          ['bo', 'b'],
          ['cy', 'a'],
        ]),
      ),
    );
    const sight = await at.look();
    expect(sight.skipped).toBe(1);
    expect(sight.messages.map(({ text }) => text)).toEqual(['First.', 'Second.']);
    expect(sight.topics[0]?.activity).toMatchObject({ messages: 2, speakers: 2 });
  });

  test('tells all that a task asks for, and how much of it fits what is still open', async () => {
    const asks = {
      required_roles: [{ role: 'Painter', why: 'birds' }, { role: 'cook' }],
      estimated_output: 'A book',
      expected_outputs: ['ten pages'],
      tags: ['river'],
      timebox_hours: 12,
    };
    const own = { kind: 'task', id: 'book', title: 'A book', summary: 'x', ...asks } as const;
    const at = await world([own]);
    const [open] = (await at.look()).tasks;
    expect(open).toMatchObject({ hours: 12, openRoles: ['Painter', 'cook'], fits: 1 });
    expect(JSON.parse(open?.summary ?? '')).toMatchObject({ ...asks, visibility: 'public' });
    const taken = await world([{ ...own, participants: [{ agent_id: 'bo', role: 'painter' }] }]);
    expect((await taken.look()).tasks[0]).toMatchObject({ openRoles: ['cook'], fits: 0 });
  });

  test('sees what others delivered and what is left to review', async () => {
    const at = await world([guide]);
    await put(at, `${KEYS.taskFolder('guide', 'bo')}artifact.json`, {
      agent_id: 'bo',
      content: { title: 'The heron' },
    });
    expect((await at.look()).tasks[0]).toMatchObject({
      toReview: [{ agent: 'bo', text: '{"title":"The heron"}' }],
    });
    await put(at, `${KEYS.taskFolder('guide', ADA)}review_bo.json`, {});
    expect((await at.look()).tasks[0]?.toReview).toEqual([]);
  });

  test('ends, whatever a store of other agents holds', async () => {
    const at = await world([square, guide]);
    const key = fc.constantFrom(
      TO_ADA,
      KEYS.heartbeat('bo'),
      KEYS.card('bo'),
      `${KEYS.taskFolder('guide', 'bo')}artifact.json`,
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(key, bytes), { maxLength: 6 }), async (entries) => {
        for (const [name, content] of entries) at.store.all.set(name, Buffer.from(content));
        const sight = await at.look();
        expect(JSON.parse(JSON.stringify(sight))).toEqual(sight);
        expect(sight.peers).toEqual([]);
      }),
      runs(60, 2000),
    );
  });
});

describe('the match of two cards', () => {
  const card = (more: Partial<CardDraftInput>) =>
    cardDraftSchema.parse({
      agent_id: 'x',
      name: 'X',
      personality: { extrovert: 0.5, curious: 0.5, creative: 0.5, stable: 0.5 },
      ...more,
    });
  const words = fc.array(fc.constantFrom('birds', 'Maps', 'baking', 'chess', 'ＭＡＰＳ'), { maxLength: 5 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const any = fc
    .record({
      interests: words,
      capabilities: words,
      personality: fc.record({ extrovert: share, curious: share, creative: share, stable: share }),
    })
    .map((more) => card(more));

  test('is the same from both sides and in any order, lies between 0 and 100, and fits its placeholder', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        const score = matchScore(a, b);
        expect(score).toBe(matchScore(b, a));
        expect(score).toBe(matchScore({ ...a, interests: a.interests.toReversed() }, b));
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
        expect(String(score)).toMatch(/^(?:100|\d{1,2})(?:\.\d{1,4})?$/);
      }),
      runs(300, 5000),
    );
  });

  test('is 0 exactly when nothing is shared', () => {
    expect(matchScore(card({ interests: ['birds'] }), card({ interests: ['chess'] }))).toBe(0);
    expect(matchScore(card({}), card({}))).toBe(0);
    expect(matchScore(card({ interests: ['birds'] }), card({ interests: ['Birds '] }))).toBe(75);
    const many = Array.from({ length: 24 }, (_, n) => `topic ${n}`);
    const other = ['topic 1', ...Array.from({ length: 23 }, (_, n) => `other ${n}`)];
    expect(matchScore(card({ interests: many }), card({ interests: other }))).toBeGreaterThan(0);
  });
});
