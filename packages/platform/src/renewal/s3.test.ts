import { createKey, type KeySigner, s3Objects } from '@cuebook/bundle';
import { beforeAll, expect, test } from 'vitest';
import { type Ceph, sharedCeph } from '../../../../test/ceph.js';
import { describePart } from '../../../../test/part.js';
import { share } from '../../../../test/runs.js';
import { newBucket } from '../../../bundle/test/bucket.js';
import {
  addTemplate,
  DAY,
  editCard,
  heedHealth,
  newWorld,
  renew,
  rotate,
  rotateServer,
  START,
  settleWorld,
  wake,
} from '../../test/years.js';
import { viewHealth } from '../health.js';

const hex = ({ publicKey }: KeySigner): string => publicKey.hex;

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
      async () => {
        await addTemplate(world, 'greeting');
      },
    ];
    // Days between two looks; never longer than people are warned before an end.
    const step = share(59, 15);
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
  });
});
