import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect } from 'vitest';
import { itInTurn as it, runs } from '../../../../test/runs.js';
import { openForTest, sqlitePlaces } from '../../test/places.js';
import { batch, must, problemsOf } from '../../test/write.js';
import type { RunId, Store } from '../contract.js';

const VISITOR = fileURLToPath(new URL('../../test/visitor.mjs', import.meta.url));

/** How many commits another process finds that comes and leaves. */
const visit = (file: string): number =>
  Number(execFileSync(process.execPath, ['--expose-gc', VISITOR, file], { encoding: 'utf8' }));

it('however often a process opens and closes a journal, and whoever else comes and leaves: what it has acknowledged is there for everybody', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('open', 'open', 'close', 'write', 'write', 'visit'), { maxLength: 12 }),
      async (acts) => {
        const place = await sqlitePlaces.fresh();
        const file = 'file' in place ? place.file : '';
        const open: Store[] = [await openForTest(place)];
        let written = 0;
        // The shortest way to lose the locks of a connection, and then whatever comes.
        for (const act of ['open', 'visit', 'write', 'visit', ...acts]) {
          if (act === 'open') open.push(...(await Promise.all([openForTest(place), openForTest(place)])));
          else if (act === 'close' && open.length > 1) await open.shift()?.close();
          else if (act === 'visit') expect(visit(file)).toBe(written);
          else if (act === 'write') {
            written += 1;
            const store = open[written % open.length] as Store;
            must(await store.append(batch({ run: `run_${written}` as RunId })));
          }
        }
        expect(visit(file)).toBe(written);
        for (const store of open) {
          expect(await problemsOf(store)).toEqual([]);
          await store.close();
        }
        expect(visit(file)).toBe(written);
      },
    ),
    runs(30, 300),
  );
});
