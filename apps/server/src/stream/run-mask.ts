import { guard } from '@cuebook/guard';
import {
  confidentialOfRun,
  confidentialTexts,
  createMasker,
  type Masker,
  type RunId,
  rebuildTurn,
  type Store,
  type StoredEvent,
  turnOf,
} from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';

/** What must not be shown of a run. It grows with the prompts of the run. */
export interface RunMask {
  /** Looks at an event before it is shown: a new prompt may hold new confidential words. */
  learn(event: StoredEvent): Promise<void>;
  value(value: JsonValue): JsonValue;
  /**
   * Whether live words may be shown. Where a run has confidential words they may not: cut into deltas, they could
   * not be found. The whole turn is shown, masked, when it is over.
   */
  showsLive(): boolean;
}

/** A mask that knows the run as it is now. */
export async function createRunMask(store: Store, run: RunId): Promise<RunMask> {
  const texts = new Set(await confidentialOfRun(store, run));
  let masker: Masker = createMasker(texts);
  return {
    async learn(event) {
      if (event.type !== 'turn.recorded') return;
      const rebuilt = await rebuildTurn(store, run, turnOf(event) ?? '');
      if (!rebuilt.ok) return;
      const { request, delta } = rebuilt.value;
      const found = [...request.prompt.blocks, ...(delta?.prompt.blocks ?? [])];
      const before = texts.size;
      for (const text of confidentialTexts(found)) texts.add(text);
      if (texts.size > before) masker = createMasker(texts);
    },
    value: (value) => (guard('event.mask', texts.size > 0) ? masker.value(value) : value),
    showsLive: () => !guard('live.mask', texts.size > 0),
  };
}
