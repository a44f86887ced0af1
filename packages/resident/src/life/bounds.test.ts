import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  certifyPlace,
  certifyPlaces,
  KEYS,
  placeKey,
  placeSchema,
  SCENARIOS,
  type Scenario,
} from '@cuebook/bundle';
import { assignCohorts } from '@cuebook/platform';
import { createRehearsalProvider } from '@cuebook/provider';
import { describe, expect, test } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import {
  AGENT_SCENARIOS,
  DAY,
  libraryOf,
  NOW,
  newPlatform,
  prepared,
  publish,
} from '../../../bundle/test/platform.js';
import { must } from '../../../bundle/test/scratch.js';
import { AGENT, checkin, flip, intro, live, options, RUN, town } from '../../test/life.js';
import { stage } from '../../test/stage.js';
import { SAMPLE_SCRIPT } from '../sample-script.js';

describe('an agent', () => {
  test('that never had a valid bundle stays inactive and silent: no model, no heartbeat, no object, and it says so', async () => {
    const platform = await town([intro]);
    flip(platform, KEYS.bundle(AGENT));
    const before = new Map(platform.store.all);
    const life = await live(await stage(), platform);
    await life.begin();
    await life.rounds(3);
    expect(life.turns()).toBe(0);
    expect(platform.store.all).toEqual(before);
    expect(await life.data('resident.inactive')).toEqual(
      Array.from({ length: 4 }, () => ({ reason: 'no-bundle' })),
    );
    expect((await life.state()).trust).toMatchObject({
      active: false,
      failures: [{ source: 'store', object: KEYS.bundle(AGENT) }],
    });
  });

  test('says on record that a provider takes no parameters, instead of claiming the preset', async () => {
    const platform = await town([intro]);
    const scripted = createRehearsalProvider({ script: SAMPLE_SCRIPT });
    for (const kind of ['cli', 'rehearsal'] as const) {
      const life = await live(await stage(), platform, { provider: { ...scripted, kind } });
      await life.begin();
      const done = await life.data('deed.done');
      expect(done.length).toBeGreaterThan(0);
      for (const each of done)
        expect((each as { presetNotTaken?: true }).presetNotTaken).toBe(kind === 'cli' ? true : undefined);
      await life.engine.stop();
    }
  });

  itInTurn('uses the version of its cohort, says so on record, and cannot choose another', async () => {
    const intro2 = {
      ...(SCENARIOS.get('intro') as Scenario),
      version: 2,
      preset: { temperature: 0.1, max_tokens: 99, top_p: 0.5 },
    };
    const library = [...AGENT_SCENARIOS, intro2];
    const platform = await newPlatform();
    const trial = { id: 'cooler', scenario: 'intro', control: 1, candidate: 2, share: 1 };
    const assigned = must(assignCohorts(AGENT, [trial], { active: AGENT_SCENARIOS, library }));
    await publish(platform, prepared(), 1, assigned, { library: libraryOf(platform.keys, library, 2) });
    must(await platform.store.put(KEYS.shared('library', 2), libraryOf(platform.keys, library, 2).bytes));
    const place = placeSchema.parse(intro);
    must(await platform.store.put(placeKey(place), must(certifyPlace(place, options(platform)))));
    must(
      await platform.store.put(
        KEYS.places(AGENT),
        must(certifyPlaces(AGENT, { topics: ['welcome'], tasks: [] }, options(platform))),
      ),
    );
    const at = await stage();
    const life = await live(at, platform);
    await life.begin();
    expect((await life.state()).trust).toMatchObject({
      cohorts: { intro: 'cooler/candidate' },
      scenarios: { intro: 2 },
    });
    const [done] = await life.data('deed.done');
    expect(done).toMatchObject({ scenario: 'intro', version: 2, cohort: 'cooler/candidate' });
    // Its own record and its own disk change nothing: the arm is inside what is signed.
    const file = join(at.root, AGENT, 'trust.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('cooler/candidate', 'cooler/contro1ed'));
    expect(readFileSync(file, 'utf8')).not.toBe(text);
    await life.engine.stop();
    const again = await live(at, platform);
    await again.begin();
    const { trust } = await again.state();
    expect(trust).toMatchObject({ cohorts: { intro: 'cooler/candidate' }, failures: [{ source: 'state' }] });
  });

  itInTurn(
    'goes on with the last good state when the store holds still, and stops when it is too old',
    async () => {
      const platform = await town([checkin]);
      const life = await live(await stage(), platform, { config: { maxStaleMs: 2 * DAY, pollMs: DAY } });
      await life.begin();
      await life.rounds(2);
      expect((await life.state()).trust).toMatchObject({
        active: true,
        staleSince: NOW + DAY,
        failures: [{ reason: 'expired' }],
      });
      expect(await life.data('resident.inactive')).toEqual([]);
      const said = life.turns();
      await life.rounds(3);
      expect((await life.data('resident.inactive')).length).toBeGreaterThanOrEqual(1);
      expect((await life.data('resident.inactive'))[0]).toEqual({ reason: 'stale' });
      expect(life.turns() - said).toBeLessThanOrEqual(2);
    },
  );

  itInTurn('spends no more than its day allows, and goes on the next day', async () => {
    const platform = await town([intro, checkin], { autonomous: { enabled: false } });
    const budget = { turns: 2, tokens: 1_000_000, usd: null };
    const life = await live(await stage(), platform, { config: { budget } });
    await life.begin();
    await life.rounds(3);
    expect(life.turns()).toBe(2);
    expect(await life.data('budget.empty')).toContainEqual({ unit: 'turns' });
    await publish(platform, prepared({ autonomous: { enabled: false } }), 2, {}, { now: NOW + DAY });
    await life.rounds(1, DAY);
    expect(life.turns()).toBeGreaterThan(2);
  });

  test('stops where it is told to, and a second process does not live the same life', async () => {
    const platform = await town([intro]);
    const at = await stage();
    const life = await live(at, platform);
    await life.begin();
    const twin = await live(at, platform);
    expect(await twin.engine.start()).toMatchObject({ ok: false });
    must(await life.engine.submit(RUN, { id: 'stop', type: 'resident.stop' }));
    const turns = life.turns();
    await life.rounds(3);
    expect(life.turns()).toBe(turns);
    expect((await life.state()).mode).toBe('stopped');
    expect(await at.verify(RUN)).toMatchObject({ ok: true });
  });

  test('that finds nothing new asks the store for its trust in two requests', async () => {
    const platform = await town([]);
    const at = await stage();
    const life = await live(at, platform, { config: { idleMs: 10 * DAY } });
    await life.begin();
    platform.store.reads.length = 0;
    await life.rounds(1);
    expect(
      platform.store.reads.filter((key) => key.startsWith('trust/') || key.startsWith('log/')),
    ).toHaveLength(2);
  });
});
