import { spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  certifyPlace,
  certifyPlaces,
  folderObjects,
  KEYS,
  type PlaceInput,
  placeKey,
  placeSchema,
} from '@cuebook/bundle';
import { manualClock } from '@cuebook/engine';
import { openFolder } from '@cuebook/files';
import { createRecorder, createSigner, openStore, type StoredEvent } from '@cuebook/journal';
import { createRehearsalProvider } from '@cuebook/provider';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { compilePackage } from '../../../../test/compile.js';
import { ROOT } from '../../../../test/root.js';
import { sampled, itInTurn as test } from '../../../../test/runs.js';
import { anchorOf, DAY, NOW, newPlatform, prepared, publish } from '../../../bundle/test/platform.js';
import { must, scratch } from '../../../bundle/test/scratch.js';
import { AGENT, RUN } from '../../test/life.js';
import { REDACTOR } from '../../test/stage.js';
import { openDesk } from '../desk.js';
import { createResident, RESIDENT_DEFAULTS } from '../resident.js';
import { SAMPLE_SCRIPT } from '../sample-script.js';

/**
 * A first round has seven effects: sync, look, then for each of intro and check-in a turn and a write, and a turn for
 * the goals. Each point is passed once for each of them.
 */
const POINTS = ['performed', 'begun', 'settled', 'intended'] as const;
const DEATHS = POINTS.flatMap((point) => [3, 4, 1, 2, 5, 6, 7].map((hit) => ({ point, hit })));

describe('kill -9 in the middle of a round', () => {
  let built: ReturnType<typeof compilePackage>;
  beforeAll(() => {
    built = compilePackage('resident');
  });
  afterAll(() => built?.remove());

  test.each(sampled(DEATHS, 2))(
    'at $point number $hit: the next process goes on, and nothing is written twice or lost',
    async ({ point, hit }) => {
      const { root, anchor } = await town();
      expect(await killAt(built.url, { point, hit, root, anchor })).toBe('SIGKILL');
      const { events, written, problems } = await liveOn(root, anchor);
      // What an uninterrupted round leaves.
      expect([...written.keys()].sort()).toEqual([
        KEYS.message('daily', AGENT, '20261115'),
        KEYS.message('welcome', AGENT, 'intro_card_v1'),
      ]);
      const done = events
        .filter(({ type }) => type === 'deed.done')
        .map(({ data }) => (data as { scenario: string }).scenario);
      expect(done.sort()).toEqual(['daily_checkin', 'daily_goals', 'intro']);
      const ids = (type: string) =>
        events.filter((each) => each.type === type).map(({ data }) => (data as { id: string }).id);
      expect(ids('effect.settled').sort()).toEqual([...new Set(ids('effect.intended'))].sort());
      expect(problems).toEqual([]);
    },
  );
});

/** A store in a folder, with the agent published and two topics. */
async function town() {
  const { root } = await scratch();
  const platform = await newPlatform();
  await publish(platform, prepared({ autonomous: { enabled: false } }), 1);
  const options = {
    signer: platform.keys.online,
    issuer: 'test',
    version: 1,
    now: NOW,
    lifetimeMs: 30 * DAY,
  };
  const topics: readonly PlaceInput[] = [
    { kind: 'topic', id: 'welcome', title: 'Welcome', mode: 'intro_once' },
    {
      kind: 'topic',
      id: 'daily',
      title: 'Daily',
      mode: 'daily_checkin',
      rules: { day_boundary_timezone: 'UTC' },
    },
  ];
  for (const topic of topics.map((each) => placeSchema.parse(each)))
    must(await platform.store.put(placeKey(topic), must(certifyPlace(topic, options))));
  const told = { topics: ['welcome', 'daily'], tasks: [] };
  must(await platform.store.put(KEYS.places(AGENT), must(certifyPlaces(AGENT, told, options))));
  const objects = folderObjects(must(await openFolder(join(root, 'store'), { create: true })));
  for (const [key, bytes] of platform.store.all) must(await objects.put(key, bytes));
  must(await openFolder(join(root, 'home'), { create: true }));
  return { root, anchor: anchorOf(platform, AGENT) };
}

type Anchor = ReturnType<typeof anchorOf>;

/** Another process takes over: the same life, from its log. */
async function liveOn(root: string, anchor: Anchor) {
  const store = must(await openStore({ file: join(root, 'journal.db') }));
  try {
    const home = must(await openFolder(join(root, 'home')));
    const objects = folderObjects(must(await openFolder(join(root, 'store'))));
    const config = { ...RESIDENT_DEFAULTS, pollMs: 60_000 };
    const clock = manualClock(NOW);
    const engine = createResident({
      agent: AGENT,
      store,
      config,
      clock,
      desk: openDesk({ ...anchor, objects, files: home, path: 'trust.json' }),
      recorder: createRecorder({ store, signer: must(await createSigner(home)) }),
      voice: { provider: createRehearsalProvider({ script: SAMPLE_SCRIPT }), redactor: REDACTOR },
    });
    // The lease of a dead process runs out.
    await expect.poll(async () => (await engine.start()).ok).toBe(true);
    must(await engine.submit(RUN, { id: 'again', type: 'resident.start', agent: AGENT, config }));
    await engine.drain();
    clock.advance(config.pollMs);
    await engine.drain();
    await engine.stop();
    const events: StoredEvent[] = [...(await store.read(RUN))];
    const problems: string[] = [];
    for await (const { message } of store.audit(RUN)) problems.push(message);
    const written = new Map<string, Uint8Array>();
    for (const prefix of ['topics/welcome/messages/', 'topics/daily/messages/'])
      for (const key of must(await objects.list(prefix)).keys) written.set(key, must(await objects.get(key)));
    return { events, written, problems };
  } finally {
    await store.close();
  }
}

interface Killing {
  readonly point: string;
  readonly hit: number;
  readonly root: string;
  readonly anchor: Anchor;
}

function killAt(url: string, { point, hit, root, anchor }: Killing): Promise<string> {
  const script = `
    const { createResident, openDesk, RESIDENT_DEFAULTS, residentRun, SAMPLE_SCRIPT } = await import(${JSON.stringify(url)});
    const { folderObjects } = await import('@cuebook/bundle');
    const { openFolder } = await import('@cuebook/files');
    const { createRecorder, createSigner, openStore } = await import('@cuebook/journal');
    const { createRedactor } = await import('@cuebook/prompt');
    const { createRehearsalProvider } = await import('@cuebook/provider');
    let hits = 0;
    const fault = (each) => { if (each === ${JSON.stringify(point)} && ++hits === ${hit}) process.kill(process.pid, 'SIGKILL'); };
    const at = ${JSON.stringify(root)};
    const agent = ${JSON.stringify(anchor.agent)};
    const files = (await openFolder(at + '/home')).value;
    const store = (await openStore({ file: at + '/journal.db' })).value;
    const config = { ...RESIDENT_DEFAULTS, pollMs: 60000 };
    const engine = createResident({
      agent, store, config, fault,
      clock: { now: () => ${NOW}, at: (time, wake) => { const t = setTimeout(wake, 1e6); return () => clearTimeout(t); } },
      desk: openDesk({
        agent,
        log: ${JSON.stringify(anchor.log)},
        root: Buffer.from(${JSON.stringify(anchor.root.toString('base64'))}, 'base64'),
        objects: folderObjects((await openFolder(at + '/store')).value),
        files,
        path: 'trust.json',
      }),
      recorder: createRecorder({ store, signer: (await createSigner(files)).value }),
      voice: {
        provider: createRehearsalProvider({ script: SAMPLE_SCRIPT }),
        redactor: createRedactor({ roots: [], private: [], names: [] }),
      },
    });
    await engine.start();
    await engine.submit(residentRun(agent), { id: 'first', type: 'resident.start', agent, config });
    await engine.drain();
    process.exit(7);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? String(code))));
}
