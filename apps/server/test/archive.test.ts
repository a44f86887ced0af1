import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { newBucket } from '../../../packages/bundle/test/bucket.js';
import { type Ceph, sharedCeph } from '../../../test/ceph.js';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { startWorker } from '../src/start/start-worker.js';
import { goOn, isStill, machine, must, problemsOf, script, until } from './machines.js';
import { startOptions } from './server-stand.js';

describePart('s3', 'versions of a project in an object store', () => {
  let [ceph, databases]: [Ceph?, Databases?] = [];
  beforeAll(async () => {
    [ceph, databases] = [await sharedCeph(), await sharedPostgres()];
  });

  it('a worker without git remote fetches the version of each run from the bucket, also one that a run is moved to', async () => {
    const { bucket, endpoint = '', region, credentials } = await newBucket(ceph as Ceph);
    const variables = {
      CUEBOOK_SOURCE: `s3://${bucket}/team`,
      CUEBOOK_S3_ENDPOINT: endpoint,
      CUEBOOK_S3_REGION: region,
      CUEBOOK_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      CUEBOOK_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
    const databaseUrl = await (databases as Databases).createDatabase();
    const first = machine(databaseUrl, undefined, { 'notes.md': 'the notes of then\n' }, variables);
    const project = join(first.root, 'project');
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
        cwd: project,
        encoding: 'utf8',
      }).trim();
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'One');
    const { client } = await first.up({ take: { parallel: 0 } });
    const worker = machine(databaseUrl, first.key(), { 'notes.md': 'notes of nobody\n' }, variables);
    await worker.work();
    const reads = { toolCalls: [{ name: 'fs.read', args: { path: '@project/notes.md' } }] };
    const steps = script(reads, { text: 'One.' }, reads, { text: 'Two.' });
    const target = 'workflow:workflows/hb';
    const { run } = must(await client.startRun({ id: 'a', target, input: 'Go.', script: steps }));
    await until(client, run, (each) => isStill(each) && each.turns === 2);
    writeFileSync(join(project, 'notes.md'), 'the notes of now\n');
    git('commit', '--quiet', '--all', '--message', 'Two');
    const commit = git('rev-parse', 'HEAD');
    must(await client.updateRun({ run, to: 'HEAD' }));
    await goOn(client, run);
    await until(client, run, (each) => isStill(each) && each.turns === 4);
    const { events } = must(await client.listEvents({ run, limit: 1_000 }));
    const at = events.findIndex(({ type }) => type === 'run.updated');
    expect(JSON.stringify(events.slice(0, at))).toContain('the notes of then');
    expect(JSON.stringify(events.slice(at))).toContain('the notes of now');
    expect(JSON.stringify(events)).not.toContain('notes of nobody');
    expect(existsSync(join(worker.root, 'home/workspaces/.versions', `${commit}.json`))).toBe(true);
    expect(await problemsOf(client, run)).toEqual([]);
  });

  it('a source that names a bucket without the keys of it keeps a process from starting, with what is missing', async () => {
    const databaseUrl = await (databases as Databases).createDatabase();
    const first = machine(databaseUrl);
    const { server } = await first.up();
    await server.close();
    const options = startOptions(first.root);
    const env = { ...first.env, CUEBOOK_SOURCE: 's3://somewhere/x', CUEBOOK_PROJECT_KEY: first.key() };
    expect(await startWorker({ ...options, env })).toMatchObject({
      ok: false,
      error: { code: 'E_OBJECT', message: expect.stringContaining('CUEBOOK_S3_ACCESS_KEY_ID') },
    });
  });
});
