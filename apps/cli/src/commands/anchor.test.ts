import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { beforeEach, describe, expect, it as itAlways } from 'vitest';
import { newBucket } from '../../../../packages/bundle/test/bucket.js';
import { type CephKeys, sharedCeph } from '../../../../test/ceph.js';
import { describePart } from '../../../../test/part.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook } from '../../test/cuebook.js';
import { projectWithRuns } from '../../test/records.js';

let cwd = '';
let file = '';
beforeEach(async () => {
  ({ cwd } = await projectWithRuns());
  file = join(cwd, '.cuebook/journal.db');
  // The first command that opens the records begins the anchor.
  expect((await cuebook(['runs'], { cwd })).code).toBe(0);
});

const sql = (text: string) => {
  const database = new Database(file);
  database.exec(text);
  database.close();
};

const put = (text: string | undefined) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  if (text !== undefined) writeFileSync(file, text, { mode: 0o600 });
};

/** What is done to the records, and what `verify` says then. */
const LOSSES: readonly (readonly [string, () => void, readonly RegExp[]])[] = [
  ['emptied', () => put(undefined), [/run_alpha error E_VERIFY_REMOVED/, /run_beta error E_VERIFY_REMOVED/]],
  [
    'overwritten with nothing',
    () => put(''),
    [/run_alpha error E_VERIFY_REMOVED/, /run_beta error E_VERIFY_REMOVED/],
  ],
  [
    'without one of its runs',
    () => sql("PRAGMA foreign_keys = OFF; DELETE FROM cuebook_runs WHERE name = 'run_beta'"),
    [/run_beta error E_VERIFY_REMOVED run_beta is not in the journal any more: it had 2 events/],
  ],
  [
    'cut off at the end of a run',
    () =>
      sql(
        "DELETE FROM cuebook_commits WHERE position = (SELECT position FROM cuebook_runs WHERE name = 'run_beta')",
      ),
    [/run_beta, event 2 error E_VERIFY_ROLLBACK/],
  ],
];

describe('cuebook verify with an anchor', () => {
  it.each(LOSSES)('names what is gone from a journal that was %s', async (_name, lose, said) => {
    expect((await cuebook(['verify', '--all'], { cwd })).code).toBe(0);
    lose();
    for (const args of [['verify'], ['verify', '--all'], ['verify', 'run_beta']]) {
      const { code, stdout } = await cuebook(args, { cwd });
      expect(code).toBe(1);
      for (const line of args[1] === 'run_beta' ? said.filter(({ source }) => /beta/.test(source)) : said)
        expect(stdout).toMatch(line);
    }
    const json = await cuebook(['verify', '--all', '--json'], { cwd });
    expect(JSON.parse(json.stdout).ok).toBe(false);
    expect(json.code).toBe(1);
  });

  /** Exports the anchor, puts the whole home of before back, and looks for it with what was exported. */
  const findsEarlier = async (
    places: readonly (readonly [to: readonly string[], against: string])[],
    env: Readonly<Record<string, string>> = {},
  ) => {
    cpSync(join(cwd, '.cuebook'), join(cwd, 'earlier'), { recursive: true });
    const forget = ['runs', 'forget', 'run_beta@first', '--response', '--by', 'Ada'];
    expect((await cuebook(forget, { cwd })).code).toBe(0);
    const to = places.flatMap(([each]) => each);
    const exported = await cuebook(['anchor', 'export', ...to], { cwd, env });
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    const against = places.flatMap(([, each]) => ['--against', each]);
    expect((await cuebook(['verify', '--all', ...against], { cwd, env })).code).toBe(0);
    rmSync(join(cwd, '.cuebook'), { recursive: true });
    cpSync(join(cwd, 'earlier'), join(cwd, '.cuebook'), { recursive: true });
    expect((await cuebook(['verify', '--all'], { cwd })).code).toBe(0);
    for (const [, each] of places) {
      const { code, stdout } = await cuebook(['verify', '--against', each], { cwd, env });
      expect(code).toBe(1);
      expect(stdout).toMatch(/run_beta, event 3 error E_VERIFY_ROLLBACK run_beta ends at event 2/);
    }
  };

  itAlways(
    'finds an earlier copy of the whole home by an anchor that was exported, to a file, git and objects',
    async () => {
      execFileSync('git', ['init', '-q'], { cwd });
      execFileSync(
        'git',
        ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x'],
        { cwd },
      );
      await findsEarlier([
        [['--to', 'kept.jsonl'], 'kept.jsonl'],
        [['--git'], 'git'],
        [['--objects', 'objects:store'], 'objects:store'],
      ]);
    },
  );

  describePart('s3', 'in a bucket', () => {
    it('finds an earlier copy by an anchor that was exported to S3', async () => {
      const { bucket, endpoint, region, credentials } = await newBucket(await sharedCeph());
      const { accessKeyId, secretAccessKey } = credentials as CephKeys;
      const env = {
        CUEBOOK_S3_ACCESS_KEY_ID: accessKeyId,
        CUEBOOK_S3_SECRET_ACCESS_KEY: secretAccessKey,
        CUEBOOK_S3_REGION: region,
        CUEBOOK_S3_ENDPOINT: endpoint ?? '',
      };
      const where = `s3://${bucket}/records`;
      await findsEarlier([[['--objects', where], where]], env);
      const refused = await cuebook(['verify', '--against', where], {
        cwd,
        env: { ...env, CUEBOOK_S3_SECRET_ACCESS_KEY: 'another' },
      });
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain('E_OBJECT');
    });
  });

  it('says that an older anchor does not know of the newest events, and which runs it did not verify', async () => {
    const anchor = join(cwd, '.cuebook/anchor.jsonl');
    const older = readFileSync(anchor);
    const forget = ['runs', 'forget', 'run_beta@first', '--response', '--by', 'Ada'];
    expect((await cuebook(forget, { cwd })).code).toBe(0);
    const whole = await cuebook(['verify', '--all'], { cwd });
    expect([whole.code, whole.stderr]).toEqual([0, '']);
    writeFileSync(anchor, older);
    for (const args of [['verify'], ['verify', '--all'], ['verify', 'run_beta']]) {
      const { code, stderr } = await cuebook(args, { cwd });
      expect(code).toBe(0);
      expect(stderr).toContain('The anchor does not have the last 1 event of run_beta yet');
      expect(stderr.includes('other run')).toBe(args[1] !== '--all');
    }
    const json = await cuebook(['verify', '--json'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({ behind: [{ run: 'run_beta', events: 1 }] });
  });

  it('takes a removal by retention for what it is', async () => {
    const { stdout } = await cuebook(['runs', 'prune', '--older-than', '1m'], { cwd });
    expect(stdout).toContain('removed run_beta');
    expect((await cuebook(['verify', '--all'], { cwd })).code).toBe(0);
  });

  it('accepts a loss on record when a person says so, and keeps the old anchor', async () => {
    sql(
      'PRAGMA foreign_keys = OFF; DELETE FROM cuebook_commits WHERE run = 1; DELETE FROM cuebook_runs WHERE id = 1',
    );
    expect((await cuebook(['verify'], { cwd })).code).toBe(1);
    expect((await cuebook(['anchor', 'accept'], { cwd })).code).toBe(2);
    const said = await cuebook(['anchor', 'accept', '--by', 'Ada', '--reason', 'restored'], { cwd });
    expect(said.stdout).toMatch(/^Accepted by Ada\. What was anchored before is in anchor\.jsonl\.\d+\n$/);
    expect((await cuebook(['verify', 'run_alpha'], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, '.cuebook/anchor.jsonl'), 'utf8')).toContain('"by":"Ada"');
  });

  it('verifies a copy that may not be written, and a backup by its name', async () => {
    expect((await cuebook(['runs', 'backup', 'copy.db'], { cwd })).code).toBe(0);
    expect((await cuebook(['verify', '--all', '--file', 'copy.db'], { cwd })).code).toBe(0);
    const home = join(cwd, 'sealed');
    mkdirSync(home);
    for (const name of ['journal.db', 'anchor.jsonl'])
      copyFileSync(join(cwd, '.cuebook', name), join(home, name));
    cpSync(join(cwd, '.cuebook/keys'), join(home, 'keys'), { recursive: true });
    chmodSync(join(home, 'journal.db'), 0o444);
    chmodSync(home, 0o555);
    const { code, stderr } = await cuebook(['verify', '--all'], { cwd, env: { CUEBOOK_HOME: home } });
    expect(stderr).toContain('a copy of it was verified');
    expect(code).toBe(0);
    chmodSync(home, 0o755);
  });
});
