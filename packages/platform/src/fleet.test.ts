import { createKey, KEYS, printHeartbeat, syncTrust } from '@cuebook/bundle';
import { describe, expect, test } from 'vitest';
import { anchorOf } from '../../bundle/test/platform.js';
import { must } from '../../bundle/test/scratch.js';
import { agentKey, newParts, settle } from '../test/parts.js';
import { viewFleet } from './fleet.js';
import { publishApproved } from './publishing.js';

async function fleet() {
  const parts = await newParts();
  await settle(parts, 'ada');
  const take = async () =>
    must(
      await syncTrust({
        ...{ ...anchorOf(parts.offline, 'ada'), log: 'test', objects: parts.objects, now: parts.now() },
      }),
    ).accepted;
  const see = async () => (await viewFleet(parts)).members[0];
  const beat = async (
    more: Partial<Parameters<typeof printHeartbeat>[0]> = {},
    signer = agentKey(parts, 'ada'),
  ) => {
    const told = { agent: 'ada', at: parts.now(), applied: null, failure: null, ...more };
    must(await parts.objects.put(KEYS.heartbeat('ada'), printHeartbeat(told, signer)));
  };
  return { parts, take, see, beat };
}

describe('what an agent says of itself', () => {
  test('shows whether it uses what is published, and what it refused', async () => {
    const { parts, take, see, beat } = await fleet();
    expect(await see()).toMatchObject({ state: 'unknown', applied: null, seenAt: null, vouched: false });
    const { applied } = await take();
    await beat({ applied });
    expect(await see()).toMatchObject({
      ...{ state: 'current', vouched: true, failure: null, verification: { ok: true } },
      applied: [
        { object: KEYS.card('ada'), version: 1 },
        { object: KEYS.bundle('ada'), version: 1 },
      ],
    });
    must(await publishApproved(parts, { by: 'pia', again: true }));
    const failure = {
      ...{ at: '2026-11-15T12:00:00Z', code: 'E_CERT', reason: 'wrong_subject' },
      object: KEYS.bundle('ada'),
    };
    await beat({ applied, failure });
    expect(await see()).toMatchObject({ state: 'behind', published: { version: 2 }, failure });
    await beat({ applied: null });
    expect(await see()).toMatchObject({ state: 'behind', applied: null });
  });

  test('is believed with the signature of its key alone', async () => {
    const { take, see, beat, parts } = await fleet();
    const { applied } = await take();
    await beat({ applied }, createKey().signer);
    expect(await see()).toMatchObject({
      state: 'unknown',
      applied: null,
      vouched: false,
      seenAt: parts.now(),
    });
    await beat({ applied });
    const key = KEYS.heartbeat('ada');
    const text = parts.offline.store.all.get(key)?.toString() ?? '';
    parts.offline.store.all.set(key, Buffer.from(text.replace('"version":1', '"version":7')));
    expect(await see()).toMatchObject({ vouched: false, applied: null });
    await beat({ at: parts.now() + 1000 });
    expect(await see()).toMatchObject({ seenAt: null, vouched: false });
    await beat({ agent: 'bo' });
    expect(await see()).toMatchObject({ seenAt: null });
    parts.offline.store.all.set(key, Buffer.from('{"failure":{"object":"\\u001b[2J"}}'));
    expect(await see()).toMatchObject({ seenAt: null, failure: null });
  });
});
