import { createKey, KEYS, type KeySigner, readJson } from '@cuebook/bundle';
import { describe, expect } from 'vitest';
import { SEED, share, itInTurn as test } from '../../../../test/runs.js';
import { memoryStore, must } from '../../../bundle/test/scratch.js';
import { attackAll } from '../../test/attacks.js';
import {
  AGENTS,
  addTemplate,
  admit,
  DAY,
  editCard,
  heedHealth,
  newest,
  newWorld,
  renew,
  rotate,
  rotateServer,
  START,
  settleWorld,
  update,
  type World,
  wake,
} from '../../test/years.js';
import { endExperiment, listExperiments, setExperiment } from '../experiments.js';
import { giveFeedback } from '../feedback/give.js';
import { viewFleet } from '../fleet.js';
import { viewHealth } from '../health.js';
import { pinVersion } from '../library/pin.js';
import { renewPlatform } from './renew.js';

const hex = ({ publicKey }: KeySigner): string => publicKey.hex;
const YEARS = 2 * 365;

/** What happens once, on the first day that is visited at or after its own. */
const HAPPENINGS: readonly (readonly [day: number, what: string, happen: (world: World) => Promise<void>])[] =
  [
    [
      45,
      'a second and a third reviewer, of whom two must agree',
      async (world) => {
        const come = [createKey().signer, createKey().signer];
        world.holders.reviewers.push(...come);
        await rotate(world, { role: 'reviews', come: come.map(hex), gone: [], threshold: 2 });
      },
    ],
    [90, 'another key of the log', (world) => rotateServer(world, 'log')],
    [
      150,
      'the key of the server is stolen, and replaced',
      async (world) => {
        await rotateServer(world, 'online');
      },
    ],
    [
      200,
      'a reviewer is lost, and replaced',
      async (world) => {
        const [lost, ...left] = world.holders.reviewers as [KeySigner, ...KeySigner[]];
        const come = createKey().signer;
        world.holders.reviewers = [...left, come];
        await rotate(world, { role: 'reviews', come: [hex(come)], gone: [hex(lost)] });
      },
    ],
    [250, 'another root key', (world) => replaceRoot(world)],
    [
      300,
      'another key of the library',
      async (world) => {
        const come = createKey().signer;
        const gone = [hex(world.holders.library)];
        await rotate(world, { role: 'library', come: [hex(come)], gone }, [come]);
        world.holders.library = come;
      },
    ],
    [400, 'an agent changes its key', (world) => admit(world, 'cy', createKey().signer)],
    [480, 'another root key again', (world) => replaceRoot(world)],
    [560, 'another key of the server, in time', (world) => rotateServer(world, 'online')],
  ];

async function replaceRoot(world: World): Promise<void> {
  const come = createKey().signer;
  const [gone, ...left] = world.holders.roots as [KeySigner, ...KeySigner[]];
  await rotate(world, { role: 'root', come: [hex(come)], gone: [hex(gone)] }, [come]);
  world.holders.roots = [...left, come];
}

/** One agent sleeps for fourteen months. */
const isAwake = (agent: string, day: number): boolean => agent !== 'eve' || day < 100 || day >= 100 + 426;

/** Everybody who is awake; in a short test two of them in turn, and all of them on the last day. */
const awakeOn = (day: number, step: number): readonly string[] => {
  const isLast = day + step >= YEARS;
  const isTurn = (at: number) => step === 1 || isLast || day === 0 || at % 3 === (day / step) % 3;
  return AGENTS.filter((agent, at) => isAwake(agent, day) && isTurn(at));
};

/** A quarter begins: the last trial ends with its candidate for everybody, and a new version is tried. */
async function nextQuarter(world: World, quarter: number): Promise<void> {
  const { parts } = world;
  for (const { id } of await listExperiments(parts)) must(await endExperiment(parts, id, 'pia'));
  const latest = await newest(world, 'greeting');
  must(await pinVersion(parts, { scenario: 'greeting', version: latest.version, by: 'pia' }));
  const candidate = await addTemplate(world, 'greeting');
  const trial = { scenario: 'greeting', control: latest.version, candidate: candidate.version, share: 0.5 };
  must(await setExperiment(parts, { id: `quarter_${quarter}`, ...trial }, 'pia'));
}

describe('a platform over two years', () => {
  test('on every day every agent that is awake verifies everything, and nothing ends unannounced', async () => {
    // Never longer than people are warned before an end.
    const step = share(58, 1);
    const store = memoryStore();
    const world = { ...(await newWorld(store)), objects: store };
    await settleWorld(world);
    const happenings = [...HAPPENINGS];
    const acted = new Set<string>();
    const moments = tenMoments(step);
    let old = new Map(store.all);
    let stolen = world.parts.online;
    let quarter = 0;
    let attacks = 0;
    for (let day = 0; day < YEARS; day += step) {
      world.clock.now = START + day * DAY + 1000;
      while ((happenings[0]?.[0] ?? YEARS + 1) <= day) {
        if (happenings[0]?.[1].includes('stolen')) stolen = world.parts.online;
        await happenings.shift()?.[2](world);
      }
      if (day >= quarter * 91) await nextQuarter(world, quarter++);
      // People look at health now and then, and do what it says.
      if (step > 1 || day % 20 === 0) for (const who of await heedHealth(world)) acted.add(who);
      const agent = AGENTS[Math.floor(day / 7) % 4] as string;
      if (day % 7 < step) await editCard(world, agent, { bio: `Day ${day}.` });
      const { left } = await renew(world);
      // Who waits for a reviewer is told so; the reviewers come at the next look.
      for (const { reason } of left) expect(reason).toBe('unsigned');
      if (left.length > 0) {
        await heedHealth(world);
        await renew(world);
      }
      const ended = (await viewHealth(world.parts)).expiries.filter(({ state }) => state === 'expired');
      expect([day, ended]).toEqual([day, []]);
      for (const each of awakeOn(day, step)) await wake(world, each);
      if (day === 0) await praise(world);
      if (moments.has(day)) {
        attacks += await attackAll({ world, old, stolen }, AGENTS[day % 4] as string);
        old = new Map(store.all);
      }
      if (step === 1) {
        // Half a day later: what holds for a day is renewed before it ends.
        world.clock.now += DAY / 2;
        await renew(world);
      }
    }
    expect([happenings, acted.has('reviewer'), quarter]).toEqual([[], true, share(8, 9)]);
    expect(attacks).toBeGreaterThanOrEqual(moments.size * 40);
    const { members } = await viewFleet(world.parts);
    expect(members.map(({ agent, state, vouched }) => [agent, state, vouched])).toEqual(
      AGENTS.map((agent) => [agent, 'current', true]),
    );
    expect(world.platform.trust.root.version).toBeGreaterThan(8);
  });

  test('in which nobody changes a word or a key goes on, as long as people do what health says', async () => {
    const store = memoryStore();
    const world = { ...(await newWorld(store)), objects: store };
    await settleWorld(world);
    const acted: string[] = [];
    for (let day = 0; day <= YEARS; day += 50) {
      world.clock.now = START + day * DAY + 1000;
      acted.push(...(await heedHealth(world)).filter((who) => who !== 'server'));
      const { left } = await renew(world);
      const ended = (await viewHealth(world.parts)).expiries.filter(({ state }) => state !== 'good');
      expect([day, left, ended]).toEqual([day, [], []]);
      await wake(world, 'ada');
    }
    // Each ends after a year, and is extended once a year.
    expect(acted.sort()).toEqual(['library', 'library', 'reviewer', 'reviewer', 'root', 'root']);
    await wake(world, 'eve');
  });

  test('in which nobody acts tells what ends, long before and afterwards, and agents keep what they have', async () => {
    const store = memoryStore();
    const world = { ...(await newWorld(store)), objects: store };
    await settleWorld(world);
    await wake(world, 'ada');
    const states = async (day: number) => {
      world.clock.now = START + day * DAY + 1000;
      must(await renewPlatform(world.parts, 'server'));
      const { expiries } = await viewHealth(world.parts);
      const of = (name: string) => expiries.find(({ what }) => what === name)?.state;
      return ['root', 'targets', 'library', 'review', 'timestamp', 'card', KEYS.topic('hall')].map(of);
    };
    const good = ['good', 'good', 'good'];
    expect(await states(304)).toEqual(['good', 'good', 'good', 'good', ...good]);
    expect(await states(306)).toEqual(['soon', 'soon', 'soon', 'soon', ...good]);
    await wake(world, 'ada');
    expect(await states(366)).toEqual(['expired', 'expired', 'expired', 'expired', ...good]);
    const kept = await update(world, 'ada');
    expect([kept.accepted?.card.name, kept.failures.map(({ reason, object }) => [reason, object])]).toEqual([
      'ada',
      [['expired', 'root']],
    ]);
  });
});

/** Ten days of the two years, by the seed; one in a short test. */
function tenMoments(step: number): ReadonlySet<number> {
  const days = Array.from({ length: Math.floor(YEARS / step) + 1 }, (_, at) => at * step).slice(2);
  let state = SEED >>> 0 || 1;
  const found = new Set<number>();
  while (found.size < share(1, 10)) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    found.add(days[state % days.length] as number);
  }
  return found;
}

/** A like that has to be heard years later. */
async function praise({ parts, objects }: World): Promise<void> {
  const about = KEYS.message('hall', 'eve', 'hello');
  const { id } = must(await giveFeedback(parts, { agent: 'eve', about, by: 'olga' }));
  expect(readJson(must(await objects.get(KEYS.feedback('eve', id)))).ok).toBe(true);
}
