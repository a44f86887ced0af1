import type { RunId, Store } from '../contract.js';
import { decodeRecorded } from './manifest/decode.js';
import { MAX_DEPTH, type TurnManifest } from './manifest/manifest.js';
import { type BlobReader, readText } from './manifest/texts.js';
import { UnreadableReceipt } from './manifest/unreadable.js';
import { parseReceipt } from './parse.js';
import type { Recorded } from './receipt.js';

/** The manifest of the receipt at a seq, its bases read and applied. Throws `Unreadable`. */
export async function loadManifest(
  store: Pick<Store, 'read'>,
  run: RunId,
  seq: number,
  reader: BlobReader,
): Promise<TurnManifest> {
  return manifestOf(store, run, { seq, data: await readRecorded(store, run, seq) }, reader);
}

/** The same for a receipt that is read already. */
export async function manifestOf(
  store: Pick<Store, 'read'>,
  run: RunId,
  { seq, data }: { readonly seq: number; readonly data: Recorded },
  reader: BlobReader,
): Promise<TurnManifest> {
  const chain = [data];
  let at = seq;
  for (let base = data.base; base !== undefined; ) {
    if (chain.length >= MAX_DEPTH) throw new UnreadableReceipt('its chain of bases is too long');
    if (base >= at) throw new UnreadableReceipt('it builds on a later receipt');
    const next: Recorded = await readRecorded(store, run, base);
    chain.push(next);
    at = base;
    base = next.base;
  }
  let manifest: TurnManifest | undefined;
  for (const each of chain.reverse()) manifest = await decodeRecorded(each, manifest, reader.packed);
  return manifest as TurnManifest;
}

async function readRecorded(store: Pick<Store, 'read'>, run: RunId, seq: number): Promise<Recorded> {
  const [event] = await store.read(run, { after: seq - 1, limit: 1 });
  const isIt = event?.seq === seq && event.type === 'turn.recorded';
  const receipt = isIt ? parseReceipt('turn.recorded', event.data) : undefined;
  if (receipt?.type === 'turn.recorded') return receipt.data;
  throw new UnreadableReceipt(`event ${seq} is not the receipt that it builds on`);
}

/** The texts of a manifest's blocks by name; a block whose content is gone is left out. */
export async function loadTexts(
  manifest: TurnManifest,
  reader: BlobReader,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const block of manifest.blocks) {
    const text = await readText(block, reader).catch((error: unknown) => {
      if (error instanceof UnreadableReceipt) return undefined;
      throw error;
    });
    if (text !== undefined) texts.set(block.name, text);
  }
  return texts;
}
