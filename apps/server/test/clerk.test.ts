import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import { findEvent, foundPlatform, listJobs, openPlatform, setJob, weekOf } from '@cuebook/platform';
import { afterEach, describe, expect } from 'vitest';
import { startModelServer } from '../../../test/model-server/index.js';
import { itInTurn as it } from '../../../test/runs.js';
import { type AskScenario, createClerk } from '../src/platform/clerk.js';
import { startServer } from '../src/start/start-server.js';
import { must } from './platform/platform-stand.js';
import { makeProject, startOptions } from './server-stand.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const EVENT = { theme: 'Maps', description: 'x', suggested_roles: ['guide'], duration_days: 7, reward: 'x' };

/** A project with a platform, whose keys are beside it. */
async function platformProject() {
  const made = makeProject();
  ends.push(() => rmSync(made.root, { recursive: true, force: true }));
  const place = async (name: string) => ({
    files: must(await openFolder(join(made.root, 'keys', name), { create: true })),
    path: 'key.json',
    passphrase: `a passphrase for ${name}`,
  });
  mkdirSync(join(made.root, 'keys'));
  const folder = join(made.home, 'platform');
  must(
    await foundPlatform(folder, {
      ...{
        name: 'town',
        url: 'https://town.example',
        store: { kind: 'folder' },
        threshold: 1,
        now: Date.now(),
      },
      ...{ roots: [await place('root')], library: await place('library'), reviewer: await place('reviewer') },
    }),
  );
  return { ...made, folder };
}

async function openedPlatform(folder: string) {
  const platform = must(await openPlatform(folder, { env: {} }));
  ends.push(() => platform.close());
  return platform;
}

describe('the clerk of a platform', () => {
  it('does what the schedule says: one event a week, asked for by the server itself, on record as a run', async () => {
    const { root, folder, project } = await platformProject();
    const model = await startModelServer();
    ends.push(() => model.close());
    // The first answer breaks its contract, and is corrected.
    model.script('town', [{ text: 'A nice theme!' }, { text: JSON.stringify(EVENT) }]);
    const providers = {
      house: { kind: 'compatible', baseUrl: `${model.laneUrl('town')}/v1`, keyName: 'HOUSE_KEY' },
    };
    writeFileSync(join(project, 'cuebook.yaml'), JSON.stringify({ providers }));
    const platform = await openedPlatform(folder);
    must(await setJob(platform, { job: 'event', on: true, by: 'pia', provider: 'house', model: 'small' }));
    const options = startOptions(root);
    const server = must(
      await startServer({ ...options, env: { ...options.env, HOUSE_KEY: 'sk-key-of-the-house-01234' } }),
    );
    ends.push(() => server.close());
    const today = new Date().toISOString().slice(0, 10);
    // Whoever asks meanwhile is answered with the same run.
    const asked = await fetch(`${server.url}/api/v1/platform/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ date: today, provider: 'house', model: 'small' }),
    });
    expect([asked.status, await asked.json()]).toMatchObject([200, { week: weekOf(today), event: EVENT }]);
    expect(model.lane('town').requests).toHaveLength(2);
    expect(await findEvent(platform, weekOf(today) ?? '')).toMatchObject({ event: EVENT });
  });

  it('asks nobody without a provider, does nothing that is off, tries again on the next day, and makes one event of a week', async () => {
    const { folder, root } = await platformProject();
    const server = must(await startServer(startOptions(root)));
    const refused = await fetch(`${server.url}/api/v1/platform/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([refused.status, (await refused.json()).error.code]).toEqual([409, 'E_PLATFORM_ASK']);
    await server.close();
    const platform = await openedPlatform(folder);
    const clock = { now: Date.parse('2026-11-16T10:00:00Z') };
    const asked: string[] = [];
    const answers: string[] = ['nonsense', JSON.stringify(EVENT)];
    const ask: AskScenario = async ({ id }) => {
      asked.push(id);
      return { ok: true, value: answers.shift() ?? 'nonsense' };
    };
    const clerk = createClerk({ ...platform, now: () => clock.now }, ask);
    await clerk.tick();
    expect(asked).toEqual([]);
    must(await setJob(platform, { job: 'event', on: true, by: 'pia' }));
    expect(await listJobs(platform)).toMatchObject([{ job: 'event', on: true }, { on: false }]);
    await clerk.tick();
    expect(await findEvent(platform, '2026-11-16')).toBeUndefined();
    clock.now += 24 * 60 * 60_000;
    await clerk.tick();
    await clerk.tick();
    expect(await findEvent(platform, '2026-11-16')).toMatchObject({ event: EVENT, by: 'schedule' });
    expect(asked).toEqual([
      'platform event 2026-11-16 2026-11-16 v1',
      'platform event 2026-11-16 2026-11-17 v1',
    ]);
  });
});
