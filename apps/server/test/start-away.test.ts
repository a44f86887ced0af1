import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it, share } from '../../../test/runs.js';
import { type Databases, sharedPostgres, withClient } from '../../../test/shared-postgres.js';
import { type SlowLine, slowLine } from '../../../test/slow-line.js';
import { startServer } from '../src/start/start-server.js';
import { startWorker } from '../src/start/start-worker.js';
import { makeProject, startOptions } from './server-stand.js';

/** Starts a process and ends it; the code of why it did not start. */
type Start = (options: Parameters<typeof startWorker>[0], onUp: () => void) => Promise<string | undefined>;

const STARTS: readonly (readonly [name: string, start: Start])[] = [
  [
    'a server',
    async (options, onUp) => {
      const started = await startServer(options);
      onUp();
      if (!started.ok) return started.error.code;
      await started.value.close();
      return undefined;
    },
  ],
  [
    'a worker',
    async (options, onUp) => {
      const started = await startWorker(options);
      onUp();
      if (!started.ok) return started.error.code;
      await started.value.drain();
      return undefined;
    },
  ],
];

describePart('postgres', 'a process that starts while its database goes away', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  /** A project that is there, reached over a line. */
  const project = async (): Promise<{
    line: SlowLine;
    databaseUrl: string;
    options: Parameters<Start>[0];
  }> => {
    const databaseUrl = await server.createDatabase();
    const line = await slowLine(databaseUrl);
    const { root, home } = makeProject();
    onTestFinished(async () => {
      await line.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    });
    const given = startOptions(root);
    const env = { ...given.env, CUEBOOK_DATABASE_URL: line.url };
    const first = await startServer({ ...given, env });
    if (!first.ok) throw new Error(JSON.stringify(first.error));
    await first.value.close();
    const key = readFileSync(join(home, 'keys/project.key'), 'utf8').trim();
    return {
      line,
      databaseUrl,
      options: { ...given, drainMs: 1_000, env: { ...env, CUEBOOK_PROJECT_KEY: key } },
    };
  };
  /** Nothing of it is left that would keep the process alive. */
  const isGone = async ({ open }: SlowLine): Promise<void> => {
    while (open() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  it.each(STARTS)(
    '%s says so and lets go of everything, wherever in its start that is',
    async (_name, start) => {
      const { line, options } = await project();
      const before = line.sent();
      let whole = 0;
      expect(
        await start(options, () => {
          whole = line.sent() - before;
        }),
      ).toBeUndefined();
      await isGone(line);
      const steps = share(3, whole);
      const came = new Set<string | undefined>();
      for (let step = 0; step < steps; step += 1) {
        line.sever(Math.floor(((step + 0.5) * whole) / steps));
        came.add(await start(options, line.fix));
        line.fix();
        await isGone(line);
      }
      came.delete(undefined);
      expect([...came]).toEqual(['E_JOURNAL_UNAVAILABLE']);
      expect(await start(options, () => undefined)).toBeUndefined();
    },
  );

  it.each(STARTS)(
    '%s says so and lets go of everything when the database takes no writes',
    async (_name, start) => {
      const { line, databaseUrl, options } = await project();
      const name = new URL(databaseUrl).pathname.slice(1);
      const setTo = (value: 'on' | 'off') =>
        withClient(server.url, (client) =>
          client.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${value}`),
        );
      await setTo('on');
      expect(await start(options, () => undefined)).toBe('E_JOURNAL_UNAVAILABLE');
      await isGone(line);
      await setTo('off');
      expect(await start(options, () => undefined)).toBeUndefined();
    },
  );
});
