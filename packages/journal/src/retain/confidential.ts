import type { RunId, Store } from '../contract.js';
import { eventsOf } from '../turn/find.js';
import { decodeRecorded } from '../turn/manifest/decode.js';
import type { ManifestBlock, TurnManifest } from '../turn/manifest/manifest.js';
import { type BlobReader, blobReader, readText } from '../turn/manifest/texts.js';
import { UnreadableReceipt } from '../turn/manifest/unreadable.js';
import { parseReceipt } from '../turn/parse.js';
import { rebuildTurn } from '../turn/rebuild.js';
import { findConfidential } from './confidential-turns.js';
import { confidentialTexts } from './mask.js';

/** The confidential texts of all prompts of a run, as far as they can be read: what its log must not show. */
export async function confidentialOfRun(store: Store, run: RunId): Promise<readonly string[]> {
  const turns = await findConfidential(store, run);
  return (turns && (await textsOfTurns(store, run, turns))) ?? scanRun(store, run);
}

/** Undefined: something of these turns cannot be read any more, and another one may hold the same words. */
async function textsOfTurns(
  store: Store,
  run: RunId,
  turns: readonly string[],
): Promise<readonly string[] | undefined> {
  const texts = new Set<string>();
  for (const turn of turns) {
    const rebuilt = await rebuildTurn(store, run, turn);
    if (!rebuilt.ok || rebuilt.value.forgotten.length > 0) return undefined;
    const { request, delta } = rebuilt.value;
    const blocks = [...request.prompt.blocks, ...(delta?.prompt.blocks ?? [])];
    for (const text of confidentialTexts(blocks)) texts.add(text);
  }
  return [...texts];
}

async function scanRun(store: Store, run: RunId): Promise<readonly string[]> {
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
