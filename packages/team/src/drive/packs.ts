import type { RunId } from '@cuebook/journal';
import type { Envelope } from '../graph/envelope.js';
import type { KeptPack } from '../host/contract.js';
import { type ContextPack, fitContextPack, packRef } from '../prompt/context-pack.js';
import type { Artifacts } from './artifacts.js';

/** The context packs of runs. A pack is called by the hash of its content, so that a reference says what it means. */
export interface Packs {
  keep(run: RunId, pack: Omit<ContextPack, 'packId'>): Promise<KeptPack>;
  /** The pack of the newest handoff that names one that is there. */
  find(run: RunId, handoffs: readonly Envelope[]): Promise<ContextPack | undefined>;
}

export function createPacks(artifacts: Artifacts, maxTokens: number): Packs {
  return {
    async keep(run, given) {
      const { pack, tokens, leftOut } = fitContextPack({ ...given, packId: '' }, { maxTokens, count });
      const { packId: _none, ...content } = pack;
      const packId = await artifacts.keep(run, 'contextpack', JSON.stringify(content));
      return { ref: packRef({ packId }), tokens, leftOut };
    },
    async find(run, handoffs) {
      for (const { contextRef } of [...handoffs].reverse()) {
        const packId = contextRef?.startsWith(SCHEME) ? contextRef.slice(SCHEME.length) : undefined;
        const text = packId === undefined ? undefined : await artifacts.find(run, packId);
        if (packId !== undefined && text !== undefined)
          return { packId, ...(JSON.parse(text) as Omit<ContextPack, 'packId'>) };
      }
      return undefined;
    },
  };
}

const SCHEME = packRef({ packId: '' });
/** As the rehearsal counts: no truth, but the same everywhere. */
const count = (text: string): number => Math.ceil(text.length / 4);
