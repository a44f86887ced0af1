import { createKey, type KeySigner, s3Objects, verifyVersion } from '@cuebook/bundle';
import { beforeAll, expect } from 'vitest';
import { type Ceph, sharedCeph } from '../../../../test/ceph.js';
import { describePart } from '../../../../test/part.js';
import { share, itInTurn as test } from '../../../../test/runs.js';
import { newBucket } from '../../../bundle/test/bucket.js';
import { must, reasonOf } from '../../../bundle/test/scratch.js';
import {
  addTemplate,
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
  signTemplates,
  wake,
} from '../../test/years.js';
import { findAgent } from '../cards.js';
import { endExperiment, setExperiment } from '../experiments.js';
import { viewHealth } from '../health.js';
import { findLibrary } from '../library/library.js';
import { pinVersion, retireVersion } from '../library/pin.js';
import { publishApproved } from '../publishing.js';

const hex = ({ publicKey }: KeySigner): string => publicKey.hex;

const TRIAL = { id: 'warmer', scenario: 'greeting' } as const;

describePart('s3', 'a year on S3', () => {
  let ceph: Ceph;
  beforeAll(async () => {
    ceph = await sharedCeph();
  });

  test('every agent that is awake verifies everything, over each kind of rotation', async () => {
    const world = await newWorld(s3Objects(await newBucket(ceph)));
    await settleWorld(world);
    const happenings = [
      () => rotateServer(world, 'log'),
      () => rotateServer(world, 'online'),
      async () => {
        const come = createKey().signer;
        const gone = world.holders.reviewers.map(hex);
        world.holders.reviewers = [come];
        await rotate(world, { role: 'reviews', come: [hex(come)], gone });
      },
      async () => {
        const come = createKey().signer;
        const [gone, ...left] = world.holders.roots as [KeySigner, ...KeySigner[]];
        await rotate(world, { role: 'root', come: [hex(come)], gone: [hex(gone)] }, [come]);
        world.holders.roots = [...left, come];
      },
      // A new version of a template and the one before it are tried side by side.
      async () => {
        const control = await newest(world, 'greeting');
        const candidate = await addTemplate(world, 'greeting');
        const arms = { control: control.version, candidate: candidate.version };
        must(await setExperiment(world.parts, { ...TRIAL, ...arms, share: 0.5 }, 'pia'));
        must(await publishApproved(world.parts, { by: 'pia' }));
        const cohort = (await findAgent(world.parts, 'ada'))?.published?.cohorts.greeting;
        expect(cohort).toMatch(/^warmer\/(?:control|candidate)$/);
        expect(
          reasonOf(
            await retireVersion(world.parts, { scenario: 'greeting', version: arms.control, by: 'pia' }),
          ),
        ).toBe('E_LIBRARY in-experiment');
      },
      // The candidate is for everybody, and what was there before goes.
      async () => {
        must(await endExperiment(world.parts, TRIAL.id, 'pia'));
        const { version } = await newest(world, 'greeting');
        must(await pinVersion(world.parts, { scenario: 'greeting', version, by: 'pia' }));
        must(await retireVersion(world.parts, { scenario: 'greeting', version: 1, by: 'pia' }));
        await signTemplates(world);
        must(await publishApproved(world.parts, { by: 'pia' }));
      },
    ];
    // Days between two looks; never longer than people are warned before an end.
    const step = share(52, 15);
    for (let day = 0; day <= 365; day += step) {
      world.clock.now = START + day * DAY + 1000;
      await happenings.shift()?.();
      await renew(world);
      await heedHealth(world);
      await renew(world);
      await editCard(world, 'ada', { bio: `Day ${day}.` });
      const wanting = (await viewHealth(world.parts)).expiries.filter(({ state }) => state !== 'good');
      expect([day, wanting]).toEqual([day, []]);
      for (const agent of ['ada', 'bo']) await wake(world, agent);
    }
    expect(happenings).toEqual([]);
    // Who slept for the whole year follows every root.
    await wake(world, 'eve');
    // Every version of the year verifies from the first root on, the retired one too.
    const { record } = await findLibrary(world.parts);
    const greetings = record.templates.filter(({ scenario }) => scenario.id === 'greeting');
    expect(greetings.map(({ status }) => status).sort()).toEqual(['listed', 'listed', 'retired']);
    const anchor = { objects: world.objects, root: world.anchor };
    for (const { scenario } of greetings)
      expect(must(await verifyVersion(anchor, scenario)).scenario.template).toBe(scenario.template);
  });
});
