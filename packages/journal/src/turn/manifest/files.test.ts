import { expect, test } from 'vitest';
import { openForTest, sqlitePlaces } from '../../../test/places.js';
import { block, freshSigner, must, piece, requestOf } from '../../../test/turns.js';
import type { RunId } from '../../contract.js';
import { rebuildTurn } from '../rebuild.js';
import { createRecorder } from '../recorder.js';
import { type FileStamps, filesOf } from './files.js';

const RUN = 'run_a' as RunId;
const hash = (letter: string): string => `sha256:${letter.repeat(64)}`;
const [FIRST, LATER] = ['1'.repeat(40), '2'.repeat(40)];

/** A prompt of one line of each file; the last one led to the others. */
const told = (...refs: readonly string[]) =>
  requestOf(
    refs.map((ref) => {
      const via = [{ ref: refs.at(-1) ?? '', line: 3, column: 1 }];
      return block(ref, '', {
        pieces: [piece(ref, { origin: { kind: 'file', ref, line: 1, column: 1, via } })],
      });
    }),
  );

/** A run that was begun with two files, and its turns: what each is told from, and which files were read since. */
async function recorded(
  begun: object,
  turns: readonly { readonly refs: readonly string[]; readonly files?: FileStamps }[],
) {
  const store = await openForTest(await sqlitePlaces.fresh());
  const recorder = createRecorder({ store, signer: freshSigner() });
  const events = [{ type: 'run.started', data: { sources: begun } as never }];
  must(await store.append({ run: RUN, command: 'begin', target: 'x', expectedSeq: 0, events, blobs: [] }));
  const seen: { readonly files: FileStamps; readonly isTold: boolean }[] = [];
  for (const [index, { refs, files }] of turns.entries()) {
    const turn = `t${index}`;
    const to = { lane: 'l', provider: 'rehearsal' };
    const place = must(
      await recorder.record({ run: RUN, turn, ...to, request: told(...refs), ...(files && { files }) }),
    );
    const [event] = await store.read(RUN, { after: place.seq - 1, limit: 1 });
    const rebuilt = must(await rebuildTurn(store, RUN, turn));
    seen.push({ files: rebuilt.files, isTold: JSON.stringify(event?.data).includes('"files"') });
  }
  return seen;
}

test('a turn knows the files that it comes from as they were, and tells of them when they are new', async () => {
  const begun = {
    entry: 'e',
    files: { 'a.md': hash('a'), 'b.md': hash('b'), 'c.md': hash('c') },
    commit: FIRST,
  };
  const [a, b] = [hash('a'), hash('b')].map((each) => ({ hash: each, commit: FIRST }));
  const changed = { hash: hash('d'), commit: LATER };
  const own = { hash: hash('e') };
  const seen = await recorded(begun, [
    { refs: ['a.md', 'b.md'] },
    { refs: ['a.md', 'b.md'] },
    { refs: ['a.md', 'b.md'], files: { 'a.md': changed, 'never-told.md': own } },
    {
      refs: ['a.md', 'b.md', 'own.md'],
      files: { 'a.md': { hash: hash('a'), commit: LATER }, 'own.md': own },
    },
  ]);
  expect(seen).toEqual([
    { files: { 'a.md': a, 'b.md': b }, isTold: true },
    { files: { 'a.md': a, 'b.md': b }, isTold: false },
    { files: { 'a.md': changed, 'b.md': b }, isTold: true },
    // What is again as it was in the beginning is of that commit.
    { files: { 'a.md': a, 'b.md': b, 'own.md': own }, isTold: true },
  ]);
});

test.each([
  ['no hashes', { files: { 'a.md': 'yes' } }],
  ['a list', { files: ['a.md'] }],
  ['names of another kind', { chat_history: 'topics/square' }],
])('a first event that has %s for sources says nothing of files', async (_what, begun) => {
  expect(await recorded(begun, [{ refs: ['a.md'] }])).toEqual([{ files: {}, isTold: false }]);
});

test('only places with a line are in a file', () => {
  const origin = {
    kind: 'value',
    ref: 'settings x',
    via: [{ ref: 'a.md', line: 1 }, { ref: 'run' }],
  } as const;
  const labels = { trust: 'author', secrecy: 'public', volatility: 'build' } as const;
  expect([...filesOf([{ spans: [{ start: 0, end: 1, origin, ...labels }] }], {})]).toEqual(['a.md']);
});
