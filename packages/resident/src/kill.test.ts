import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { folderObjects, type UpdatePoint } from '@cuebook/bundle';
import { manualClock } from '@cuebook/engine';
import { type FaultPoint, openFolder } from '@cuebook/files';
import { openStore, type StoredEvent } from '@cuebook/journal';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { compilePackage } from '../../../test/compile.js';
import { ROOT } from '../../../test/root.js';
import { sampled, itInTurn as test } from '../../../test/runs.js';
import { anchorOf, NOW, newPlatform, prepared, publish } from '../../bundle/test/platform.js';
import { must, scratch } from '../../bundle/test/scratch.js';
import { AGENT, RUN } from '../test/life.js';
import { openDesk } from './desk.js';
import { createSync } from './resident.js';

type Point = UpdatePoint | FaultPoint | 'intended' | 'begun' | 'performed' | 'settled';

/** Every step of a sync from the intent to its outcome, and the version that stands after a death there. */
const POINTS: readonly (readonly [Point, 1 | 2])[] = [
  ['performed', 2],
  ['update-verified', 1],
  ['renamed', 2],
  ['written', 1],
  ['begun', 1],
  ['settled', 2],
  ['intended', 1],
  ['state-read', 1],
  ['state-verified', 1],
  ['update-saved', 2],
  ['temporary-created', 1],
  ['synced', 1],
  ['checked', 1],
  ['directory-synced', 2],
];

describe('kill -9 in the middle of a sync', () => {
  let built: ReturnType<typeof compilePackage>;
  beforeAll(() => {
    built = compilePackage('resident');
  });
  afterAll(() => built?.remove());

  test.each(sampled(POINTS, 2))(
    'at %s leaves version %i, whole, and the next process goes on',
    async (point, kept) => {
      const { root } = await scratch();
      const platform = await newPlatform();
      await publish(platform, prepared(), 1);
      const objects = folderObjects(must(await openFolder(join(root, 'store'), { create: true })));
      const copy = async () => {
        for (const [key, bytes] of platform.store.all) must(await objects.put(key, bytes));
      };
      const files = must(await openFolder(join(root, 'home'), { create: true }));
      const deskOf = (store = objects) =>
        openDesk({ ...anchorOf(platform, AGENT), objects: store, files, path: 'trust.json' });
      await copy();
      await syncOnce(join(root, 'journal.db'), deskOf(), 'first');
      await publish(platform, prepared({ bio: 'new' }, 2), 2);
      await copy();

      const anchor = anchorOf(platform, AGENT);
      expect(await killAt(built.url, { point, root, anchor })).toBe('SIGKILL');
      // What stands is verified without the store: the old state or the new one, never a mix.
      const left = await deskOf(EMPTY).accepted(NOW);
      expect([left?.card.card_version, left?.bundle.bundle_version]).toEqual([kept, kept]);

      const { events, problems } = await syncOnce(join(root, 'journal.db'), deskOf(), 'second');
      const now = await deskOf(EMPTY).accepted(NOW);
      expect([now?.card.card_version, now?.bundle.bundle_version]).toEqual([2, 2]);
      // Every intent has exactly one outcome, and the log is whole.
      const ids = (type: string) =>
        events.filter((each) => each.type === type).map(({ data }) => (data as { id: string }).id);
      expect(ids('effect.settled').sort()).toEqual([...new Set(ids('effect.intended'))].sort());
      expect(problems).toEqual([]);
    },
  );
});

const EMPTY = folderObjectsOfNothing();

function folderObjectsOfNothing() {
  const nothing = async (key: string) =>
    ({ ok: false, error: { code: 'E_OBJECT', reason: 'not-found', key } }) as const;
  return { get: nothing, put: nothing, list: nothing, remove: nothing };
}

async function syncOnce(file: string, desk: ReturnType<typeof openDesk>, id: string) {
  const store = must(await openStore({ file }));
  try {
    const engine = createSync({ agent: AGENT, store, desk, clock: manualClock(NOW) });
    // The lease of a dead process runs out.
    await expect.poll(async () => (await engine.start()).ok).toBe(true);
    must(await engine.submit(RUN, { id, type: 'resident.sync', agent: AGENT }));
    await engine.drain();
    await engine.stop();
    const events: readonly StoredEvent[] = await store.read(RUN);
    const problems: string[] = [];
    for await (const { message } of store.audit(RUN)) problems.push(message);
    return { events, problems };
  } finally {
    await store.close();
  }
}

interface Killing {
  readonly point: Point;
  readonly root: string;
  readonly anchor: ReturnType<typeof anchorOf>;
}

function killAt(url: string, { point, root, anchor }: Killing): Promise<string | null> {
  const script = `
    const { createSync, openDesk, residentRun } = await import(${JSON.stringify(url)});
    const { folderObjects } = await import('@cuebook/bundle');
    const { openFolder } = await import('@cuebook/files');
    const { openStore } = await import('@cuebook/journal');
    const fault = (each) => { if (each === ${JSON.stringify(point)}) process.kill(process.pid, 'SIGKILL'); };
    const at = ${JSON.stringify(root)};
    const desk = openDesk({
      agent: ${JSON.stringify(anchor.agent)},
      log: ${JSON.stringify(anchor.log)},
      root: Buffer.from(${JSON.stringify(anchor.root.toString('base64'))}, 'base64'),
      objects: folderObjects((await openFolder(at + '/store')).value),
      files: (await openFolder(at + '/home', { fault })).value,
      path: 'trust.json',
      fault,
    });
    const store = (await openStore({ file: at + '/journal.db' })).value;
    const clock = { now: () => ${NOW}, at: (time, wake) => { const t = setTimeout(wake, 1e6); return () => clearTimeout(t); } };
    const engine = createSync({ agent: ${JSON.stringify(anchor.agent)}, store, desk, fault, clock });
    await engine.start();
    await engine.submit(residentRun(${JSON.stringify(anchor.agent)}), { id: 'killed', type: 'resident.sync', agent: ${JSON.stringify(anchor.agent)} });
    await engine.drain();
    process.exit(7);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? String(code))));
}
