import type { AblationDocument, ComparisonDocument, EvalDocument } from '@cuebook/eval';
import type { RunId, Store } from '@cuebook/journal';
import { sha256 } from '../project/hash.js';
import { ablationOf } from './ablation.js';
import { documentOf } from './about.js';

/** The document of an eval or a comparison as it stands, from the record alone. */
export async function comparisonNow(
  store: Pick<Store, 'read'>,
  run: RunId,
): Promise<ComparisonDocument | EvalDocument | undefined> {
  return documentOf(store, run, Math.max(1, await looksOf(store, run)));
}

/** The same for an ablation, too. */
export async function documentNow(
  store: Pick<Store, 'read'>,
  run: RunId,
): Promise<ComparisonDocument | EvalDocument | AblationDocument | undefined> {
  return (await comparisonNow(store, run)) ?? (await ablationOf(store, run, sha256))?.document;
}

async function looksOf(store: Pick<Store, 'read'>, run: RunId): Promise<number> {
  let [count, after] = [0, 0];
  for (;;) {
    const events = await store.read(run, { after, limit: 1000 });
    for (const { type, seq } of events) {
      after = seq;
      if (type === 'eval.looked') count += 1;
    }
    if (events.length < 1000) return count;
  }
}
