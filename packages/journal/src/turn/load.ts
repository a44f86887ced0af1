import type { RunId, Store, StoredEvent } from '../contract.js';
import { decodeRecorded } from './manifest/decode.js';
import { MAX_DEPTH, type Manifest } from './manifest/manifest.js';
import { type BlobReader, readText } from './manifest/texts.js';
import { Unreadable } from './manifest/unreadable.js';
import { parseReceipt } from './parse.js';
import type { Recorded } from './receipt.js';

/** One event of a run by its seq. */
export async function readEvent(
  store: Pick<Store, 'read'>,
  run: RunId,
  seq: number,
): Promise<StoredEvent | undefined> {
  const [event] = await store.read(run, { after: seq - 1, limit: 1 });
  return event?.seq === seq ? event : undefined;
}

/** The manifest of the receipt at a seq, its bases read and applied. Throws `Unreadable`. */
export async function loadManifest(
  store: Pick<Store, 'read'>,
  run: RunId,
  seq: number,
  reader: BlobReader,
): Promise<Manifest> {
  const chain: Recorded[] = [];
  for (let at: number | undefined = seq; at !== undefined; ) {
    const event = await readEvent(store, run, at);
    const receipt = event?.type === 'turn.recorded' ? parseReceipt('turn.recorded', event.data) : undefined;
    if (receipt?.type !== 'turn.recorded')
      throw new Unreadable(`event ${at} is not the receipt that it builds on`);
    if (chain.length >= MAX_DEPTH) throw new Unreadable('its chain of bases is too long');
    chain.push(receipt.data);
    const base: number | undefined = receipt.data.base;
    if (base !== undefined && base >= at) throw new Unreadable('it builds on a later receipt');
    at = base;
  }
  let manifest: Manifest | undefined;
  for (const data of chain.reverse()) manifest = await decodeRecorded(data, manifest, reader.packed);
  return manifest as Manifest;
}

/** The texts of a manifest's blocks by name; a block whose content is gone is left out. */
export async function loadTexts(
  manifest: Manifest,
  reader: BlobReader,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const block of manifest.blocks) {
    const text = await readText(block, reader).catch((error: unknown) => {
      if (error instanceof Unreadable) return undefined;
      throw error;
    });
    if (text !== undefined) texts.set(block.name, text);
  }
  return texts;
}
