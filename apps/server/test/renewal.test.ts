import { join } from 'node:path';
import { createKey, prepareCard, readDraft, reviewMetadata } from '@cuebook/bundle';
import {
  approveCard,
  foundWith,
  makeServerKey,
  openPlatform,
  publishApproved,
  publishOffline,
  rotateKeys,
  saveCard,
  verifyPublished,
} from '@cuebook/platform';
import { expect, onTestFinished } from 'vitest';
import { must, reasonOf, scratch } from '../../../packages/bundle/test/scratch.js';
import { itInTurn as test } from '../../../test/runs.js';
import { keepRenewing } from '../src/platform/renewal.js';

const DAY = 24 * 60 * 60 * 1000;

/** A platform with one published agent, and who holds its keys. */
async function town() {
  const { root } = await scratch();
  const folder = join(root, 'platform');
  const clock = { now: Date.UTC(2026, 10, 15, 12) };
  const [holder, library, reviewer] = [createKey().signer, createKey().signer, createKey().signer];
  const about = { name: 'town', url: 'http://127.0.0.1:4000', threshold: 1, now: clock.now };
  const holders = { roots: [holder], library, reviewers: [reviewer] };
  must(await foundWith(folder, { ...about, store: { kind: 'folder' } }, holders));
  const open = async () => {
    const opened = must(await openPlatform(folder, { env: {}, now: () => clock.now }));
    onTestFinished(() => opened.close());
    return opened;
  };
  const platform = await open();
  const personality = { extrovert: 0, curious: 1, creative: 0, stable: 1 };
  const draft = must(readDraft({ agent_id: 'ada', name: 'Ada', personality }));
  must(await saveCard(platform, 'owner', draft));
  const review = { version: 1, expires: clock.now + 365 * DAY, signers: [reviewer] };
  const { bytes } = reviewMetadata(must(prepareCard(draft, 1)), review);
  must(await approveCard(platform, { agent: 'ada', by: 'rosa', cardVersion: 1 }, bytes));
  must(await publishOffline(platform.objects, platform.trust));
  must(await publishApproved(platform, { by: 'pia' }));
  return { platform, open, clock, holder };
}

test('a server renews what it has published by itself, and follows keys that another process changed', async () => {
  const { platform, open, clock, holder } = await town();
  clock.now += 20 * DAY;
  expect(reasonOf(await verifyPublished(platform, 'ada'))).toBe('E_TRUST expired');
  const lines: string[] = [];
  const round = () => keepRenewing(platform, { log: (line) => lines.push(line), everyMs: DAY }).stop();
  await round();
  expect(reasonOf(await verifyPublished(platform, 'ada'))).toBe('ok');
  // Somebody else replaces the keys of the server while it runs.
  const other = await open();
  for (const role of ['online', 'log'] as const) {
    const come = [must(await makeServerKey(other.files, role))];
    const change = { role, come, gone: [other.config.keys[role]] };
    must(await rotateKeys(other, change, { signers: [holder], now: clock.now }));
    must(await other.follow());
  }
  expect(platform.online.keyId).not.toBe(other.online.keyId);
  await round();
  expect([platform.online.keyId, platform.log.keyId]).toEqual([other.online.keyId, other.log.keyId]);
  expect(reasonOf(await verifyPublished(other, 'ada'))).toBe('ok');
  expect(lines).toEqual([]);
  // What only a person can do is told once.
  const come = [createKey().signer.publicKey.hex];
  const reviewers = { role: 'reviews' as const, come, gone: other.config.keys.reviewers };
  must(await rotateKeys(other, reviewers, { signers: [holder], now: clock.now }));
  await round();
  expect(lines).toEqual(['Agents of the platform wait for a person: ada (unsigned).']);
  expect(reasonOf(await verifyPublished(platform, 'ada'))).toBe('ok');
});
