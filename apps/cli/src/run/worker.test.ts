import { beforeAll, expect, it } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { type Databases, sharedPostgres } from '../../../../test/shared-postgres.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const FILES = {
  'cuebook.yaml': '{}\n',
  'one.yaml': 'nodes: [{ alias: lead, label: Lead, role: orchestrator }]\n',
  'script.yaml': `lanes:
  lead:
    - text: |
        {"tool_call":{"name":"finish_run","args":{"ok":true,"summary":"Done."}}}
`,
};

describePart('postgres', 'a worker with the key that a person was told', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('does the work of a server that takes none', async () => {
    const database = { CUEBOOK_DATABASE_URL: await server.createDatabase() };
    const ending = new AbortController();
    /** What a command that goes on prints first, and its end. */
    const begin = async (args: readonly string[], at: { readonly cwd: string; readonly env: object }) => {
      let end: Promise<unknown> = Promise.resolve();
      const first = await new Promise<string>((resolve, reject) => {
        const onPrint = (text: string): void => void (text.trimEnd().endsWith('}') && resolve(text));
        end = cuebook([...args, '--json'], { ...at, env: { ...at.env }, stop: ending.signal, onPrint }).then(
          (outcome) => reject(new Error(outcome.stderr)),
        );
      });
      return { said: JSON.parse(first) as Readonly<Record<string, unknown>>, end };
    };
    const home = { cwd: folderWith(FILES), env: database };
    const up = await begin(['up', '--port', '0', '--parallel', '0'], home);
    const shared = await cuebook(['keys', 'share'], home);
    expect(shared.code, shared.stderr).toBe(0);
    const away = { cwd: folderWith(FILES), env: { ...database, CUEBOOK_PROJECT_KEY: shared.stdout.trim() } };
    const worker = await begin(['worker'], away);
    expect(worker.said).toMatchObject({ worker: expect.stringMatching(/^worker-[0-9a-f]{10}$/) });
    const ran = await cuebook(
      ['run', 'team:one.yaml', '--goal', 'Go', '--script', 'script.yaml', '--json'],
      home,
    );
    const { run, status } = JSON.parse(ran.stdout) as Readonly<Record<string, string>>;
    expect([run, status]).toEqual([expect.stringMatching(/^run_[0-9a-f]{24}$/), 'done']);
    expect(await cuebook(['verify', String(run)], home)).toMatchObject({ code: 0 });
    ending.abort();
    await Promise.allSettled([up.end, worker.end]);
  });
});
