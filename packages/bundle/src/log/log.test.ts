import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itInTurn, runs } from '../../../../test/runs.js';
import { memoryStore, must, reasonOf } from '../../test/scratch.js';
import { createKey } from '../key/key.js';
import { readCheckpoint, signCheckpoint } from './checkpoint.js';
import { checkLog, type LogWriter, openLog } from './log.js';
import {
  consistencyProof,
  emptyRoot,
  type HashAt,
  inclusionProof,
  leafHash,
  nodeHash,
  provesConsistency,
  provesInclusion,
} from './merkle.js';
import { tileHashes } from './tiles.js';

/** RFC 6962, word for word and slowly: what the log is compared with. */
function slowRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return emptyRoot();
  if (leaves.length === 1) return leaves[0] as Buffer;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeHash(slowRoot(leaves.slice(0, k)), slowRoot(leaves.slice(k)));
}
const entry = (n: number) => Buffer.from(`entry ${n}`);
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
const LEAVES = Array.from({ length: 700 }, (_, n) => leafHash(digest(entry(n))));
const slowHashes =
  (leaves: readonly Buffer[]): HashAt =>
  async (level, index) =>
    slowRoot(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level));
const headOf = (size: number) => ({ size, root: slowRoot(LEAVES.slice(0, size)) });

async function grown(size: number, store = memoryStore(), log?: LogWriter) {
  const writer = log ?? must(await openLog(store, undefined));
  for (let n = writer.size(); n < size; n += 1) writer.append(entry(n));
  must(await writer.flush());
  return { store, writer, now: { origin: 'log', size, root: writer.root() } };
}

describe('the tree', () => {
  test('for all sizes: every leaf is proved, at its place and nowhere else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), async (size, a, b) => {
        const [index, other] = [a % size, b % size];
        const proof = (await inclusionProof(index, size, slowHashes(LEAVES))) ?? [];
        const leaf = LEAVES[index] as Buffer;
        const place = { index, ...headOf(size) };
        expect(provesInclusion(leaf, place, proof)).toBe(true);
        expect(provesInclusion(LEAVES[index + 1] as Buffer, place, proof)).toBe(false);
        if (other !== index) expect(provesInclusion(leaf, { ...place, index: other }, proof)).toBe(false);
        expect(provesInclusion(leaf, place, [...proof, leaf])).toBe(false);
        if (proof.length > 0) expect(provesInclusion(leaf, place, proof.slice(1))).toBe(false);
      }),
      runs(150, 3_000),
    );
  });

  test('for all pairs of sizes: a log that grew is proved, a forked one is not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 70 }), async (a, b) => {
        const [m, n] = [Math.min(a, b), Math.max(a, b)];
        const proof = (await consistencyProof(m, n, slowHashes(LEAVES))) ?? [];
        expect(provesConsistency(headOf(m), headOf(n), proof)).toBe(true);
        const forked = [...LEAVES.slice(0, m - 1), LEAVES[m] as Buffer, ...LEAVES.slice(m, n)];
        const fork = (await consistencyProof(m, n, slowHashes(forked))) ?? [];
        expect(provesConsistency(headOf(m), { size: n, root: slowRoot(forked) }, fork)).toBe(false);
        expect(provesConsistency(headOf(m), headOf(n), [...proof, emptyRoot()])).toBe(false);
        if (proof.length > 0) expect(provesConsistency(headOf(m), headOf(n), proof.slice(0, -1))).toBe(false);
      }),
      runs(150, 3_000),
    );
  });
});

describe('the log', () => {
  test.each([1, 2, 3, 255, 256, 257, 511, 512, 513, 700])(
    'of %i entries has the root of RFC 6962',
    async (size) => {
      const { store, writer } = await grown(size);
      expect(writer.root()).toEqual(slowRoot(LEAVES.slice(0, size)));
      const hashAt = tileHashes(store, size);
      expect(await hashAt(0, size - 1)).toEqual(LEAVES[size - 1]);
      if (size >= 512) expect(await hashAt(9, 0)).toEqual(slowRoot(LEAVES.slice(0, 512)));
    },
  );

  itInTurn('of more than 256 full tiles has a third row of them, and still shows its entries', async () => {
    const size = 66_000;
    const { store, now } = await grown(size);
    const leaves = Array.from({ length: size }, (_, n) => leafHash(digest(entry(n))));
    expect(now.root).toEqual(slowRoot(leaves));
    const seen = { origin: 'log', size: 65_537, root: slowRoot(leaves.slice(0, 65_537)) };
    const entries = [0, 65_535, 65_536, size - 1].map((index) => ({ object: entry(index), index }));
    expect(reasonOf(await checkLog({ objects: store, seen, now, entries }))).toBe('ok');
    expect(must(await openLog(store, now)).root()).toEqual(now.root);
  });

  test('goes on where it stopped, and only from the tiles of its checkpoint', async () => {
    const { store, now } = await grown(300);
    const again = must(await openLog(store, now));
    await grown(600, store, again);
    expect(again.root()).toEqual(slowRoot(LEAVES.slice(0, 600)));
    expect(reasonOf(await openLog(store, { ...now, root: emptyRoot() }))).toBe('E_LOG forked');
    expect(reasonOf(await openLog(memoryStore(), now))).toBe('E_LOG unreadable');
  });

  test.each([1, 255, 256, 257, 600])(
    'goes on after a writer that stored %i more and died before it signed',
    async (more) => {
      const store = memoryStore();
      const first = must(await openLog(store, undefined));
      for (let n = 0; n < 3; n += 1) first.append(Buffer.from(`${n}`));
      must(await first.flush());
      const signed = { size: first.size(), root: first.root() };
      for (let n = 0; n < more; n += 1) first.append(Buffer.from(`lost ${n}`));
      must(await first.flush());
      const second = must(await openLog(store, signed));
      expect([second.size(), second.root()]).toEqual([first.size(), first.root()]);
      const index = second.append(Buffer.from('next'));
      must(await second.flush());
      const now = { origin: 'test', size: second.size(), root: second.root() };
      const seen = { origin: 'test', ...signed };
      must(await checkLog({ objects: store, seen, now, entries: [{ object: Buffer.from('next'), index }] }));
    },
  );

  test('a second writer that went another way is noticed', async () => {
    const { store, now } = await grown(10);
    const [one, two] = [must(await openLog(store, now)), must(await openLog(store, now))];
    one.append(entry(10));
    two.append(entry(99));
    must(await one.flush());
    expect(reasonOf(await two.flush())).toBe('E_LOG forked');
  });

  test('shows what was published, and that nothing was taken back', async () => {
    const { store, writer, now: seen } = await grown(300);
    const { now } = await grown(600, store, writer);
    const check = (more: object) => checkLog({ objects: store, seen, now, entries: [], ...more });
    expect(reasonOf(await check({ entries: [{ object: entry(5), index: 5 }] }))).toBe('ok');
    expect(reasonOf(await check({ entries: [{ object: entry(5), index: 6 }] }))).toBe('E_LOG not-included');
    expect(reasonOf(await check({ entries: [{ object: entry(600), index: 600 }] }))).toBe(
      'E_LOG not-included',
    );
    expect(reasonOf(await check({ seen: now, now: seen }))).toBe('E_LOG shrunk');
    expect(reasonOf(await check({ seen: { ...seen, root: emptyRoot() } }))).toBe('E_LOG forked');
    expect(reasonOf(await check({ objects: memoryStore() }))).toBe('E_LOG unreadable');
  });

  test('every byte of a checkpoint and of a tile counts', async () => {
    const { signer } = createKey();
    const { store, now } = await grown(3);
    const options = { signer, issuer: 'p', now: 0, lifetimeMs: 1 };
    const bytes = must(signCheckpoint(now, options));
    const keys = new Map([[signer.keyId, signer.publicKey.object]]);
    expect(readCheckpoint(bytes, 'log', keys)).toEqual({ ok: true, value: now });
    expect(reasonOf(readCheckpoint(bytes, 'other', keys))).toBe('E_CERT wrong_subject');
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      expect(readCheckpoint(flipped, 'log', keys).ok, String(at)).toBe(false);
    }
    const [[key, tile]] = store.all as unknown as [[string, Buffer]];
    for (let at = 0; at < tile.length; at += 1) {
      const flipped = Buffer.from(tile);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      const objects = memoryStore(new Map([[key, flipped]]));
      const entries = [0, 1, 2].map((index) => ({ object: entry(index), index }));
      expect(reasonOf(await checkLog({ objects, seen: undefined, now, entries }))).toBe('E_LOG not-included');
    }
  });
});
