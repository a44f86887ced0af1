import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { LogReadOptions, RunId, StoredEvent } from '../contract.js';
import { connect } from '../sqlite/connection.js';
import { openStore } from './open.js';
import type { SqlSession } from './port/driver.js';
import { readAll, readRun } from './read.js';

/** Commits in the order in which they are written: the run of each, and how many events it has. */
const commits = fc.array(fc.tuple(fc.constantFrom('run_a', 'run_b'), fc.integer({ min: 0, max: 90 })), {
  minLength: 1,
  maxLength: 40,
});

it('reading page by page gives every event once, and reads no commit more often than its events have pages', async () => {
  await fc.assert(
    fc.asyncProperty(commits, fc.integer({ min: 1, max: 120 }), async (written, limit) => {
      const folder = mkdtempSync(join(tmpdir(), 'cuebook-read-'));
      try {
        const file = join(folder, 'journal.db');
        const opened = await openStore({ file });
        if (!opened.ok) throw new Error(opened.error.code);
        const seqs = new Map<string, number>();
        for (const [at, [run, size]] of written.entries()) {
          const expectedSeq = seqs.get(run) ?? 0;
          const events = Array.from({ length: size }, (_, n) => ({ type: 'x', data: { at, n } }));
          const batch = { run: run as RunId, command: `c${at}`, target: 't', expectedSeq, events };
          expect(await opened.value.append(batch)).toMatchObject({ ok: true });
          seqs.set(run, expectedSeq + size);
        }
        await opened.value.close();
        const connection = connect(file);
        let rows = 0;
        const session: SqlSession = {
          async rows(sql, values) {
            const found = connection.run(sql, values);
            rows += found.length;
            return found;
          },
        };
        const named = ([at, n]: readonly [number, number]): string => `${at}/${n}`;
        const wanted = (of: (run: string) => boolean): readonly string[] =>
          written.flatMap(([run, size], at) =>
            of(run) ? Array.from({ length: size }, (_, n) => named([at, n])) : [],
          );
        // At the end of a page one commit is read that goes on behind it, with those without events that follow it.
        const empty = written.filter(([, size]) => size === 0).length;
        const most = (pages: number): number => written.length + pages * (1 + empty);
        const inPages = async (
          read: (options: LogReadOptions) => Promise<readonly StoredEvent[]>,
          cursor: (event: StoredEvent) => number,
        ): Promise<{ readonly told: readonly string[]; readonly pages: number }> => {
          const told: string[] = [];
          rows = 0;
          for (let [after, pages] = [0, 1]; ; pages += 1) {
            const page = await read({ after, limit });
            for (const { data } of page) told.push(named(Object.values(data as object) as [number, number]));
            if (page.length < limit) return { told, pages };
            after = cursor(page.at(-1) as StoredEvent);
          }
        };
        for (const run of ['run_a', 'run_b']) {
          const { told, pages } = await inPages(
            (options) => readRun(session, run as RunId, options),
            ({ seq }) => seq,
          );
          expect(told).toEqual(wanted((each) => each === run));
          expect(rows).toBeLessThanOrEqual(most(pages));
        }
        const { told, pages } = await inPages(
          (options) => readAll(session, options),
          ({ position }) => position,
        );
        expect(told).toEqual(wanted(() => true));
        expect(rows).toBeLessThanOrEqual(most(pages));
        connection.close();
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    runs(40, 300),
  );
});
