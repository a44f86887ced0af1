import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Files, openFolder } from '@cuebook/files';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { RunId, Vault } from '../contract.js';
import { blobName, createVault, VAULT_KEY_FILE } from './vault.js';

const RUN = 'run_1' as RunId;
const OTHER = 'run_2' as RunId;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vault-'));
  folders.push(folder);
  return folder;
}

/** A vault over blobs in memory. Each is put in as it is sealed, as a store does. */
function vaultIn(folder: string, blobs = new Map<string, Uint8Array>()): Vault {
  const vault = createVault({ home: () => openFolder(folder), getBlob: async (name) => blobs.get(name) });
  return {
    ...vault,
    async seal(run, text) {
      const sealed = await vault.seal(run, text);
      if (sealed.ok) blobs.set(blobName(sealed.value.blob), sealed.value.blob);
      return sealed;
    },
  };
}

async function idOf(vault: Vault, text: string, run = RUN): Promise<string> {
  const sealed = await vault.seal(run, text);
  if (!sealed.ok) throw new Error(sealed.error.code);
  return sealed.value.id;
}

describe('the vault', () => {
  it('does not say that something is gone while the place of its entries does not answer', async () => {
    const folder = home();
    const blobs = new Map<string, Uint8Array>();
    const id = await idOf(vaultIn(folder, blobs), 'a secret');
    const files = await openFolder(folder);
    if (!files.ok) throw new Error(files.error.code);
    let isAway = true;
    const away: Files = {
      ...files.value,
      readText: async (path, options) =>
        isAway
          ? { ok: false, error: { code: 'E_DISK', path, system: 'connection' } }
          : files.value.readText(path, options),
    };
    const vault = createVault({
      home: async () => ({ ok: true, value: away }),
      getBlob: async (name) => blobs.get(name),
    });
    await expect(vault.open(RUN, id)).rejects.toMatchObject({ error: { code: 'E_JOURNAL_UNAVAILABLE' } });
    isAway = false;
    expect(await vault.open(RUN, id)).toBe('a secret');
  });

  it('gives back any text to its run, and to no other, and keeps it from who has only the blobs', async () => {
    const blobs = new Map<string, Uint8Array>();
    const vault = vaultIn(home(), blobs);
    const elsewhere = vaultIn(home(), blobs);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), async (text) => {
        const id = await idOf(vault, text);
        expect(await vault.open(RUN, id)).toBe(text);
        expect(await vault.open(OTHER, id)).toBeUndefined();
        expect(await elsewhere.open(RUN, id)).toBeUndefined();
        expect(await idOf(vault, text)).toBe(id);
        expect(await idOf(vault, text, OTHER)).not.toBe(id);
        expect(await idOf(elsewhere, text)).not.toBe(id);
      }),
      runs(10, 300),
    );
    const stored = [...blobs.values()].map((bytes) => Buffer.from(bytes).toString('latin1')).join('\n');
    expect(stored).not.toContain('a text that nobody sealed');
  });

  it('an entry that was erased does not open any more, and the others do', async () => {
    const vault = vaultIn(home());
    const gone = await idOf(vault, 'the first token');
    const kept = await idOf(vault, 'the second token');
    expect((await vault.entries(RUN)).map(({ id }) => id).sort()).toEqual([gone, kept].sort());
    expect(await vault.erase(RUN, [gone])).toEqual({ ok: true, value: undefined });
    expect(await vault.open(RUN, gone)).toBeUndefined();
    expect(await vault.open(RUN, kept)).toBe('the second token');
    expect((await vault.erase(RUN, [gone])).ok).toBe(true);
  });

  it('everything of a run goes with it, and nothing of another', async () => {
    const vault = vaultIn(home());
    const gone = await idOf(vault, 'a token');
    const kept = await idOf(vault, 'a token', OTHER);
    expect((await vault.eraseRun(RUN)).ok).toBe(true);
    expect(await vault.open(RUN, gone)).toBeUndefined();
    expect(await vault.open(OTHER, kept)).toBe('a token');
  });

  it('keys are files that only their owner can read, and a name that is no entry reaches none', async () => {
    const folder = home();
    const vault = vaultIn(folder);
    const id = await idOf(vault, 'a token');
    for (const file of [VAULT_KEY_FILE, `vault/${RUN}/${id}`])
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    for (const name of ['../../keys/vault.key', '', '.', id.toUpperCase()])
      expect(await vault.open(RUN, name)).toBeUndefined();
    await vault.erase(RUN, ['../../keys/vault.key']);
    expect(readdirSync(join(folder, 'keys'))).toEqual(['vault.key']);
  });

  it('with a key that is none it says so, and seals nothing', async () => {
    const folder = home();
    const vault = vaultIn(folder);
    await idOf(vault, 'a token');
    writeFileSync(join(folder, VAULT_KEY_FILE), 'not a key');
    expect(await vault.seal(RUN, 'a token')).toEqual({
      ok: false,
      error: { code: 'E_JOURNAL_VAULT', reason: 'not-a-key' },
    });
  });

  it('two that seal the same text at once have one entry', async () => {
    const folder = home();
    const blobs = new Map<string, Uint8Array>();
    const vaults = Array.from({ length: 6 }, () => vaultIn(folder, blobs));
    const ids = await Promise.all(vaults.map((vault) => idOf(vault, 'a token')));
    expect(new Set(ids).size).toBe(1);
    expect(await vaults[0]?.open(RUN, ids[0] ?? '')).toBe('a token');
  });
});
