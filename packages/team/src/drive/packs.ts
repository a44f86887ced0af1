import type { RunId } from '@cuebook/journal';
import type { KeptPack } from '../host/contract.js';
import { type ContextPack, fitContextPack, packRef } from '../prompt/context-pack.js';
import type { Artifacts } from './artifacts.js';

/** The context packs of runs. A pack is called by the hash of its content, so that a reference says what it means. */
export interface Packs {
  keep(run: RunId, pack: Omit<ContextPack, 'packId'>): Promise<KeptPack>;
}

export function createPacks(artifacts: Artifacts, maxTokens: number): Packs {
  return {
    async keep(run, given) {
      const { pack, tokens, leftOut } = fitContextPack({ ...given, packId: '' }, { maxTokens, count });
      const { packId: _none, ...content } = pack;
      const packId = await artifacts.keep(run, 'contextpack', JSON.stringify(content));
      return { ref: packRef({ packId }), tokens, leftOut };
    },
  };
}

/** As the rehearsal counts: no truth, but the same everywhere. */
const count = (text: string): number => Math.ceil(text.length / 4);
