import type { JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { openForTest, sqlitePlaces } from '../../test/places.js';
import { block, freshSigner, keysOf, must, requestOf } from '../../test/turns.js';
import type { RunId, Store } from '../contract.js';
import { forgetContent } from '../retain/forget.js';
import type { Signer } from '../turn/key/key.js';
import { rebuildTurn } from '../turn/rebuild.js';
import { createRecorder } from '../turn/recorder.js';
import { verifyRun } from '../verify/verify-run.js';
import { exportRun } from './export-run.js';
import { importRun } from './import-run.js';

const RUN = 'run_a' as RunId;
const fresh = async (): Promise<Store> => openForTest(await sqlitePlaces.fresh());

async function recorded(signer: Signer): Promise<Store> {
  const store = await fresh();
  const recorder = createRecorder({ store, signer });
  const projections = [{ name: 'state', key: RUN, value: { on: true } }];
  const events = [{ type: 'run.started', data: {} }];
  must(await store.append({ run: RUN, command: 'start', target: 'x', expectedSeq: 0, events, projections }));
  for (const turn of ['t1', 't2']) {
    const media = [{ type: 'image/png', data: 'iVBORw0KGgo=' }];
    const request = requestOf([block('task', `Do ${turn}, please; γ.`), block('look', 'at this', { media })]);
    must(await recorder.record({ run: RUN, turn, lane: 'l', request, provider: 'rehearsal' }));
    must(await recorder.end({ run: RUN, turn, reason: 'done', text: `Done with ${turn}. `.repeat(10) }));
  }
  return store;
}

async function exported(store: Store, signer: Signer): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of exportRun(store, RUN, { publicKeys: keysOf(signer) })) lines.push(line);
  return lines.map((line) => line.replace(/\n$/, ''));
}

/** The states that a store has, but for those of runs that are brought. */
const photographed = async (store: Store) =>
  Promise.all(
    ['standings', 'engine.state', 'approvals', 'platform.token', 'state'].map(async (name) =>
      [...(await store.projections(name))].filter(
        ([key, value]) => !/^run_c|"run":"run_c/.test(`${key}${JSON.stringify(value)}`),
      ),
    ),
  );

async function* linesOf(lines: readonly string[]): AsyncIterable<string> {
  yield* lines;
}

describe('a run as one file', () => {
  test('is the same run in another store, and importing it twice is the same as once', async () => {
    const signer = freshSigner();
    const [from, to] = [await recorded(signer), await fresh()];
    const lines = await exported(from, signer);
    const publicKeys = keysOf(signer);
    expect(must(await importRun(to, linesOf(lines), { publicKeys }))).toMatchObject({
      run: RUN,
      lastSeq: 5,
      repeated: false,
    });
    expect(must(await importRun(to, linesOf(lines), { publicKeys })).repeated).toBe(true);
    expect(await to.head(RUN)).toEqual(await from.head(RUN));
    expect(await to.projection('state', RUN)).toEqual({ on: true });
    expect(await verifyRun(to, RUN, { publicKeys })).toMatchObject({ ok: true, turns: 2 });
    const [before, after] = [await rebuildTurn(from, RUN, 't2'), await rebuildTurn(to, RUN, 't2')];
    expect(after).toEqual(before);
    expect(await exported(to, signer)).toEqual(lines);
  });

  test('changed in any one place it is refused whole', async () => {
    const signer = freshSigner();
    const from = await recorded(signer);
    const lines = await exported(from, signer);
    const to = await fresh();
    const text = lines.join('\n');
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom('x', '0', '"', '', '\n'), async (at, put) => {
        const changed = `${text.slice(0, at)}${put}${text.slice(at + 1)}`;
        fc.pre(changed !== text);
        const result = await importRun(to, linesOf(changed.split('\n')), { publicKeys: keysOf(signer) });
        expect(result.ok).toBe(false);
        expect(await to.runs()).toEqual([]);
      }),
      runs(150, 5_000),
    );
  });

  test('with a sum that was computed again, what was changed is still found', async () => {
    const signer = freshSigner();
    const lines = await exported(await recorded(signer), signer);
    const { createHash } = await import('node:crypto');
    const changes: readonly [string, (line: string) => string, string][] = [
      ['a word of a prompt', (line) => line.replace('Do t2, please', 'Do t2, at once'), 'E_IMPORT_FORMAT'],
      ['how a turn ended', (line) => line.replace('["d",', '["e",'), 'E_IMPORT_REFUSED'],
      ['another event', (line) => line.replace('run.started', 'run.stopped'), 'E_IMPORT_REFUSED'],
      ['a state', (line) => line.replace('{"on":true}', '{"on":false}'), 'E_IMPORT_REFUSED'],
      ['the version', (line) => line.replace('"version":1', '"version":2'), 'E_IMPORT_VERSION'],
    ];
    for (const [what, change, code] of changes) {
      const body = lines.slice(0, -1).map(change);
      expect(body, what).not.toEqual(lines.slice(0, -1));
      const sum = createHash('sha256')
        .update(body.map((line) => `${line}\n`).join(''))
        .digest('hex');
      const file = [...body, JSON.stringify({ end: `sha256:${sum}` })];
      const result = await importRun(await fresh(), linesOf(file), { publicKeys: keysOf(signer) });
      expect(result, what).toMatchObject({ ok: false, error: { code } });
    }
  });

  test('brings nothing but what is about itself: no state of another run, of the project or of its platform', async () => {
    const signer = freshSigner();
    const to = await recorded(signer);
    const other = 'run_b' as RunId;
    must(
      await to.append({
        ...{ run: other, command: 'start', target: 'x', expectedSeq: 0 },
        events: [{ type: 'run.started', data: {} }],
        projections: [
          { name: 'standings', key: other, value: { status: 'done' } },
          { name: 'platform.token', key: 'tok', value: { id: 'tok', role: 'viewer' } },
        ],
      }),
    );
    const before = await photographed(to);
    let count = 0;
    const names = fc.constantFrom(
      'standings',
      'engine.state',
      'approvals',
      'platform.token',
      'takes',
      'view',
    );
    const keys = fc.constantFrom('OWN', 'OWN/apr_1', 'OWNx', 'run_b', 'run_b/apr_1', 'tok', 'run_', 'k');
    const values = fc.constantFrom<JsonValue>(null, 'x', {}, { run: 'OWN' }, { run: 'run_b' }, ['OWN']);
    await fc.assert(
      fc.asyncProperty(names, keys, values, fc.boolean(), async (name, keyIn, valueIn, isLate) => {
        const from = await fresh();
        count += 1;
        const run = `run_c${count}` as RunId;
        const key = keyIn.replace('OWN', run);
        const value = JSON.parse(JSON.stringify(valueIn).replace('OWN', run)) as JsonValue;
        const states = [{ name, key, value }];
        const start = { run, command: 'start', target: 'x', expectedSeq: 0 };
        const events = [{ type: 'run.started', data: {} }];
        const first = isLate ? [{ ...states[0], value: 1 } as (typeof states)[number]] : states;
        must(await from.append({ ...start, events, projections: first }));
        if (isLate)
          must(await from.append({ ...start, command: 'b', expectedSeq: 1, events, projections: states }));
        const lines: string[] = [];
        for await (const line of exportRun(from, run, { publicKeys: keysOf(signer) }))
          lines.push(line.trimEnd());
        const done = await importRun(to, linesOf(lines), { publicKeys: keysOf(signer) });
        const isKey = key === run || key.startsWith(`${run}/`);
        const isValue = !key.startsWith('run_') && (value as { run?: string } | null)?.run === run;
        expect(done.ok).toBe(name !== 'platform.token' && (isKey || isValue));
        if (!done.ok) expect(done.error).toMatchObject({ code: 'E_IMPORT_REFUSED' });
        expect(await photographed(to)).toEqual(before);
      }),
      runs(150, 3_000),
    );
  });

  test('cut off anywhere it is refused', async () => {
    const signer = freshSigner();
    const lines = await exported(await recorded(signer), signer);
    const to = await fresh();
    for (let count = 0; count < lines.length; count += 1) {
      const result = await importRun(to, linesOf(lines.slice(0, count)), { publicKeys: keysOf(signer) });
      expect(result).toMatchObject({ ok: false, error: { code: 'E_IMPORT_FORMAT' } });
    }
  });

  test('signed with a key that is not known here it waits for somebody who says so', async () => {
    const signer = freshSigner();
    const lines = await exported(await recorded(signer), signer);
    const to = await fresh();
    const strange = { publicKeys: keysOf(freshSigner()) };
    expect(await importRun(to, linesOf(lines), strange)).toMatchObject({
      ok: false,
      error: { code: 'E_IMPORT_KEY', keys: [signer.fingerprint] },
    });
    const trusted = must(await importRun(to, linesOf(lines), { ...strange, trust: [signer.fingerprint] }));
    expect(trusted.trusted).toEqual({ [signer.fingerprint]: signer.publicKey });
  });

  test('content that was deleted stays deleted', async () => {
    const signer = freshSigner();
    const [from, to] = [await recorded(signer), await fresh()];
    must(await forgetContent(from, { run: RUN, turn: 't1', blocks: ['task'], by: 'Ada' }));
    const lines = await exported(from, signer);
    expect(lines.join('\n')).not.toContain('Do t1, please');
    must(await importRun(to, linesOf(lines), { publicKeys: keysOf(signer) }));
    expect(await verifyRun(to, RUN, { publicKeys: keysOf(signer) })).toMatchObject({
      ok: true,
      problems: [],
    });
    expect(must(await rebuildTurn(to, RUN, 't1')).forgotten.map(({ part }) => part)).toEqual(['task']);
  });
});
