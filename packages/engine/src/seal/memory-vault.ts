import { randomBytes } from 'node:crypto';
import type { RunId } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import type { Seals } from './shield.js';

/** Seals in the memory of the process, for a store that has no vault: what is sealed is gone with the process. */
export function memoryVault(): Seals {
  const ids = new Map<string, string>();
  const texts = new Map<string, string>();
  const place = (run: RunId, name: string): string => JSON.stringify([run, name]);
  return {
    async seal(run, text) {
      const id = ids.get(place(run, text)) ?? randomBytes(16).toString('hex');
      ids.set(place(run, text), id);
      texts.set(place(run, id), text);
      return ok({ id, blob: new Uint8Array() });
    },
    open: async (run, id) => texts.get(place(run, id)),
  };
}
