import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { compilePackage } from '../../../../test/compile.js';
import { itInTurn as it, sampled } from '../../../../test/runs.js';
import { scratchFolder } from '../../test/places.js';
import { batch } from '../../test/write.js';
import { setLayout } from '../schema/migrate.js';
import { SCHEMA_VERSION, STEPS } from '../schema/steps.js';
import { openStore } from '../store/open.js';
import { openSqlite, SQLITE_TABLES } from './driver.js';

let built: ReturnType<typeof compilePackage>;
beforeAll(() => {
  built = compilePackage('journal');
});
afterAll(() => built.remove());

const CHILD = fileURLToPath(new URL('../../test/migrate-child.mjs', import.meta.url));
const OPTIONS = { now: Date.now, pollMs: 1_000, busyMs: 10_000 };
const POINTS = Array.from({ length: SCHEMA_VERSION }, (_, layout) => layout).flatMap((layout) => {
  const count = STEPS.slice(layout).flatMap((step) => step(SQLITE_TABLES.types)).length;
  // The last one is the version itself.
  return Array.from({ length: count + 1 }, (_, statement) => ({ layout, statement }));
});

it('a process that is killed at any statement of a migration leaves the old layout whole, and the next one ends it', async () => {
  for (const { layout, statement } of sampled(POINTS, 4)) {
    const file = join(scratchFolder(), 'journal.db');
    writeFileSync(file, '', { mode: 0o600 });
    const driver = await openSqlite(file, OPTIONS);
    if (layout > 0)
      await driver.write(async (session) => {
        await setLayout(session, SQLITE_TABLES, layout);
        return { keep: true, value: undefined };
      });
    await driver.close();
    const killed = spawnSync(process.execPath, [CHILD, built.url, file, String(statement)], {
      encoding: 'utf8',
    });
    expect(killed.signal, `${layout} ${statement} ${killed.stderr}`).toBe('SIGKILL');
    const after = await openSqlite(file, { ...OPTIONS, isReading: true });
    const tables = (await after.rows(SQLITE_TABLES.list)).length;
    const [row] =
      tables === 0 ? [] : await after.rows("SELECT value FROM cuebook_meta WHERE name = 'schema'");
    expect(Number(row?.[0] ?? 0)).toBe(layout);
    await after.close();
    const opened = await openStore({ file });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    expect(opened.value.schemaVersion).toBe(SCHEMA_VERSION);
    expect(await opened.value.append(batch())).toMatchObject({ ok: true });
    await opened.value.close();
  }
});
