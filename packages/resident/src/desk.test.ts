import { fail } from '@cuebook/prompt';
import { expect, test } from 'vitest';
import { anchorOf, NOW, newPlatform, prepared, publish } from '../../bundle/test/platform.js';
import { must, scratch } from '../../bundle/test/scratch.js';
import { AGENT } from '../test/life.js';
import { type Entered, openDesk } from './desk.js';

test('an agent shows its key before every sync until it is let in, and again when the store denies it', async () => {
  const platform = await newPlatform();
  await publish(platform, prepared(), 1);
  const { files } = await scratch();
  const answers: Entered['entry'][] = ['unreachable', 'waiting', 'admitted', 'waiting', 'admitted'];
  let asked = 0;
  let isDenied = true;
  const denied = async (key: string) => fail({ code: 'E_OBJECT', reason: 'denied', key } as const);
  const desk = openDesk({
    ...anchorOf(platform, AGENT),
    ...{ files, path: 'trust.json' },
    objects: { ...platform.store, get: (key) => (isDenied ? denied(key) : platform.store.get(key)) },
    enter: async () => {
      const entry = answers[asked] ?? 'unknown';
      asked += 1;
      isDenied = entry !== 'admitted';
      return { entry };
    },
  });
  const sync = async () => {
    const { entry, active } = must(await desk.sync(NOW));
    return [entry, active, asked];
  };
  expect(await sync()).toEqual(['unreachable', false, 1]);
  expect(await sync()).toEqual(['waiting', false, 2]);
  expect(await sync()).toEqual(['admitted', true, 3]);
  // Let in: nothing is shown again.
  expect(await sync()).toEqual(['admitted', true, 3]);
  // Thrown out: the last good state stays, and the key is shown again.
  isDenied = true;
  expect(await sync()).toEqual(['admitted', true, 3]);
  expect(await sync()).toEqual(['waiting', true, 4]);
  expect(await sync()).toEqual(['admitted', true, 5]);
});
