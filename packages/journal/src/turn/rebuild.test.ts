import type { JsonValue } from '@cuebook/prompt';
import { describe, expect, test } from 'vitest';
import { openForTest, sqlitePlaces } from '../../test/places.js';
import { block, freshSigner, keysOf, must, requestOf } from '../../test/turns.js';
import type { RunId } from '../contract.js';
import { verifyRun } from '../verify/verify-run.js';
import { encodeRequest } from './manifest/encode.js';
import { blobSink } from './manifest/packed.js';
import { rebuildTurn } from './rebuild.js';
import { createRecorder } from './recorder.js';
import { seal } from './seal.js';
import type { Unsealed } from './wire/receipt-data.js';

const RUN = 'run_a' as RunId;
const OTHER = 'B'.repeat(43);

type Body = Extract<Unsealed, { type: 'turn.recorded' }>['body'];

/** A run with one receipt that its own signer made wrong: chain and signature fit, what it says does not. */
async function recordedWrong(change: (body: Body) => Body) {
  const store = await openForTest(await sqlitePlaces.fresh());
  const signer = freshSigner();
  const sink = blobSink();
  const request = requestOf([block('a', 'One.'), block('b', 'Two.')]);
  const to = { provider: 'rehearsal' };
  const { data } = must(encodeRequest({ turn: 't', lane: 'l', request, to }, sink));
  const standing = { type: 'turn.recorded', run: RUN, seq: 1, after: null, prev: null } as const;
  const sealed = seal({ type: 'turn.recorded', body: change(data) }, standing, signer);
  const events = [{ type: 'turn.recorded', data: sealed as unknown as JsonValue }];
  const { blobs } = sink;
  must(await store.append({ run: RUN, command: 'turn t', target: 'x', expectedSeq: 0, events, blobs }));
  return { store, publicKeys: keysOf(signer) };
}

const CASES: readonly { name: string; change: (body: Body) => Body; says: string }[] = [
  {
    name: 'another hash of the whole',
    change: (body) => ({ ...body, whole: OTHER }),
    says: 'the hash of the whole prompt is wrong',
  },
  {
    name: 'a block that is not stored',
    change: (body) => ({
      ...body,
      blocks: [{ name: 'a', role: 'user', hash: OTHER }, ...[body.blocks].flat().slice(1)] as never,
    }),
    says: 'is missing',
  },
  {
    name: 'blocks of a base that it does not have',
    change: (body) => ({ ...body, blocks: [[0, 2]] }),
    says: 'it keeps blocks that its base lacks',
  },
  {
    name: 'itself as its base',
    change: (body) => ({ ...body, base: 1 }),
    says: 'it builds on a later receipt',
  },
  { name: 'no spans', change: ({ spans: _spans, ...body }) => body, says: 'has no spans' },
  {
    name: 'spans that cannot be read',
    change: (body) => ({ ...body, spans: { bytes: '_____w', sources: [] } }),
    says: 'its spans cannot be read',
  },
  {
    name: 'a part beyond the end of its blob',
    change: (body) => {
      const [first, second] = body.blocks as never as [{ hash: string }, object];
      return { ...body, blocks: [{ ...first, parts: [[first.hash, 2, 9]] }, second] as never };
    },
    says: 'is longer than what it is made of',
  },
  {
    name: 'another text in its parts',
    change: (body) => {
      const [first, second] = body.blocks as never as [{ hash: string }, { hash: string }];
      return { ...body, blocks: [{ ...first, parts: [[second.hash, 0, 4]] }, second] as never };
    },
    says: 'the hash of block a is wrong',
  },
];

describe('a receipt with', () => {
  test.each(CASES)('$name is not rebuilt, and verify says why', async ({ change, says }) => {
    const { store, publicKeys } = await recordedWrong(change);
    const rebuilt = await rebuildTurn(store, RUN, 't');
    expect(rebuilt).toMatchObject({ ok: false, error: { code: 'E_TURN_BROKEN', turn: 't' } });
    expect(JSON.stringify(rebuilt)).toContain(says);
    const { problems } = await verifyRun(store, RUN, { publicKeys });
    expect(problems.map(({ code, turn }) => [code, turn])).toEqual([['E_VERIFY_TURN', 't']]);
  });

  test('nothing wrong is rebuilt', async () => {
    const { store, publicKeys } = await recordedWrong((body) => body);
    expect(must(await rebuildTurn(store, RUN, 't')).request.prompt.text).toBe('One.\n\nTwo.');
    expect((await verifyRun(store, RUN, { publicKeys })).ok).toBe(true);
  });
});

test('keys come back in the order in which they were sent, and tools and parameters with their sources', async () => {
  const store = await openForTest(await sqlitePlaces.fresh());
  const signer = freshSigner();
  const tools = [{ name: 'look', parameters: { type: 'object', properties: { z: {}, a: {} } } }];
  const source = {
    origin: { kind: 'value', ref: 'desk.yaml', line: 3, column: 5 },
    trust: 'author',
    secrecy: 'public',
    volatility: 'build',
  } as const;
  const sources = { '/tools/0': source };
  const made = requestOf([block('a', 'One.')], { tools, params: { topP: 1, seed: 2 } });
  const recorder = createRecorder({ store, signer });
  for (const turn of ['one', 'two']) {
    must(
      await recorder.record({
        run: RUN,
        turn,
        lane: 'l',
        provider: 'rehearsal',
        request: { ...made, sources },
      }),
    );
  }
  const { request } = must(await rebuildTurn(store, RUN, 'two'));
  expect(JSON.stringify([request.tools, request.params])).toBe(JSON.stringify([tools, made.params]));
  expect(request.sources).toEqual(sources);
});
