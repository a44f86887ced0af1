import { crypto, dsse } from '@sigstore/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { share } from '../../../../test/runs.js';
import { openForTest, sqlitePlaces } from '../../test/places.js';
import { block, freshSigner, must, requestOf } from '../../test/turns.js';
import type { RunId, Store } from '../contract.js';
import { forgetContent } from '../retain/forget.js';
import type { Signer } from '../turn/key/key.js';
import { rebuildTurn } from '../turn/rebuild.js';
import { createRecorder } from '../turn/recorder.js';
import { attestRun } from './attest-run.js';
import type { SignedEnvelope } from './envelope.js';

const RUN = 'run_a' as RunId;

async function recorded(signer: Signer, turns: readonly string[] = ['t1', 't2']): Promise<Store> {
  const store = await openForTest(await sqlitePlaces.fresh());
  const recorder = createRecorder({ store, signer });
  const events = [{ type: 'run.started', data: {} }];
  must(await store.append({ run: RUN, command: 'start', target: 'x', expectedSeq: 0, events }));
  for (const turn of turns) {
    const request = requestOf([block('task', `Do ${turn}, please; γ 𝄞.`)]);
    must(await recorder.record({ run: RUN, turn, lane: 'l', request, provider: 'rehearsal' }));
    must(await recorder.end({ run: RUN, turn, reason: 'done', text: `Done with ${turn}.` }));
  }
  return store;
}

/** Checked by a library that is not ours, with the public key alone. */
function isGenuine({ payload, payloadType, signatures }: SignedEnvelope, publicKey: string): boolean {
  const signed = dsse.preAuthEncoding(payloadType, Buffer.from(payload, 'base64'));
  const key = crypto.createPublicKey(publicKey);
  return (
    signatures.length > 0 &&
    signatures.every(({ sig }) => crypto.verify(signed, key, Buffer.from(sig, 'base64')))
  );
}

const read = ({ payload }: SignedEnvelope) => JSON.parse(Buffer.from(payload, 'base64').toString());

describe('a run as attestations', () => {
  test('is one for each turn and one for the run, which another library verifies', async () => {
    const signer = freshSigner();
    const store = await recorded(signer);
    const envelopes = must(await attestRun(store, RUN, { signer }));
    expect(envelopes.map((each) => isGenuine(each, signer.publicKey))).toEqual([true, true, true]);
    const [first, second, whole] = envelopes.map(read);
    const turn = must(await rebuildTurn(store, RUN, 't1'));
    expect(first).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'urn:cuebook:attestation:turn:v1',
      subject: [{ name: 'run_a@t1', digest: { sha256: turn.request.prompt.hash.slice('sha256:'.length) } }],
      predicate: {
        ...{ run: RUN, turn: 't1', outcome: { reason: 'done' }, blocks: [{ name: 'task' }] },
        policy: { systemTrustAtLeast: 'operator', secrecyAtMost: 'confidential', holds: true },
      },
    });
    const bytes = Buffer.byteLength(turn.request.prompt.text);
    const { labels, sources } = first.predicate;
    for (const sums of Object.values(labels))
      expect(Object.values(sums as object).reduce((sum, each) => sum + each, 0)).toBe(bytes);
    expect(sources.reduce((sum: number, each: { bytes: number }) => sum + each.bytes, 0)).toBe(bytes);
    expect(second.subject[0].name).toBe('run_a@t2');
    expect(whole).toMatchObject({
      predicateType: 'urn:cuebook:attestation:run:v1',
      subject: [{ name: RUN, digest: { sha256: (await store.head(RUN))?.hash.slice('sha256:'.length) } }],
      predicate: { turns: [{ turn: 't1' }, { turn: 't2' }] },
    });
  });

  test('holds no word of what was told or answered', async () => {
    const signer = freshSigner();
    const text = must(await attestRun(await recorded(signer), RUN, { signer }))
      .map((each) => JSON.stringify(read(each)))
      .join('');
    for (const word of ['please', 'Do t1', 'Done with']) expect(text).not.toContain(word);
  });

  test('any changed byte is refused, and so is another key', async () => {
    const signer = freshSigner();
    const [envelope] = must(await attestRun(await recorded(signer, ['t1']), RUN, { signer }));
    if (envelope === undefined) throw new Error('there is one for the turn');
    expect(isGenuine(envelope, freshSigner().publicKey)).toBe(false);
    const payload = Buffer.from(envelope.payload, 'base64');
    fc.assert(
      fc.property(fc.nat(payload.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(payload);
        changed[at] = (changed[at] ?? 0) ^ flip;
        const forged = { ...envelope, payload: changed.toString('base64') };
        expect(isGenuine(forged, signer.publicKey)).toBe(false);
      }),
      { numRuns: share(60, 2_000) },
    );
    const other = { ...envelope, payloadType: 'text/plain' } as unknown as SignedEnvelope;
    expect(isGenuine(other, signer.publicKey)).toBe(false);
  });

  test('a turn of which a word was deleted keeps its hashes', async () => {
    const signer = freshSigner();
    const store = await recorded(signer);
    const before = must(await attestRun(store, RUN, { signer })).map(read);
    must(await forgetContent(store, { run: RUN, turn: 't1', blocks: ['task'], by: 'Ada' }));
    const after = must(await attestRun(store, RUN, { signer })).map(read);
    expect(after[0].subject).toEqual(before[0].subject);
    expect(after[0].predicate.blocks).toEqual(before[0].predicate.blocks);
    expect(after[0].predicate).toMatchObject({ forgotten: ['task'], sources: [] });
  });
});
