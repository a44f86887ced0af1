import { z } from 'zod';
import type { Store, StoredEvent } from '../contract.js';
import { deletionNote, FORGOTTEN } from '../retain/forget.js';
import type { PromptCheck } from './prompts.js';

/** Something of a run whose content was deleted on request. */
export interface ForgottenPart {
  /** Left out for what belongs to no turn, such as a sealed credential. */
  readonly turn?: string;
  /** A block by its name, a part of the answer, or `sealed ID`. */
  readonly part: string;
  /** Left out when no request for it is on record. */
  readonly by?: string;
  readonly reason?: string;
  /** The run whose turn was named, when it is another one with the same content. */
  readonly run?: string;
}

/** Gathers what was deleted: the requests in a log, and content that a request about another run took away. */
export function createForgottenList(store: Pick<Store, 'projection'>) {
  const parts: ForgottenPart[] = [];
  const told = new Set<string>();
  return {
    add({ type, data }: StoredEvent): void {
      const said = type === FORGOTTEN ? requestSchema.safeParse(data).data : undefined;
      for (const part of new Set(said?.parts.map((each) => each.part))) {
        const { by, reason, turn } = said as z.output<typeof requestSchema>;
        parts.push({ ...(turn && { turn }), part, by, ...(reason === undefined ? {} : { reason }) });
      }
      for (const { blob } of said?.parts ?? []) told.add(blob);
    },
    async list({
      deleted,
      placeOfBlob,
    }: Pick<PromptCheck, 'deleted' | 'placeOfBlob'>): Promise<readonly ForgottenPart[]> {
      for (const blob of deleted) {
        if (told.has(blob)) continue;
        const place = placeOfBlob.get(blob) ?? { part: blob };
        // A note that cannot be read is none: the audit says so.
        const note = await deletionNote(store, blob).catch(() => undefined);
        const { by, reason, run } = note ?? {};
        parts.push({ ...place, ...(by && { by }), ...(reason && { reason }), ...(run && { run }) });
      }
      return parts;
    },
  };
}

const requestSchema = z.object({
  by: z.string(),
  reason: z.string().optional(),
  turn: z.string(),
  parts: z.array(z.object({ part: z.string(), blob: z.string() })),
});
