import { join } from 'node:path';
import type { Lease, RunId, Store } from '../../src/contract.js';
import type { StoreOwner } from '../../src/owner/project.js';
import { createRecorder } from '../../src/turn/recorder.js';
import { withStore } from '../owner.js';
import { block, piece, requestOf } from '../turns.js';
import { batch, eventsOf, must, photograph } from '../write.js';

export const FILLED = ['run_a', 'run_b', 'run_gone'] as RunId[];
const [A, B, GONE] = FILLED as [RunId, RunId, RunId];

/** What was written into a store of the newest layout, and what was seen there. */
export interface Filled {
  readonly file: string;
  readonly seen: Awaited<ReturnType<typeof seenIn>>;
  readonly lease: Lease;
  readonly sealed: string;
}

/** A store in a file with a row of every kind that a journal can hold. */
export async function fillStore(home: string, owner: StoreOwner): Promise<Filled> {
  const file = join(home, 'journal.db');
  return withStore({ file }, owner, async (store) => {
    const add = async (run: RunId, changes: Parameters<typeof batch>[0] = {}): Promise<void> => {
      const expectedSeq = (await store.head(run))?.seq ?? 0;
      must(await store.append(batch({ run, expectedSeq, ...changes })));
    };
    const bytes = (text: string): Buffer => Buffer.from(text.repeat(40));
    const [kept, dropped] = [bytes('a text that is kept '), bytes('a text that is dropped ')];
    const project = (key: string, value: object | null, isAtRest = false) => ({
      ...{ name: 'view', key, value: value as never },
      ...(isAtRest ? { isAtRest } : {}),
    });
    await add(A, {
      command: 'cmd_again',
      events: eventsOf(3),
      blobs: [kept, dropped],
      answer: { fits: true },
    });
    await add(A, { projections: [project(A, { status: 'waiting' }), project('both', { by: 'a' })] });
    await add(B, {
      blobs: [kept],
      projections: [project(B, { status: 'done' }, true), project('both', { by: 'b' })],
    });
    await add(B, { projections: [project('empty', { is: 'there' })] });
    await add(B, { projections: [project('empty', null)] });
    await store.putBlob(bytes('a text of no run '));
    const recorder = createRecorder({ store, signer: owner.signer });
    const hidden = piece('What only they may see.', { secrecy: 'confidential' });
    const tasks = [block('task', 'Plan.'), block('note', '', { pieces: [hidden] })];
    for (const run of [A, B]) {
      for (const [at, task] of tasks.entries()) {
        const request = requestOf([task]);
        const sent = { channel: 'http', hash: `sha256:${'0'.repeat(64)}`, ordinal: 1 } as const;
        const turn = { run, turn: `turn_${at}`, lane: 'main', request, provider: 'rehearsal', sent };
        const recorded = await recorder.record(turn);
        if (!recorded.ok) throw new Error(JSON.stringify(recorded.error));
      }
    }
    const sealed = await store.vault?.seal(A, 'a secret of the run');
    if (!sealed?.ok) throw new Error('not sealed');
    await add(A, { blobs: [], events: [{ type: 'thing.sealed', data: { id: sealed.value.id } }] });
    await store.putBlob(sealed.value.blob);
    const [, blob = ''] = (await store.commits(A))[0]?.blobs ?? [];
    await store.deleteBlob(blob);
    await add(GONE, { events: eventsOf(2), blobs: [bytes('a text of a run that is removed ')] });
    await store.removeRun(GONE);
    const released = await store.acquireLease('work', 'me', 60_000);
    if (released === undefined) throw new Error('no lease');
    await store.releaseLease(released);
    return { file, seen: await seenIn(store), lease: released, sealed: sealed.value.id };
  });
}

/** All that can be read of the runs; lists of what is at rest are kept by the newest layouts only. */
export async function seenIn(store: Store) {
  const seen = await photograph(store, [A, B]);
  const texts = seen.each.flatMap(({ commits }) => commits.flatMap(({ blobs }) => blobs));
  const blobs = await Promise.all(
    texts.map(async (hash) => {
      const bytes = await store.getBlob(hash);
      return [hash, bytes instanceof Uint8Array ? Buffer.from(bytes).toString('hex') : bytes] as const;
    }),
  );
  return {
    ...seen,
    blobs,
    removed: await store.removedRuns(),
    again: await store.findCommand(A, 'cmd_again'),
  };
}
