import { hash as sha256 } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { block, conversation, piece, requestOf } from '../../../test/turns.js';
import { parseReceipt } from '../parse.js';
import type { Recorded } from '../receipt.js';
import { toWire } from '../wire/receipt-data.js';
import { decodeRecorded } from './decode.js';
import { type Base, type EncodeInput, encodeRequest } from './encode.js';
import { MAX_DEPTH, type TurnManifest } from './manifest.js';
import { type BlobSink, blobSink } from './packed.js';
import { redactionsOf } from './redactions.js';
import { blobReader, readBlock } from './texts.js';

const to = { provider: 'rehearsal', model: 'm', session: 's' };

const encoded = (input: Omit<EncodeInput, 'to' | 'turn' | 'lane'>, sink: BlobSink) => {
  const result = encodeRequest({ turn: 't', lane: 'l', to, ...input }, sink);
  if (!result.ok) throw new Error(result.error.join());
  const { turn, is } = toWire({ type: 'turn.recorded', body: result.value.data });
  const data = JSON.parse(JSON.stringify({ turn, is: [...is, 0, 'k', 's'] }));
  const receipt = parseReceipt('turn.recorded', data);
  if (receipt === undefined) throw new Error(`does not parse: ${JSON.stringify(data)}`);
  return { data: receipt.data as Recorded, manifest: result.value.manifest };
};

const readerOf = (sink: BlobSink) =>
  blobReader({
    getBlob: async (hash) =>
      sink.blobs.find((bytes) => `sha256:${sha256('sha256', Buffer.from(bytes))}` === hash),
  });

const baseOf = (seq: number, manifest: TurnManifest, request: EncodeInput['request']): Base => ({
  seq,
  manifest,
  recent: new Map(
    manifest.blocks.map(({ name, hash, parts }, index) => [
      name,
      { hash, parts, text: request.prompt.blocks[index]?.text },
    ]),
  ),
});

describe('a request as what changed since its base', () => {
  test('reads back as it was, turn after turn', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (turns) => {
        const sink = blobSink();
        let base: Base | undefined;
        let before: TurnManifest | undefined;
        for (const [index, { request, delta }] of turns.entries()) {
          const { data, manifest } = encoded({ request, delta, base }, sink);
          const reader = readerOf(sink);
          const decoded = await decodeRecorded(data, before, reader.packed);
          expect(decoded).toEqual(manifest);
          const blocks = await Promise.all(decoded.blocks.map((each) => readBlock(each, reader)));
          expect(blocks).toEqual(request.prompt.blocks);
          expect(decoded.redactions ?? redactionsOf(decoded.blocks)).toEqual(request.prompt.redactions);
          expect(decoded.tools).toEqual(request.tools);
          expect(decoded.params).toEqual(request.params);
          const shown = await Promise.all(
            (decoded.delta?.blocks ?? []).map((each) => readBlock(each, reader)),
          );
          expect(shown).toEqual(delta?.prompt.blocks ?? []);
          base = baseOf(index + 1, manifest, request);
          before = decoded;
        }
      }),
      runs(100, 5_000),
    );
  });

  test('a block that grows costs what was added to it', () => {
    const sink = blobSink();
    const history = 'A line of the history that stays as it is.\n'.repeat(100);
    const first = requestOf([block('history', history)]);
    const { manifest } = encoded({ request: first }, sink);
    const before = sink.blobs.length;
    const next = requestOf([block('history', `${history}One more line.\n`)]);
    const { data } = encoded({ request: next, base: baseOf(1, manifest, first) }, sink);
    expect(sink.blobs.slice(before).map((bytes) => Buffer.from(bytes).toString())).toEqual([
      'One more line.\n',
    ]);
    expect(JSON.stringify(data).length).toBeLessThan(700);
  });

  test('the same prompt again costs no block and no source', () => {
    const request = requestOf([block('a', 'one'), block('b', 'two'), block('c', 'three')]);
    const { manifest } = encoded({ request }, blobSink());
    const sink = blobSink();
    const { data } = encoded({ request, base: baseOf(7, manifest, request) }, sink);
    expect(data).toMatchObject({ base: 7, blocks: [[0, 3]] });
    expect(data.spans).toBeUndefined();
    expect(sink.blobs).toEqual([]);
  });

  test('a chain of bases ends', () => {
    const request = requestOf([block('a', 'one')]);
    let base: Base | undefined;
    const depths = Array.from({ length: 3 * MAX_DEPTH }, (_, index) => {
      const { manifest } = encoded({ request, base }, blobSink());
      base = baseOf(index + 1, manifest, request);
      return manifest.depth;
    });
    expect(Math.max(...depths)).toBe(MAX_DEPTH - 1);
    expect(depths.filter((depth) => depth === 0)).toHaveLength(3);
  });

  test('a hash that is not the sha256 of the text is refused, with the block', () => {
    const request = requestOf([block('a', 'one'), block('b', 'two')]);
    const [a, b] = request.prompt.blocks;
    if (a === undefined || b === undefined) throw new Error('two blocks');
    const forged = { ...request, prompt: { ...request.prompt, blocks: [a, { ...b, hash: a.hash }] } };
    const result = encodeRequest({ turn: 't', lane: 'l', to, request: forged }, blobSink());
    expect(result).toEqual({ ok: false, error: ['b'] });
    const whole = { ...request, prompt: { ...request.prompt, hash: a.hash } };
    expect(encodeRequest({ turn: 't', lane: 'l', to, request: whole }, blobSink()).ok).toBe(false);
  });

  test('many spans move into a blob of their own', () => {
    const pieces = Array.from({ length: 500 }, (_, line) =>
      piece(`line ${line}\n`, { origin: { kind: 'file', ref: 'x.md', line: line + 1, column: 1 } }),
    );
    const sink = blobSink();
    const { data } = encoded({ request: requestOf([block('a', '', { pieces })]) }, sink);
    expect(typeof data.spans).toBe('string');
    expect(JSON.stringify(data).length).toBeLessThan(800);
  });
});
