import type { RunId, Store } from '../contract.js';
import { eventsOf } from '../turn/find.js';
import { decodeRecorded } from '../turn/manifest/decode.js';
import type { ManifestBlock, TurnManifest } from '../turn/manifest/manifest.js';
import { type BlobReader, blobReader, readText } from '../turn/manifest/texts.js';
import { UnreadableReceipt } from '../turn/manifest/unreadable.js';
import { parseReceipt } from '../turn/parse.js';
import { confidentialTexts } from './mask.js';

/** The confidential texts of all prompts of a run, as far as they can be read: what its log must not show. */
export async function confidentialOfRun(store: Store, run: RunId): Promise<readonly string[]> {
  const reader = blobReader(store);
  const manifests = new Map<number, TurnManifest>();
  const looked = new Set<ManifestBlock>();
  const texts = new Set<string>();
  for await (const event of eventsOf(store, run)) {
    const receipt = event.type === 'turn.recorded' ? parseReceipt('turn.recorded', event.data) : undefined;
    if (receipt?.type !== 'turn.recorded') continue;
    const base = receipt.data.base === undefined ? undefined : manifests.get(receipt.data.base);
    const manifest = await orNothing(() => decodeRecorded(receipt.data, base, reader.packed));
    if (manifest === undefined) continue;
    manifests.set(event.seq, manifest);
    for (const block of [...manifest.blocks, ...(manifest.delta?.blocks ?? [])]) {
      if (looked.has(block)) continue;
      looked.add(block);
      for (const text of await textsOf(block, reader)) texts.add(text);
    }
  }
  return [...texts];
}

async function textsOf(block: ManifestBlock, reader: BlobReader): Promise<readonly string[]> {
  if (block.spans.every(({ secrecy }) => secrecy === 'public')) return [];
  const text = await orNothing(() => readText(block, reader));
  return text === undefined ? [] : confidentialTexts([{ text, spans: block.spans }]);
}

/** What cannot be read cannot be shown either; `verifyRun` is who reports it. */
async function orNothing<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreadableReceipt) return undefined;
    throw error;
  }
}
