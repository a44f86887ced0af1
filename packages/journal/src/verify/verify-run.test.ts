import { describe, expect, onTestFinished, test } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { openForTest, sqlitePlaces } from '../../test/places.js';
import { type Cell, rawDatabase } from '../../test/raw.js';
import { block, freshSigner, keysOf, must, piece, requestOf } from '../../test/turns.js';
import type { RunId, Store } from '../contract.js';
import { digest } from '../turn/digest.js';
import type { Signer } from '../turn/key/key.js';
import { createRecorder } from '../turn/recorder.js';
import { verifyRun } from './verify-run.js';

const RUN = 'run_a' as RunId;

/** A run with three turns in two lanes, other events between them, a delta, a picture, calls and a state. */
async function recordRun(store: Store, signer: Signer): Promise<void> {
  const recorder = createRecorder({ store, signer });
  const long = 'A line that is said again and again.\n'.repeat(30);
  for (const [index, lane] of ['planner', 'builder', 'planner'].entries()) {
    const turn = `turn_${index}`;
    const request = requestOf(
      [
        block('system', long, { role: 'system' }),
        block('task', `${long}Task ${index}.`, { pieces: [piece(`${long}Task ${index}.`)] }),
        block('picture', 'Look.', { media: [{ type: 'image/png', data: 'iVBORw0KGgo=' }] }),
      ],
      { tools: [{ name: 'read', description: long, parameters: {} }], params: { temperature: index } },
    );
    const delta = requestOf([block('task', `Only ${index}.`)]);
    const sent = { channel: 'stdin' as const, hash: digest(turn), ordinal: 1 };
    must(await recorder.record({ run: RUN, turn, lane, request, delta, provider: 'rehearsal', sent }));
    const head = await store.head(RUN);
    must(
      await store.append({
        run: RUN,
        command: `step ${index}`,
        target: 'x',
        expectedSeq: head?.seq ?? 0,
        events: [{ type: 'step.done', data: { index } }],
        projections: [{ name: 'steps', key: RUN, value: { count: index + 1 } }],
        answer: { index },
      }),
    );
    must(await recorder.sent({ run: RUN, turn, sent: { ...sent, ordinal: 2 } }));
    const calls = [
      { id: 'c', name: 'read', by: 'agent' as const, input: { a: 1 }, output: `${index} ${long}` },
    ];
    must(await recorder.end({ run: RUN, turn, reason: 'done', text: `${long}${index}`, calls }));
  }
}

const steps = {
  name: 'steps',
  key: RUN,
  initial: { count: 0 },
  step: (state: unknown, { type }: { type: string }) => {
    const { count } = state as { count: number };
    return { count: type === 'step.done' ? count + 1 : count };
  },
};

describe('verify', () => {
  test('a run as it was written has no problem', async () => {
    const store = await openForTest(await sqlitePlaces.fresh());
    const signer = freshSigner();
    await recordRun(store, signer);
    const done: number[] = [];
    const verified = await verifyRun(store, RUN, {
      publicKeys: keysOf(signer),
      states: [steps],
      onTurn: (turns) => done.push(turns),
    });
    expect(verified).toMatchObject({ ok: true, events: 12, turns: 3, open: [], problems: [] });
    expect(done).toEqual([1, 2, 3]);
  });

  itInTurn(
    'one flipped byte of any stored value is found, and the turn is named where there is one',
    async () => {
      const place = await sqlitePlaces.fresh();
      const signer = freshSigner();
      const store = await openForTest(place);
      await recordRun(store, signer);
      const raw = await rawDatabase(place);
      onTestFinished(() => raw.close());
      const problems = async () =>
        (await verifyRun(store, RUN, { publicKeys: keysOf(signer), states: [steps] })).problems;
      const missed: string[] = [];
      const unnamed: string[] = [];
      let tried = 0;
      for (const table of TABLES) {
        const { columns, rows } = await raw.read(table);
        for (const [index, row] of rows.entries()) {
          for (const [at, column] of columns.entries()) {
            const change = { table, columns, row, column, value: flipped(row[at] ?? null) };
            if (row[at] === null || !(await raw.tryUpdate(change))) continue;
            tried += 1;
            const found = await problems();
            const where = `${table}.${column} of row ${index}`;
            if (found.length === 0) missed.push(where);
            const isOfTurn =
              (table === 'cuebook_commits' || table === 'cuebook_blobs') && VALUES.includes(column);
            if (isOfTurn && !found.some(({ turn }) => turn !== undefined)) unnamed.push(where);
            await raw.restoreRow(change);
          }
        }
      }
      expect(missed).toEqual([]);
      expect(unnamed).toEqual([]);
      expect(tried).toBeGreaterThan(150);
      expect(await problems()).toEqual([]);
    },
  );

  test('a receipt that was signed by somebody else is not believed', async () => {
    const store = await openForTest(await sqlitePlaces.fresh());
    const signer = freshSigner();
    await recordRun(store, signer);
    const { problems } = await verifyRun(store, RUN, { publicKeys: keysOf(freshSigner()) });
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['E_VERIFY_KEY']));
    expect(problems[0]).toMatchObject({ turn: 'turn_0', seq: 1, key: signer.keyId });
  });

  test('an event that was put in later breaks the signature of every receipt after it', async () => {
    // Whoever can write the database can compute its chain again; without the key the signatures tell.
    const [real, forged] = [
      await openForTest(await sqlitePlaces.fresh()),
      await openForTest(await sqlitePlaces.fresh()),
    ];
    const signer = freshSigner();
    await recordRun(real, signer);
    let seq = 0;
    for (const event of await real.read(RUN)) {
      const data = event.type === 'step.done' ? { index: 99 } : event.data;
      const blobs = (await real.commits(RUN)).find(({ command }) => command === event.command)?.blobs ?? [];
      const contents = await Promise.all(blobs.map((hash) => real.getBlob(hash)));
      must(
        await forged.append({
          run: RUN,
          command: event.command,
          target: 'x',
          expectedSeq: seq,
          events: [{ type: event.type, data }],
          blobs: contents.filter((each) => each instanceof Uint8Array),
        }),
      );
      seq += 1;
    }
    const { problems } = await verifyRun(forged, RUN, { publicKeys: keysOf(signer) });
    expect(problems.map(({ code }) => code)).toContain('E_VERIFY_SIGNATURE');
    expect(problems.every(({ code }) => code === 'E_VERIFY_SIGNATURE')).toBe(true);
  });

  test('a receipt that is left out breaks the link of the next', async () => {
    const [real, forged] = [
      await openForTest(await sqlitePlaces.fresh()),
      await openForTest(await sqlitePlaces.fresh()),
    ];
    const signer = freshSigner();
    await recordRun(real, signer);
    const kept = (await real.read(RUN)).filter(({ type }) => type !== 'turn.sent');
    for (const [index, { command, type, data }] of kept.entries()) {
      must(
        await forged.append({ run: RUN, command, target: 'x', expectedSeq: index, events: [{ type, data }] }),
      );
    }
    const { problems } = await verifyRun(forged, RUN, { publicKeys: keysOf(signer) });
    expect(problems.map(({ code }) => code)).toContain('E_VERIFY_CHAIN');
  });

  test('events that were cut off are found when the head is known', async () => {
    const [real, cut] = [
      await openForTest(await sqlitePlaces.fresh()),
      await openForTest(await sqlitePlaces.fresh()),
    ];
    const signer = freshSigner();
    await recordRun(real, signer);
    const { head } = await verifyRun(real, RUN, { publicKeys: keysOf(signer) });
    const commits = (await real.commits(RUN)).slice(0, 3);
    const blobs = await Promise.all(
      commits.flatMap(({ blobs: names }) => names).map((hash) => real.getBlob(hash)),
    );
    const projections = [
      { name: 'steps', key: RUN, value: { count: 1 } },
      { name: 'journal.confidential', key: RUN, value: { turns: [], known: [] } },
    ];
    must(
      await cut.adopt({
        run: RUN,
        commits,
        blobs: blobs.filter((each) => each instanceof Uint8Array),
        projections,
      }),
    );
    expect(await verifyRun(cut, RUN, { publicKeys: keysOf(signer) })).toMatchObject({
      ok: true,
      open: ['turn_0'],
    });
    const verified = await verifyRun(cut, RUN, { publicKeys: keysOf(signer), ...(head && { head }) });
    expect(verified.problems.map(({ code }) => code)).toEqual(['E_VERIFY_HEAD']);
  });

  test('a state that does not follow from the log is found', async () => {
    const store = await openForTest(await sqlitePlaces.fresh());
    const signer = freshSigner();
    await recordRun(store, signer);
    const wrong = { ...steps, initial: { count: 1 } };
    const { problems } = await verifyRun(store, RUN, { publicKeys: keysOf(signer), states: [wrong] });
    expect(problems.map(({ code }) => code)).toEqual(['E_VERIFY_STATE']);
  });
});

/** The tables that hold a run. The layout's version and the leases are no record. */
const TABLES = ['cuebook_runs', 'cuebook_commits', 'cuebook_blobs', 'cuebook_refs', 'cuebook_projections'];
/** The columns that hold what was said: a flip there concerns a turn. */
const VALUES = ['body', 'data', 'hash', 'name', 'at'];

function flipped(value: Cell): Cell {
  if (value === null) return null;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value.slice(0, -1)}${value.endsWith('x') ? 'y' : 'x'}`;
  const bytes = Buffer.from(value);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}
