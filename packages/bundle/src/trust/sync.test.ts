import { describe, expect, test } from 'vitest';
import {
  AGENT_SCENARIOS,
  anchorOf,
  DAY,
  libraryOf,
  NOW,
  newPlatform,
  type Platform,
  prepared,
  publish,
} from '../../test/platform.js';
import { memoryStore, must, reasonOf, type Store } from '../../test/scratch.js';
import { KEYS } from '../ids.js';
import { readCheckpoint } from '../log/checkpoint.js';
import { openLog } from '../log/log.js';
import { renewAgents } from './renew.js';
import type { TrustState } from './state.js';
import { type SyncOptions, syncTrust, verifyState } from './sync.js';

const sync = (platform: Platform, more: Partial<SyncOptions> = {}) =>
  syncTrust({ ...anchorOf(platform), objects: platform.store, now: NOW, ...more });
const synced = async (platform: Platform, more: Partial<SyncOptions> = {}): Promise<TrustState> =>
  must(await sync(platform, more)).state;
const copy = (store: Store) => new Map(store.all);
const restore = (store: Store, all: Map<string, Buffer>) => {
  store.all.clear();
  for (const [key, bytes] of all) store.all.set(key, bytes);
};
async function ready(): Promise<Platform> {
  const platform = await newPlatform();
  await publish(platform, prepared(), 1);
  return platform;
}

describe('an agent', () => {
  test('takes a valid card and bundle, and the next ones', async () => {
    const platform = await ready();
    const first = must(await sync(platform));
    expect(first.accepted.card.name).toBe('Ada');
    expect(first.accepted.bundle.base_prompt).toContain('You are Ada');
    expect(first.accepted.bundle.base_prompt).toContain('You are not it');
    expect([...first.accepted.scenarios.keys()]).toHaveLength(11);
    await publish(platform, prepared({ name: 'Ada L.' }, 2), 2);
    const second = must(await sync(platform, { state: first.state }));
    expect(second.changed).toBe(true);
    expect(second.accepted.card.card_version).toBe(2);
    expect(second.accepted.bundle.base_prompt).toContain('Ada L.');
  });

  test('reads two objects when nothing is new, also when the timestamp is', async () => {
    const platform = await newPlatform();
    const set = await publish(platform, prepared(), 1);
    const state = await synced(platform);
    platform.store.reads.length = 0;
    expect(must(await sync(platform, { state })).changed).toBe(false);
    expect(platform.store.reads).toHaveLength(2);
    const desk = { ...platform.desk, now: NOW + DAY / 2 };
    must(await renewAgents(desk, [{ agent: 'ada_1', version: 2, set, depth: 'timestamp' }]));
    platform.store.reads.length = 0;
    expect(must(await sync(platform, { state, now: NOW + DAY })).changed).toBe(true);
    expect(platform.store.reads).toHaveLength(2);
  });

  test('reads four objects when one scenario is new, its library included, whatever else was published before', async () => {
    const platform = await newPlatform();
    const others = Array.from({ length: 9 }, (_, n) => prepared({ agent_id: `other_${n}` }));
    for (const other of others) await publish(platform, other, 1);
    const set = await publish(platform, prepared(), 1);
    for (const other of others) await publish(platform, other, 2);
    const state = await synced(platform);
    for (const other of others) await publish(platform, other, 3);
    const [greeting, ...rest] = AGENT_SCENARIOS;
    if (greeting === undefined) throw new Error();
    const second = { ...greeting, version: 2, template: `${greeting.template} Be brief.` };
    const library = libraryOf(platform.keys, [...AGENT_SCENARIOS, second], 2);
    platform.store.all.set(KEYS.shared('library', 2), library.bytes);
    // What the agent has seen of the log is not what was there when it was last published: one tile more.
    for (const [logSize, most] of [
      [state.checkpoint.toString().match(/"size":(\d+)/)?.[1], 4],
      [1, 5],
    ] as const) {
      const store = memoryStore(new Map(platform.store.all));
      const before = {
        ...{ version: 1, card: set.card, reviews: set.reviews },
        had: { targets: 1, library: 1, logSize: Number(logSize) },
      };
      const log = must(
        await openLog(
          store,
          must(
            readCheckpoint(
              store.all.get(KEYS.checkpoint) as Buffer,
              'test-log',
              new Map([[platform.keys.log.keyId, platform.keys.log.publicKey.object]]),
            ),
          ),
        ),
      );
      await publish(
        platform,
        prepared(),
        2,
        { scenarios: [second, ...rest], before },
        { library, objects: store, log },
      );
      store.reads.length = 0;
      const next = must(await sync({ ...platform, store }, { state }));
      expect(next.accepted.scenarios.get('greeting')?.version).toBe(2);
      expect([store.reads.length <= most, store.reads]).toEqual([true, store.reads]);
    }
  });

  test('believes nothing because it is in a parcel', async () => {
    const platform = await newPlatform();
    const set = await publish(platform, prepared(), 1);
    const state = await synced(platform);
    const before = {
      version: 1,
      card: set.card,
      reviews: set.reviews,
      had: { targets: 1, library: 1, logSize: 2 },
    };
    await publish(platform, prepared(), 2, { before });
    const key = KEYS.own('ada_1', 'update', 2);
    const good = platform.store.all.get(key)?.toString() ?? '';
    expect(reasonOf(await sync(platform, { state }))).toBe('ok');
    const tried: readonly (readonly [string, readonly string[]])[] = [
      ['', ['ok']],
      ['{}', ['ok']],
      [
        good.replaceAll(/[0-9a-f]{64}"([,}])/g, `${'0'.repeat(64)}"$1`),
        ['E_LOG forked', 'E_LOG not-included', 'E_TRUST mixed'],
      ],
      [
        good.replace('agents/all', 'agents/any'),
        ['E_TRUST mixed', 'E_TRUST wrong-subject', 'E_TRUST wrong-kind'],
      ],
      [good.replace(/log_checkpoint/g, 'log_checkpoinT'), ['E_CERT bad_signature']],
    ];
    for (const [text, reasons] of tried) {
      platform.store.all.set(key, Buffer.from(text));
      expect(reasons).toContain(reasonOf(await sync(platform, { state })));
    }
    platform.store.all.delete(key);
    expect(reasonOf(await sync(platform, { state }))).toBe('ok');
  });

  test('is given its arm of a trial by the platform, version and parameters signed with the rest', async () => {
    const platform = await newPlatform();
    const [greeting, ...others] = AGENT_SCENARIOS;
    if (greeting === undefined) throw new Error();
    const second = { ...greeting, version: 2, preset: { ...greeting.preset, temperature: 0.5 } };
    const library = libraryOf(platform.keys, [...AGENT_SCENARIOS, second], 2);
    platform.store.all.set(KEYS.shared('library', 2), library.bytes);
    const arm = { scenarios: [second, ...others], cohorts: { greeting: 'B' } };
    await publish(platform, prepared(), 1, arm, { library });
    await publish(platform, prepared({ agent_id: 'bo_2' }), 1, { cohorts: { greeting: 'A' } }, { library });
    const [ada, bo] = [must(await sync(platform)), must(await sync(platform, { agent: 'bo_2' }))];
    const shown = ({ accepted }: typeof ada) => [
      accepted.bundle.cohorts.greeting,
      accepted.scenarios.get('greeting')?.version,
      accepted.scenarios.get('greeting')?.preset.temperature,
      accepted.scenarios.get('reply')?.version,
    ];
    expect(shown(ada)).toEqual(['B', 2, 0.5, 1]);
    expect(shown(bo)).toEqual(['A', 1, 0.8, 1]);
  });

  test('keeps to its own: nothing of another agent fits', async () => {
    const platform = await ready();
    await publish(platform, prepared({ agent_id: 'bo_2', name: 'Bo' }), 1);
    for (const [key, bytes] of copy(platform.store))
      if (key.includes('bo_2')) platform.store.all.set(key.replace('bo_2', 'ada_1'), bytes);
    expect(reasonOf(await sync(platform))).toBe('E_TRUST wrong-subject');
    const own = [...platform.store.all].filter(([key]) => key.startsWith('trust/agents/ada_1/') === false);
    for (const [key, bytes] of own)
      if (key.startsWith('trust/') && !key.includes('/agents/')) expect(bytes.includes('bo_2')).toBe(false);
  });

  test('does not act on what a saved state was edited to', async () => {
    const platform = await ready();
    const state = await synced(platform);
    const edited = (part: keyof TrustState, from: string, to: string): TrustState => ({
      ...state,
      [part]: Buffer.from(state[part].toString().replace(from, to)),
    });
    const check = (each: TrustState) => reasonOf(verifyState(anchorOf(platform), each, NOW));
    expect(check(state)).toBe('ok');
    expect(check(edited('bundle', '"temperature":0.8', '"temperature":0.9'))).toBe('E_TRUST mixed');
    expect(check(edited('assignment', 'agents/all', 'agents/any'))).toBe('E_TRUST mixed');
    expect(check(edited('timestamp', '"version":1', '"version":2'))).toBe('E_TRUST unsigned');
    expect(check(edited('checkpoint', '"size":2', '"size":3'))).toBe('E_CERT bad_signature');
    const other = await ready();
    expect(reasonOf(verifyState(anchorOf(other), state, NOW))).toBe('E_TRUST unsigned');
  });

  test('is told since when its state is stale', async () => {
    const platform = await ready();
    const state = await synced(platform);
    expect(must(verifyState(anchorOf(platform), state, NOW)).staleSince).toBeUndefined();
    expect(must(verifyState(anchorOf(platform), state, NOW + 2 * DAY)).staleSince).toBe(NOW + DAY);
  });
});

describe('an attacker who has the store', () => {
  test('cannot go back', async () => {
    const platform = await ready();
    const old = copy(platform.store);
    await publish(platform, prepared({ bio: 'new' }, 2), 2);
    const state = await synced(platform);
    restore(platform.store, old);
    expect(reasonOf(await sync(platform, { state }))).toBe('E_TRUST rollback');
    expect(reasonOf(await sync(platform, { floor: 2 }))).toBe('E_TRUST rollback');
    expect(reasonOf(await sync(platform, { floor: 1 }))).toBe('ok');
  });

  test('cannot hold still', async () => {
    const platform = await ready();
    const state = await synced(platform);
    expect(reasonOf(await sync(platform, { state, now: NOW + DAY }))).toBe('E_TRUST expired');
    expect(reasonOf(await sync(platform, { now: NOW + DAY }))).toBe('E_TRUST expired');
    expect(reasonOf(await sync(platform, { now: NOW + DAY - 1000 }))).toBe('ok');
  });

  test.each([
    ['an old card', KEYS.card('ada_1'), 'E_CERT rollback'],
    ['an old bundle', KEYS.bundle('ada_1'), 'E_CERT rollback'],
    ['the card in place of the bundle', `${KEYS.bundle('ada_1')}<${KEYS.card('ada_1')}`, 'E_CERT wrong_kind'],
    ['the card of another', `${KEYS.card('ada_1')}<${KEYS.card('bo_2')}`, 'E_CERT wrong_subject'],
    ['the bundle of another', `${KEYS.bundle('ada_1')}<${KEYS.bundle('bo_2')}`, 'E_CERT wrong_subject'],
    [
      'the timestamp of another',
      `${KEYS.timestamp('ada_1')}<${KEYS.timestamp('bo_2')}`,
      'E_TRUST wrong-subject',
    ],
    [
      'the assignment of another',
      `${KEYS.own('ada_1', 'assignment', 2)}<${KEYS.own('bo_2', 'assignment', 2)}`,
      'E_TRUST wrong-subject',
    ],
    [
      'the review of another',
      `${KEYS.own('ada_1', 'reviews', 2)}<${KEYS.own('bo_2', 'reviews', 2)}`,
      'E_TRUST wrong-subject',
    ],
    [
      'the review in place of the assignment',
      `${KEYS.own('ada_1', 'assignment', 2)}<${KEYS.own('ada_1', 'snapshot', 2)}`,
      'E_TRUST wrong-kind',
    ],
    [
      'the library in place of the review',
      `${KEYS.own('ada_1', 'reviews', 2)}<${KEYS.shared('library', 1)}`,
      'E_TRUST wrong-kind',
    ],
    [
      'an old assignment',
      `${KEYS.own('ada_1', 'assignment', 2)}<${KEYS.own('ada_1', 'assignment', 1)}`,
      'E_TRUST rollback',
    ],
    [
      'an old review',
      `${KEYS.own('ada_1', 'reviews', 2)}<${KEYS.own('ada_1', 'reviews', 1)}`,
      'E_TRUST rollback',
    ],
    [
      'an old snapshot',
      `${KEYS.own('ada_1', 'snapshot', 2)}<${KEYS.own('ada_1', 'snapshot', 1)}`,
      'E_TRUST rollback',
    ],
    ['an old checkpoint', KEYS.checkpoint, 'E_LOG not-included'],
  ])('cannot mix in %s, and what it is is named', async (_name, what, expected) => {
    const platform = await ready();
    const old = copy(platform.store);
    await publish(platform, prepared({ agent_id: 'bo_2', bio: 'A much longer story. '.repeat(9) }, 2), 2);
    await publish(platform, prepared({ bio: 'Lives near the lake. 住在河边。' }, 2), 2);
    const [to = '', from = to] = what.split('<');
    // A parcel would be read in place of these; each must hold without it.
    platform.store.all.delete(KEYS.own('ada_1', 'update', 2));
    platform.store.all.set(to, (from === to ? old : platform.store.all).get(from) as Buffer);
    expect(reasonOf(await sync(platform))).toBe(expected);
  });

  test('cannot pass an object on that was changed, is not one, or never ends, whatever its size', async () => {
    for (const [edit, expected] of EDITS) {
      const platform = await ready();
      const key = KEYS.bundle('ada_1');
      platform.store.all.set(key, Buffer.from(edit(platform.store.all.get(key)?.toString() ?? '')));
      expect(reasonOf(await sync(platform))).toBe(expected);
    }
  });

  test('cannot make an old state look fresh by setting the clock back', async () => {
    const platform = await ready();
    const state = await synced(platform);
    const behind = { now: NOW - 11 * 60_000 };
    expect(reasonOf(await sync(platform, behind))).toBe('E_TRUST clock');
    expect(reasonOf(await sync(platform, { ...behind, state }))).toBe('E_TRUST clock');
    expect(reasonOf(await sync(platform, { now: NOW - 9 * 60_000, state }))).toBe('ok');
  });

  test('cannot show each agent a log of its own', async () => {
    const platform = await ready();
    const state = await synced(platform);
    const tiles = [...platform.store.all.keys()].filter((key) => key.startsWith('log/'));
    for (const key of tiles) platform.store.all.delete(key);
    const log = must(await openLog(platform.store, undefined));
    log.append(Buffer.from('another history'));
    await publish(platform, prepared({ bio: 'new' }, 2), 2, {}, { log });
    expect(reasonOf(await sync(platform, { state }))).toBe('E_LOG forked');
  });

  test('cannot publish what is not in the log', async () => {
    const platform = await ready();
    const log = { ...platform.desk.log, append: () => 0 };
    await publish(platform, prepared({ bio: 'new' }, 2), 2, {}, { log });
    expect(reasonOf(await sync(platform))).toBe('E_LOG not-included');
  });
});

const EDITS: readonly (readonly [(text: string) => string, string])[] = [
  [(text) => text.replace('You are Ada', 'You are Eve'), 'E_CERT bad_signature'],
  [(text) => text.replace(/"expires_at":"\d{4}/, '"expires_at":"9999'), 'E_CERT bad_signature'],
  [(text) => text.replace(/,"cert":\{[^}]*\}/, ''), 'E_CERT missing_cert'],
  [(text) => text.replace(/"key_id":"[0-9a-f]{64}"/, `"key_id":"${'0'.repeat(64)}"`), 'E_CERT unknown_key'],
  [() => 'nothing', 'E_JSON syntax'],
  [() => 'x'.repeat(1024 * 1024 + 1), 'E_OBJECT too-large'],
];
