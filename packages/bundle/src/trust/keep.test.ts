import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FaultPoint, openFolder } from '@cuebook/files';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compilePackage } from '../../../../test/compile.js';
import { ROOT } from '../../../../test/root.js';
import { itInTurn, sampled } from '../../../../test/runs.js';
import { anchorOf, DAY, NOW, newPlatform, type Platform, prepared, publish } from '../../test/platform.js';
import { must, reasonOf, type Store, scratch } from '../../test/scratch.js';
import { KEYS } from '../ids.js';
import { type UpdateOptions, type UpdatePoint, updateTrust } from './keep.js';
import { renewAgents } from './renew.js';

const PATH = 'trust.json';

async function agent() {
  const platform = await newPlatform();
  await publish(platform, prepared(), 1);
  const home = await scratch();
  const update = (more: Partial<UpdateOptions> = {}) =>
    updateTrust({
      ...anchorOf(platform),
      objects: platform.store,
      files: home.files,
      path: PATH,
      now: NOW,
      ...more,
    });
  return { platform, ...home, update };
}
const tamper = ({ store }: Platform, key: string) => {
  const text = store.all.get(key)?.toString() ?? '';
  store.all.set(key, Buffer.from(text.replace('You are Ada', 'You are Eve')));
};

describe('an update', () => {
  test('applies what is valid and is there after a restart', async () => {
    const { platform, update } = await agent();
    expect(must(await update())).toMatchObject({
      changed: true,
      failures: [],
      accepted: { card: { card_version: 1 } },
    });
    expect(must(await update())).toMatchObject({
      changed: false,
      failures: [],
      accepted: { card: { card_version: 1 } },
    });
    await publish(platform, prepared({ bio: 'new' }, 2), 2);
    expect(must(await update()).accepted?.card.bio).toBe('new');
  });

  test('with fresh signatures only is saved, and is no change of what the agent acts on', async () => {
    const platform = await newPlatform();
    const set = await publish(platform, prepared(), 1);
    const { files } = await scratch();
    const update = (now: number) =>
      updateTrust({ ...anchorOf(platform), objects: platform.store, files, path: PATH, now });
    expect(must(await update(NOW))).toMatchObject({ changed: true });
    const before = must(await files.readBytes(PATH));
    const desk = { ...platform.desk, now: NOW + DAY / 2 };
    must(await renewAgents(desk, [{ agent: 'ada_1', version: 2, set, depth: 'timestamp' }]));
    expect(must(await update(NOW + DAY))).toMatchObject({
      changed: false,
      failures: [],
      staleSince: undefined,
    });
    expect(must(await files.readBytes(PATH))).not.toEqual(before);
    await publish({ ...platform, desk }, prepared({ bio: 'new' }, 3), 3);
    expect(must(await update(NOW + DAY))).toMatchObject({
      changed: true,
      accepted: { card: { bio: 'new' } },
    });
  });

  test('that is not valid is recorded, and the last good one stays', async () => {
    const { platform, update } = await agent();
    must(await update());
    await publish(platform, prepared({ bio: 'new' }, 2), 2);
    tamper(platform, KEYS.bundle('ada_1'));
    const kept = must(await update());
    expect(kept.accepted?.card.card_version).toBe(1);
    expect(kept.failures).toEqual([
      {
        kind: 'verification_failure',
        schema_version: 1,
        agent_id: 'ada_1',
        observed_at: '2026-11-15T12:00:00Z',
        source: 'store',
        code: 'E_CERT',
        reason: 'bad_signature',
        object: KEYS.bundle('ada_1'),
        kept: { card_version: 1, bundle_version: 1 },
      },
    ]);
    await publish(platform, prepared({ bio: 'newer' }, 3), 3);
    expect(must(await update())).toMatchObject({ failures: [], accepted: { card: { bio: 'newer' } } });
  });

  test('with no valid bundle ever leaves the agent inactive', async () => {
    const { platform, update } = await agent();
    tamper(platform, KEYS.bundle('ada_1'));
    const kept = must(await update());
    expect(kept.accepted).toBeUndefined();
    expect(kept.failures).toMatchObject([{ reason: 'bad_signature', kept: null }]);
  });

  test('finds a preset that was changed in the saved file, and takes the true one from the store', async () => {
    const { root, update } = await agent();
    must(await update());
    const file = join(root, PATH);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('temperature\\":0.8', 'temperature\\":0.9'));
    expect(readFileSync(file, 'utf8')).not.toBe(text);
    const kept = must(await update());
    expect(kept.failures).toMatchObject([{ source: 'state', reason: 'mixed', kept: null }]);
    expect(kept.accepted?.bundle.params_presets.intro?.temperature).toBe(0.8);
    const empty = { objects: { get: async (key: string) => missing(key) } };
    writeFileSync(file, text.replace('temperature\\":0.8', 'temperature\\":0.9'));
    expect(must(await update(empty)).accepted).toBeUndefined();
    writeFileSync(file, 'nonsense');
    expect(must(await update(empty)).failures).toMatchObject([
      { code: 'E_TRUST_STATE' },
      { code: 'E_OBJECT' },
    ]);
  });

  test('from a store that holds still goes on with the old state and tells since when it is stale', async () => {
    const { update } = await agent();
    must(await update());
    expect(must(await update({ now: NOW + 3 * DAY }))).toMatchObject({
      accepted: { card: { name: 'Ada' } },
      staleSince: NOW + DAY,
      failures: [{ reason: 'expired', object: 'timestamp' }],
    });
  });

  test('remembers the latest time that it knows of: a frozen store is found when the clock is set back too', async () => {
    const { platform, update, root } = await agent();
    must(await update());
    // The store holds still; the agent has seen the day after tomorrow, and somebody sets its clock back.
    must(await update({ now: NOW + 2 * DAY }));
    const back = must(await update({ now: NOW + DAY / 2 }));
    expect(back).toMatchObject({
      staleSince: NOW + DAY,
      failures: [{ code: 'E_TRUST', reason: 'clock', object: 'clock' }],
    });
    // A restart, and a state that is lost, change nothing about it.
    rmSync(join(root, PATH));
    expect(must(await update({ now: NOW + DAY / 2 }))).toMatchObject({
      accepted: undefined,
      failures: [{ reason: 'clock' }],
    });
    // A person may say that the clock is right; what is signed counts still.
    expect(must(await update({ now: NOW + DAY / 2, clockIsRight: true }))).toMatchObject({ failures: [] });
    await publish(platform, prepared({}, 2), 2, {}, { now: NOW + 3 * DAY });
    expect(must(await update({ now: NOW + 3 * DAY })).failures).toEqual([]);
    const early = { now: NOW + 2.5 * DAY, clockIsRight: true };
    expect(must(await update(early)).failures).toMatchObject([{ reason: 'clock' }]);
  });

  test('tells the last refusal also after it was fixed', async () => {
    const { platform, update } = await agent();
    expect(must(await update()).lastFailure).toBe(null);
    await publish(platform, prepared({ bio: 'new' }, 2), 2);
    tamper(platform, KEYS.bundle('ada_1'));
    const failure = {
      ...{ at: '2026-11-15T12:00:00Z', code: 'E_CERT', reason: 'bad_signature' },
      object: KEYS.bundle('ada_1'),
    };
    expect(must(await update()).lastFailure).toEqual(failure);
    await publish(platform, prepared({ bio: 'newer' }, 3), 3);
    expect(must(await update())).toMatchObject({ failures: [], lastFailure: failure });
  });
});

const missing = (key: string) =>
  ({ ok: false, error: { code: 'E_OBJECT', reason: 'not-found', key } }) as const;

const FILE_POINTS: readonly (readonly [FaultPoint, 1 | 2])[] = [
  ['temporary-created', 1],
  ['written', 1],
  ['synced', 1],
  ['checked', 1],
  ['renamed', 2],
  ['directory-synced', 2],
];
const UPDATE_POINTS: readonly (readonly [UpdatePoint, 1 | 2])[] = [
  ['state-read', 1],
  ['state-verified', 1],
  ['update-verified', 1],
  ['update-saved', 2],
];

describe('kill -9 in the middle of an update', () => {
  let built: ReturnType<typeof compilePackage>;
  beforeAll(() => {
    built = compilePackage('bundle');
  });
  afterAll(() => built.remove());

  itInTurn.each(sampled([...UPDATE_POINTS, ...FILE_POINTS], 3))(
    'at %s leaves version %i, whole',
    async (point, kept) => {
      const { platform, root, update } = await agent();
      must(await update());
      await publish(platform, prepared({ bio: 'new' }, 2), 2);
      const store = await onDisk(platform.store);
      expect(await killAt(built.url, { point, root, store: store.root, anchor: anchorOf(platform) })).toBe(
        'SIGKILL',
      );
      // Away from the store: what stands is what the dead process left.
      const left = must(await update({ objects: { get: async (key) => missing(key) } }));
      expect(left.accepted?.card.card_version).toBe(kept);
      expect(left.accepted?.bundle.bundle_version).toBe(kept);
      expect(left.failures.map(({ source }) => source)).toEqual(['store']);
      expect(must(await update()).accepted?.card.card_version).toBe(2);
    },
  );
});

describe('a fault in the middle of an update', () => {
  test('a disk that fails at any point is an error, and the old state stands', async () => {
    for (const [point, kept] of FILE_POINTS) {
      const { platform, root, update } = await agent();
      must(await update());
      await publish(platform, prepared({ bio: 'new' }, 2), 2);
      const fault = (each: FaultPoint) => {
        if (each === point) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      };
      const files = must(await openFolder(root, { fault }));
      expect(reasonOf(await update({ files }))).toBe('E_DISK');
      const left = must(await update({ objects: { get: async (key) => missing(key) } }));
      expect(left.accepted?.card.card_version, point).toBe(kept);
    }
  });
});

/** The store as a folder that another process can read. */
async function onDisk({ all }: Store) {
  const { root } = await scratch();
  for (const [key, bytes] of all) {
    mkdirSync(join(root, key, '..'), { recursive: true });
    writeFileSync(join(root, key), bytes);
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

interface Killing {
  readonly point: FaultPoint | UpdatePoint;
  readonly root: string;
  readonly store: string;
  readonly anchor: ReturnType<typeof anchorOf>;
}

function killAt(url: string, { point, root, store, anchor }: Killing): Promise<string | null> {
  const script = `
    const { updateTrust, folderObjects } = await import(${JSON.stringify(url)});
    const { openFolder } = await import('@cuebook/files');
    const fault = (each) => { if (each === ${JSON.stringify(point)}) process.kill(process.pid, 'SIGKILL'); };
    const files = (await openFolder(${JSON.stringify(root)}, { fault })).value;
    const objects = folderObjects((await openFolder(${JSON.stringify(store)})).value);
    await updateTrust({
      agent: ${JSON.stringify(anchor.agent)},
      log: ${JSON.stringify(anchor.log)},
      root: Buffer.from(${JSON.stringify(anchor.root.toString('base64'))}, 'base64'),
      objects, files, fault, path: ${JSON.stringify(PATH)}, now: ${NOW},
    });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
}
