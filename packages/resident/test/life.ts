import { join } from 'node:path';
import {
  certifyPlace,
  certifyPlaces,
  KEYS,
  type Objects,
  type PlaceInput,
  placeKey,
  placeSchema,
} from '@cuebook/bundle';
import { manualClock } from '@cuebook/engine';
import { openFolder } from '@cuebook/files';
import type { StoredEvent } from '@cuebook/journal';
import { createRehearsalProvider, type Provider } from '@cuebook/provider';
import { onTestFinished } from 'vitest';
import {
  anchorOf,
  DAY,
  NOW,
  newPlatform,
  type Platform,
  prepared,
  publish,
} from '../../bundle/test/platform.js';
import { must, type Store } from '../../bundle/test/scratch.js';
import { type DeskOptions, openDesk } from '../src/desk.js';
import type { ResidentConfig } from '../src/life/state.js';
import { createResident, RESIDENT_DEFAULTS, residentRun } from '../src/resident.js';
import { SAMPLE_SCRIPT } from '../src/sample-script.js';
import { REDACTOR, type stage } from './stage.js';

export const AGENT = 'ada_1';
export const RUN = residentRun(AGENT);

export interface LifeOptions {
  readonly provider?: Provider;
  readonly config?: Partial<ResidentConfig>;
  readonly objects?: Objects;
  readonly now?: number;
  readonly desk?: Partial<DeskOptions>;
}

/** Counts the turns that a provider is asked for. */
export function counting(provider: Provider): Provider & { readonly turns: () => number } {
  let turns = 0;
  return {
    ...provider,
    turns: () => turns,
    open: (options) => {
      const session = provider.open(options);
      return {
        close: () => session.close(),
        turn: (input) => {
          turns += 1;
          return session.turn(input);
        },
      };
    },
  };
}

let lives = 0;

/** The agent of a test platform, alive on a clock of its own. A second life on the same stage is a restart. */
export async function live(
  at: Awaited<ReturnType<typeof stage>>,
  platform: Platform & { readonly store: Store },
  {
    provider = createRehearsalProvider({ script: SAMPLE_SCRIPT }),
    config: more = {},
    ...options
  }: LifeOptions = {},
) {
  const clock = manualClock(options.now ?? NOW);
  const counted = counting(provider);
  const files = must(await openFolder(join(at.root, AGENT), { create: true }));
  const desk = openDesk({
    ...anchorOf(platform, AGENT),
    objects: options.objects ?? platform.store,
    files,
    path: 'trust.json',
    ...options.desk,
  });
  const config = { ...RESIDENT_DEFAULTS, pollMs: 60_000, ...more };
  lives += 1;
  const engine = createResident({
    agent: AGENT,
    config,
    clock,
    desk,
    store: at.store,
    recorder: at.recorder,
    voice: { provider: counted, redactor: REDACTOR },
    owner: `life ${lives}`,
  });
  onTestFinished(() => engine.stop());
  const id = `start ${lives}`;
  return {
    clock,
    engine,
    turns: counted.turns,
    async begin() {
      must(await engine.start());
      must(await engine.submit(RUN, { id, type: 'resident.start', agent: AGENT, config }));
      await engine.drain();
    },
    /** The next rounds, one after the other. */
    async rounds(count: number, ms = config.pollMs) {
      for (let round = 0; round < count; round += 1) {
        clock.advance(ms);
        await engine.drain();
      }
    },
    state: async () => (await engine.read(RUN)).state,
    events: async () => allOf(at),
    data: async (type: string) =>
      (await allOf(at)).filter((event) => event.type === type).map(({ data }) => data),
  };
}

async function allOf({ store }: Awaited<ReturnType<typeof stage>>): Promise<readonly StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (;;) {
    const events = await store.read(RUN, { after: all.at(-1)?.seq ?? 0 });
    if (events.length === 0) return all;
    all.push(...events);
  }
}

export const options = ({ keys }: Platform, version = 1, now = NOW) => ({
  signer: keys.online,
  issuer: 'test',
  version,
  now,
  lifetimeMs: 30 * DAY,
});

/** A platform with one agent and the topics of a test. */
export async function town(topics: readonly PlaceInput[] = [], more: Parameters<typeof prepared>[0] = {}) {
  const platform = await newPlatform();
  await publish(platform, prepared(more), 1);
  const places = topics.map((topic) => placeSchema.parse(topic));
  for (const place of places)
    must(await platform.store.put(placeKey(place), must(certifyPlace(place, options(platform)))));
  const told = { topics: places.map(({ id }) => id), tasks: [] };
  must(await platform.store.put(KEYS.places(AGENT), must(certifyPlaces(AGENT, told, options(platform)))));
  return platform;
}
export const checkin = {
  kind: 'topic',
  id: 'daily',
  title: 'Daily',
  mode: 'daily_checkin',
  rules: { day_boundary_timezone: 'Asia/Shanghai' },
} satisfies PlaceInput;
export const intro: PlaceInput = { kind: 'topic', id: 'welcome', title: 'Welcome', mode: 'intro_once' };
export const own = ({ store }: Platform) =>
  [...store.all.keys()].filter((key) => key.includes(`/${AGENT}/`) && key.startsWith('topics/'));
export const flip = ({ store }: Platform, key: string) => {
  const bytes = Buffer.from(store.all.get(key) ?? '');
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  store.all.set(key, bytes);
};
