import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import { describe, expect, test } from 'vitest';
import { itInTurn } from '../../../../../test/runs.js';
import { ownerOf, verifyPlace, withStore } from '../../../test/owner.js';
import { scratchFolder } from '../../../test/places.js';
import { block, freshSigner, keysOf, must, requestOf } from '../../../test/turns.js';
import { exportRun } from '../../carry/export-run.js';
import { importRun } from '../../carry/import-run.js';
import { verifyExport } from '../../carry/verify-export.js';
import type { RunId } from '../../contract.js';
import { openForVerify } from '../../store/open-for-verify.js';
import { verifyStore } from '../../verify/verify-store.js';
import { createRecorder } from '../recorder.js';
import { nextKey, readRing } from './chain.js';
import { fingerprintOf, type PublicKeys } from './key.js';
import { CHAIN_FILE, rotateKey } from './rotate.js';

/** A home whose key is replaced before each of the runs but the first. */
async function rotatedHome(runs: readonly string[]) {
  const home = join(scratchFolder(), 'home');
  const file = join(home, 'journal.db');
  const keys: PublicKeys[] = [];
  for (const [index, run] of runs.entries()) {
    await ownerOf(home);
    const files = must(await openFolder(home));
    if (index > 0) must(await rotateKey(files, Date.now()));
    const owner = await ownerOf(home);
    keys.push(keysOf(owner.signer));
    await withStore({ file }, owner, async (store) => {
      const recorder = createRecorder({ store, signer: owner.signer });
      const request = requestOf([block('task', `Task of ${run}.`)]);
      must(await recorder.record({ run: run as RunId, turn: 't', lane: 'l', request, provider: 'p' }));
    });
  }
  return { home, file, keys, owner: await ownerOf(home) };
}

const verifyWith = async (file: string, publicKeys: PublicKeys) => {
  const opened = await openForVerify({ file });
  try {
    const { runs, problems } = await verifyStore(opened, { publicKeys, anchors: [] });
    return [...problems, ...runs.flatMap((each) => each.problems)].map(({ code }) => code);
  } finally {
    await opened.close();
  }
};

describe('a key that was replaced', () => {
  test('still vouches: any one key of the chain verifies all, in the store, a backup and an export', async () => {
    const { home, file, keys, owner } = await rotatedHome(['run_a', 'run_b', 'run_c']);
    expect(new Set(keys.flatMap((each) => [...each.keys()])).size).toBe(3);
    expect(await verifyPlace({ file }, owner)).toEqual([]);
    const backup = join(home, 'backup.db');
    const lines: string[] = [];
    await withStore({ file }, owner, async (store) => {
      await store.backup(backup);
      for await (const line of exportRun(store, 'run_b' as RunId, owner)) lines.push(line.trimEnd());
    });
    const each = async function* () {
      yield* lines;
    };
    for (const publicKeys of keys) {
      expect(await verifyWith(file, publicKeys)).toEqual([]);
      expect(await verifyWith(backup, publicKeys)).toEqual([]);
      expect((await verifyExport(each(), { publicKeys })).ok).toBe(true);
    }
    const stranger = keysOf(freshSigner());
    expect(await verifyWith(backup, stranger)).toContain('E_VERIFY_KEY');
    expect((await verifyExport(each(), { publicKeys: stranger })).ok).toBe(false);
    const elsewhere = await ownerOf(join(scratchFolder(), 'other'));
    const place = { file: join(scratchFolder(), 'journal.db') };
    await withStore(place, elsewhere, async (store) => {
      const short = [...(keys[0]?.keys() ?? [])].map((id) => id.slice(0, 12));
      expect(await importRun(store, each(), { publicKeys: stranger, trust: short })).toMatchObject({
        error: { code: 'E_IMPORT_KEY', keys: [...(keys[1]?.keys() ?? [])] },
      });
      const trust = [...(keys[0]?.keys() ?? [])];
      expect((await importRun(store, each(), { publicKeys: stranger, trust })).ok).toBe(true);
    });
  });

  test('does not sign for runs that begin later', async () => {
    const { home, file, owner } = await rotatedHome(['run_a']);
    const files = must(await openFolder(home));
    must(await rotateKey(files, Date.now() - 60_000));
    const next = await ownerOf(home);
    // The store has not heard of the new key yet.
    await withStore({ file }, owner, async (store) => {
      const recorder = createRecorder({ store, signer: owner.signer });
      const request = requestOf([block('task', 'Late.')]);
      must(await recorder.record({ run: 'run_late' as RunId, turn: 't', lane: 'l', request, provider: 'p' }));
    });
    await withStore({ file }, next, async () => undefined);
    const found = (await verifyPlace({ file }, next)).filter(({ run }) => run === 'run_late');
    expect(found).toMatchObject([
      { code: 'E_VERIFY_KEY', turn: 't', message: expect.stringContaining('replaced before') },
    ]);
  });

  test('signs on in runs that began before, of a process that was at work, and begins no other', async () => {
    const { home, file, owner } = await rotatedHome(['run_a']);
    const request = requestOf([block('task', 'Go on.')]);
    const turnOf = (run: string, turn: string) =>
      ({ run: run as RunId, turn, lane: 'l', request, provider: 'p' }) as const;
    await withStore({ file }, owner, async (working) => {
      const old = createRecorder({ store: working, signer: owner.signer });
      // One that has begun and has told nothing yet.
      const started = { command: 'start', target: 'x', expectedSeq: 0 };
      const events = [{ type: 'run.started', data: {} }];
      must(await working.append({ run: 'run_b' as RunId, ...started, events }));
      must(await rotateKey(must(await openFolder(home)), Date.now()));
      const next = await ownerOf(home);
      await withStore({ file }, next, async (store) => {
        must(await old.record(turnOf('run_a', 'later')));
        must(await old.record(turnOf('run_b', 'first')));
        expect(await old.record(turnOf('run_late', 'first'))).toEqual({
          ok: false,
          error: { code: 'E_JOURNAL_KEY_REPLACED', key: owner.signer.keyId },
        });
        expect(await store.head('run_late' as RunId)).toBeUndefined();
        // Whoever comes after it goes on in its run with the new key.
        const recorder = createRecorder({ store, signer: next.signer });
        must(await recorder.record(turnOf('run_a', 'last')));
        must(await recorder.record(turnOf('run_late', 'first')));
      });
      expect(await verifyPlace({ file }, next)).toEqual([]);
    });
  });

  test('that somebody stole cannot bring in another successor', () => {
    const [old, next, thief] = [freshSigner(), freshSigner(), freshSigner()];
    const records = [nextKey(old, next, 1), nextKey(old, thief, 2)];
    const own = readRing(keysOf(next), records);
    expect([...own.publicKeys.keys()].sort()).toEqual([old.fingerprint, next.fingerprint].sort());
    expect(own.problems).toHaveLength(1);
    expect([...readRing(keysOf(old), records).publicKeys.keys()]).toEqual([old.fingerprint]);
    // A changed byte of a record takes it away, and is told.
    const record = nextKey(old, next, 1);
    for (const changed of [
      { ...record, at: 2 },
      { ...record, vouched: record.sig },
      { ...record, sig: record.vouched ?? '' },
      { ...record, previous: thief.publicKey },
      { ...record, publicKey: thief.publicKey },
      { ...record, publicKey: 'nothing' },
    ]) {
      const ring = readRing(keysOf(old), [changed]);
      expect([...ring.publicKeys.keys()]).toEqual([old.fingerprint]);
      expect(ring.problems).toHaveLength(1);
    }
  });

  itInTurn('whose record was changed in any one bit is told, however its text is spelt', () => {
    const [old, next] = [freshSigner(), freshSigner()];
    const record = { ...nextKey(old, next, 1), id: next.fingerprint };
    expect(readRing(keysOf(old), [record]).problems).toEqual([]);
    const texts = ['id', 'publicKey', 'previous', 'vouched', 'sig'] as const;
    for (const name of texts) {
      const text = record[name] ?? '';
      for (let at = 0; at < text.length; at += 1) {
        for (let bit = 0; bit < 7; bit += 1) {
          const flipped = String.fromCharCode(text.charCodeAt(at) ^ (1 << bit));
          const changed = { ...record, [name]: text.slice(0, at) + flipped + text.slice(at + 1) };
          const { problems } = readRing(keysOf(old), [changed]);
          expect([name, at, bit, problems.length]).toEqual([name, at, bit, 1]);
        }
      }
    }
  });

  test('is replaced once, also when that was interrupted before the new one came into use', async () => {
    const { home, file, owner } = await rotatedHome(['run_a']);
    const files = must(await openFolder(home));
    const kept = join(scratchFolder(), 'keys');
    mkdirSync(kept);
    const names = ['journal.ed25519', 'journal.ed25519.pub'];
    for (const name of names) copyFileSync(join(home, 'keys', name), join(kept, name));
    must(await rotateKey(files, 5));
    for (const name of names) copyFileSync(join(kept, name), join(home, 'keys', name));
    const between = await ownerOf(home);
    expect(between.signer.fingerprint).toBe(owner.signer.fingerprint);
    await withStore({ file }, between, async () => undefined);
    must(await rotateKey(files, Date.now()));
    const after = await ownerOf(home);
    await withStore({ file }, after, async () => undefined);
    expect(await verifyPlace({ file }, after)).toEqual([]);
    expect(JSON.parse(readFileSync(join(home, CHAIN_FILE), 'utf8'))).toHaveLength(1);
    // Interrupted between the two halves of the new key, its public half is written anew.
    rmSync(join(home, 'keys/journal.ed25519.pub'));
    writeFileSync(join(home, 'keys/journal.ed25519.pub'), owner.signer.publicKey);
    const again = await ownerOf(home);
    expect([...again.publicKeys.values()].map(fingerprintOf)).toContain(after.signer.fingerprint);
  });
});
