import { createKey, type KeySigner, prepareCard, reviewMetadata, targetsMetadata } from '@cuebook/bundle';
import { describe, expect, test } from 'vitest';
import { NOW, one } from '../../bundle/test/platform.js';
import { must, reasonOf } from '../../bundle/test/scratch.js';
import { newParts, save, settle, type TestParts } from '../test/parts.js';
import { approveCard, findAgent, signReview } from './cards.js';
import { publishApproved } from './publishing.js';
import type { AgentRecord } from './record.js';
import { renewPlatform } from './renewal/renew.js';
import { verifyPublished } from './views.js';

const YEAR = 365 * 24 * 60 * 60 * 1000;

/** The same platform with these reviewers, so many of whom must agree. */
function withReviewers(
  parts: TestParts,
  reviewers: readonly KeySigner[],
  threshold: number,
  version = 2,
): TestParts {
  const { keys } = parts.offline;
  const targets = targetsMetadata(
    {
      ...{ library: one(keys.library), assignment: one(keys.online), log: one(keys.log) },
      reviews: { keys: reviewers.map(({ publicKey }) => publicKey), threshold },
    },
    { version, expires: NOW + YEAR, signers: [keys.targets] },
  );
  return { ...parts, trust: { ...parts.trust, targets } };
}

const recordOf = async (parts: TestParts): Promise<AgentRecord> =>
  (await findAgent(parts, 'ada')) as AgentRecord;

const sign = async (parts: TestParts, signer: KeySigner, by = 'rosa', expires = NOW + YEAR) => {
  const record = await recordOf(parts);
  const { bytes } = must(signReview(record, { signer, expires }));
  return approveCard(parts, { agent: 'ada', by, cardVersion: record.review.cardVersion }, bytes);
};

describe('a card with several reviewers', () => {
  test('waits until as many have signed as must agree, whoever comes first', async () => {
    const reviewers = [createKey().signer, createKey().signer, createKey().signer];
    const parts = withReviewers(await newParts(), reviewers, 2);
    await save(parts, 'ada');
    const [first, second, third] = reviewers as [KeySigner, KeySigner, KeySigner];
    expect(must(await sign(parts, third)).review.status).toBe('pending');
    // The same one again is one still, and a stranger is nobody.
    expect(must(await sign(parts, third)).review.status).toBe('pending');
    expect(reasonOf(await sign(parts, createKey().signer))).toBe('E_TRUST unsigned');
    expect(reasonOf(await sign(parts, first, 'owner'))).toBe('E_REVIEW own-card');
    expect(must(await publishApproved(parts, { by: 'pia' })).left).toEqual([
      { agent: 'ada', reason: 'pending' },
    ]);
    expect(must(await sign(parts, first, 'rita')).review.status).toBe('approved');
    must(await renewPlatform(parts, 'pia'));
    must(await publishApproved(parts, { by: 'pia' }));
    expect(reasonOf(await verifyPublished(parts, 'ada'))).toBe('ok');
    // One of the two who signed is lost. The agent goes on as it was until another has signed.
    const next = withReviewers(parts, [second, third, createKey().signer], 2, 3);
    expect(must(await renewPlatform(next, 'pia')).left).toEqual([{ agent: 'ada', reason: 'unsigned' }]);
    expect(reasonOf(await verifyPublished(next, 'ada'))).toBe('ok');
    must(await sign(next, second, 'rita'));
    must(await sign(next, third));
    expect(must(await renewPlatform(next, 'pia'))).toMatchObject({ left: [], agents: { snapshot: ['ada'] } });
    expect(reasonOf(await verifyPublished(next, 'ada'))).toBe('ok');
  });

  test('is signed again before it ends, above the one before', async () => {
    const parts = await newParts();
    const { review } = await settle(parts, 'ada');
    const { reviewer } = parts.offline.keys;
    const prepared = must(prepareCard(review.draft, 1));
    const old = reviewMetadata(prepared, { version: 1, expires: NOW + 2 * YEAR, signers: [reviewer] });
    const command = { agent: 'ada', by: 'rosa', cardVersion: 1 };
    expect(reasonOf(await approveCard(parts, command, old.bytes))).toBe('E_TRUST rollback');
    expect(reasonOf(await sign(parts, reviewer, 'owner'))).toBe('E_REVIEW own-card');
    const renewed = must(await sign(parts, reviewer, 'rosa', NOW + 2 * YEAR));
    expect(renewed.signedReview).toMatchObject({ version: 2, cardVersion: 1, expires: NOW + 2 * YEAR });
    expect(must(await renewPlatform(parts, 'pia')).agents.snapshot).toEqual(['ada']);
    expect(reasonOf(await verifyPublished(parts, 'ada'))).toBe('ok');
  });
});
