import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it as itAlways } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { CONFIDENTIAL, projectWithRuns } from '../../test/records.js';
import { TEMPLATE } from '../init/template.js';

const json = (text: string) => JSON.parse(text);
const jsonLines = (text: string) => text.trimEnd().split('\n').map(json);

describe('without any record', () => {
  it.each([['runs'], ['log'], ['replay'], ['verify', '--all'], ['runs', 'prune', '--older-than', '1d']])(
    '%s %s says so and makes nothing',
    async (...args) => {
      const cwd = folderWith(TEMPLATE);
      const { code, stdout } = await cuebook(args, { cwd });
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'No runs are on record here yet.\n' });
      expect(existsSync(join(cwd, '.cuebook'))).toBe(false);
    },
  );

  it.each([['log'], ['replay'], ['verify'], ['runs', 'export']])(
    '%s %s of a run is a wrong call',
    async (...args) => {
      const { code, stderr } = await cuebook([...args, 'run_x'], { cwd: folderWith(TEMPLATE) });
      expect(code).toBe(2);
      expect(stderr).toContain('E_RUN_UNKNOWN');
    },
  );
});

it.each([['log'], ['replay'], ['verify'], ['explain', '--at', '1:1']])(
  '%s takes the newest run as `last`, also with its turn',
  async (command, ...flags) => {
    const { cwd } = await projectWithRuns();
    for (const turn of command === 'log' ? [''] : command === 'explain' ? ['@1', '@last'] : ['', '@1']) {
      const named = await cuebook([command, `run_alpha${turn}`, ...flags], { cwd });
      // What `verify` says of the other runs: beside the newest one, the anchor is compared with them too.
      const { stderr: _, ...own } = named;
      const last = await cuebook([command, `last${turn}`, ...flags], { cwd });
      expect(last).toMatchObject(command === 'verify' ? own : named);
      expect(named.code).toBeLessThan(2);
    }
  },
);

describe('cuebook runs', () => {
  itAlways('lists the newest first, with status, turns and the last event', async () => {
    const { cwd } = await projectWithRuns();
    const plain = await cuebook(['runs'], { cwd });
    expect(plain.stdout.split('\n').slice(0, 2)).toEqual([
      'run_alpha  open   2 turns, 1 without an end  last event 2026-01-02T03:04:10.000Z',
      'run_beta  ended  1 turn  last event 2026-01-02T03:04:07.000Z',
    ]);
    const { runs } = json((await cuebook(['runs', '--json'], { cwd })).stdout);
    expect(runs[0]).toMatchObject({
      run: 'run_alpha',
      status: 'open',
      turns: 2,
      events: 3,
      openTurns: ['two'],
    });
  });

  it('knows CUEBOOK_HOME', async () => {
    const { cwd } = await projectWithRuns();
    const env = { CUEBOOK_HOME: join(cwd, '.cuebook') };
    const { stdout } = await cuebook(['runs', '--json'], { cwd: folderWith(), env });
    expect(json(stdout).runs).toHaveLength(2);
  });

  it('answers a wrong action with what was meant', async () => {
    const { code, stderr } = await cuebook(['runs', 'exprt'], { cwd: folderWith(TEMPLATE) });
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean export?');
  });
});

describe('the name of a run', () => {
  it.each([
    { name: 'run_alpha', code: 0, says: 'one of planner' },
    { name: 'run_al', code: 0, says: 'one of planner' },
    { name: 'alpha', code: 0, says: 'one of planner' },
    { name: 'run_', code: 2, says: '2 runs begin with "run_"' },
    { name: 'run_alpah', code: 2, says: 'Did you mean run_alpha?' },
    { name: 'zzz', code: 2, says: '`cuebook runs` lists' },
  ])('$name: $says', async ({ name, code, says }) => {
    const { cwd } = await projectWithRuns();
    const outcome = await cuebook(['log', name], { cwd });
    expect(outcome.code).toBe(code);
    expect(outcome.stdout + outcome.stderr).toContain(says);
  });
});

describe('cuebook log', () => {
  itAlways('shows events as JSON lines with receipts in words, after a number', async () => {
    const { cwd } = await projectWithRuns();
    const events = jsonLines((await cuebook(['log', 'run_alpha', '--json'], { cwd })).stdout);
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'turn.recorded'],
      [2, 'turn.ended'],
      [3, 'turn.recorded'],
    ]);
    expect(events[0].data).toMatchObject({ turn: 'one', lane: 'planner', to: { provider: 'rehearsal' } });
    const later = jsonLines((await cuebook(['log', 'run_alpha', '--json', '--after', '2'], { cwd })).stdout);
    expect(later).toEqual(events.slice(2));
    expect((await cuebook(['log', '--after', 'x'], { cwd })).code).toBe(2);
  });

  it('follows until it is stopped', async () => {
    const { cwd } = await projectWithRuns();
    const stop = new AbortController();
    const outcome = await cuebook(['log', 'run_alpha', '--follow'], {
      cwd,
      stop: stop.signal,
      onPrint: (text) => {
        if (text.split('\n').length > 3) stop.abort();
      },
    });
    expect(outcome.code).toBe(0);
    expect(outcome.stdout.trimEnd().split('\n')).toHaveLength(3);
  });
});

describe('cuebook replay', () => {
  itAlways('gives one turn back as the render document, confidential text masked', async () => {
    const { cwd } = await projectWithRuns();
    const { stdout, code } = await cuebook(['replay', 'run_alpha@one', '--json'], { cwd });
    expect(code).toBe(0);
    expect(stdout).not.toContain(CONFIDENTIAL);
    const document = json(stdout);
    expect(document.blocks.map(({ text }: { text: string }) => text)).toEqual([
      'House rule: [confidential]',
      'Task: one',
    ]);
    expect(document.record).toMatchObject({ run: 'run_alpha', turn: 'one', lane: 'planner', delta: null });
    expect(document.record.end.text).toBe('Done with one; the rule says: [confidential]');
    const revealed = json((await cuebook(['replay', 'run_alpha@1', '--json', '--reveal'], { cwd })).stdout);
    expect(revealed.blocks[0].text).toBe(`House rule: ${CONFIDENTIAL}`);
    expect(revealed.hash).toBe(document.hash);
  });

  it('tells a delta, and a turn without an end', async () => {
    const { cwd } = await projectWithRuns();
    const { stdout } = await cuebook(['replay', 'run_alpha@last'], { cwd });
    expect(stdout).toContain('── sent as a delta');
    expect(stdout).toContain('Task: only this');
    expect(stdout).toContain('ended   not on record: open or interrupted');
    expect(stdout).not.toContain(CONFIDENTIAL);
  });

  it('gives back every turn of a run', async () => {
    const { cwd } = await projectWithRuns();
    const documents = jsonLines((await cuebook(['replay', 'run_alpha', '--json'], { cwd })).stdout);
    expect(documents.map(({ record }) => record.turn)).toEqual(['one', 'two']);
    const { code, stderr } = await cuebook(['replay', 'run_alpha@tow'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean two?');
  });
});

describe('cuebook verify', () => {
  itAlways('answers yes, with the head to note', async () => {
    const { cwd } = await projectWithRuns();
    const { code, stdout } = await cuebook(['verify', '--all'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✓ run_beta 2 events, 1 turn sha256:/);
    const { runs } = json((await cuebook(['verify', 'run_alpha', '--json'], { cwd })).stdout);
    const kept = await cuebook(['verify', 'run_alpha', '--head', runs[0].head], { cwd });
    expect(kept.code).toBe(0);
    const lost = await cuebook(['verify', 'run_alpha', '--head', `sha256:${'0'.repeat(64)}`], { cwd });
    expect(lost.code).toBe(1);
    expect(lost.stdout).toContain('E_VERIFY_HEAD');
  });

  it('answers no for a flipped byte, and names the turn', async () => {
    const { cwd } = await projectWithRuns();
    const database = new Database(join(cwd, '.cuebook/journal.db'));
    const row = database.prepare('SELECT id, data FROM cuebook_blobs LIMIT 1').get() as {
      id: number;
      data: Buffer;
    };
    const bytes = Buffer.from(row.data);
    bytes[3] = (bytes[3] ?? 0) ^ 1;
    database.prepare('UPDATE cuebook_blobs SET data = ? WHERE id = ?').run([bytes, row.id]);
    database.close();
    const { code, stdout } = await cuebook(['verify', 'run_beta'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/run_beta@first/);
    expect((await cuebook(['replay', 'run_beta@first'], { cwd })).code).toBe(1);
  });

  it('does not believe a key that it does not know', async () => {
    const { cwd, publicKey } = await projectWithRuns();
    writeFileSync(join(cwd, 'theirs.pub'), publicKey);
    const own = join(cwd, '.cuebook/keys/journal.ed25519.pub');
    writeFileSync(own, '');
    const damaged = await cuebook(['verify', 'run_beta'], { cwd });
    expect(damaged.code).toBe(1);
    expect(damaged.stdout).toContain('the key keys/journal.ed25519.pub cannot be used');
    writeFileSync(join(cwd, 'bad.pub'), 'nothing');
    const { rmSync } = await import('node:fs');
    rmSync(own);
    const strange = await cuebook(['verify', 'run_beta'], { cwd });
    expect(strange.code).toBe(1);
    expect(strange.stdout).toContain('E_VERIFY_KEY');
    expect((await cuebook(['verify', 'run_beta', '--key', 'theirs.pub'], { cwd })).code).toBe(0);
    expect((await cuebook(['verify', 'run_beta', '--key', 'bad.pub'], { cwd })).code).toBe(2);
  });
});

describe('carrying runs elsewhere', () => {
  itAlways('exports a run and imports it where its key is trusted', async () => {
    const { cwd, keyId } = await projectWithRuns();
    const out = await cuebook(['runs', 'export', 'run_alpha', '--out', 'alpha.jsonl'], { cwd });
    expect(out.code).toBe(0);
    expect(statSync(join(cwd, 'alpha.jsonl')).mode & 0o777).toBe(0o600);
    const text = readFileSync(join(cwd, 'alpha.jsonl'), 'utf8');
    expect((await cuebook(['runs', 'export', 'run_alpha'], { cwd })).stdout).toBe(text);
    const other = folderWith({ ...TEMPLATE, 'alpha.jsonl': text });
    const refused = await cuebook(['runs', 'import', 'alpha.jsonl'], { cwd: other });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`--trust ${keyId}`);
    const taken = await cuebook(['runs', 'import', '-', '--trust', keyId], { cwd: other, input: text });
    expect(taken).toMatchObject({ code: 0, stdout: 'Imported: run_alpha, 3 events\n' });
    expect((await cuebook(['runs', 'import', 'alpha.jsonl'], { cwd: other })).stdout).toContain(
      'Here already',
    );
    expect((await cuebook(['verify', '--all'], { cwd: other })).code).toBe(0);
    const broken = await cuebook(['runs', 'import', '-'], {
      cwd: other,
      input: text.replace('Task: two', 'Task: 222'),
    });
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain('E_IMPORT_FORMAT');
  });

  it('verifies an exported run where it lies, and names what was changed in it', async () => {
    const { cwd } = await projectWithRuns();
    const text = (await cuebook(['runs', 'export', 'run_alpha'], { cwd })).stdout;
    writeFileSync(join(cwd, 'alpha.jsonl'), text);
    expect((await cuebook(['verify', '--file', 'alpha.jsonl'], { cwd })).stdout).toMatch(
      /^✓ run_alpha 3 events/,
    );
    const input = text.replace('Task: two', 'Task: 222');
    const { code, stdout } = await cuebook(['verify', '--file', '-'], { cwd, input });
    expect(code).toBe(1);
    expect(stdout).toContain('run_alpha@two, event 3, block task error E_VERIFY_TURN');
  });

  itAlways(
    'replaces the key, and what the old one signed still verifies, also from a backup with the old key',
    async () => {
      const { cwd, keyId, publicKey } = await projectWithRuns();
      const { from, to } = json((await cuebook(['keys', 'rotate', '--json'], { cwd })).stdout);
      expect(from).toBe(keyId);
      expect((await cuebook(['keys'], { cwd })).stdout).toMatch(new RegExp(`^${to} signs\n${from} replaced`));
      expect((await cuebook(['verify', '--all'], { cwd })).code).toBe(0);
      expect((await cuebook(['runs', 'backup', 'copy.db'], { cwd })).code).toBe(0);
      const other = folderWith({ ...TEMPLATE, 'old.pub': publicKey });
      const verify = ['verify', '--all', '--file', join(cwd, 'copy.db')];
      expect((await cuebook(verify, { cwd: other })).code).toBe(1);
      expect((await cuebook([...verify, '--key', 'old.pub'], { cwd: other })).code).toBe(0);
    },
  );

  itAlways('backs up and restores the journal', async () => {
    const { cwd } = await projectWithRuns();
    expect((await cuebook(['runs', 'backup', 'copy.db'], { cwd })).code).toBe(0);
    expect(statSync(join(cwd, 'copy.db')).mode & 0o777).toBe(0o600);
    const other = folderWith(TEMPLATE);
    const restored = await cuebook(['runs', 'restore', join(cwd, 'copy.db')], { cwd: other });
    expect(restored).toMatchObject({ code: 0, stdout: 'Restored 2 runs\n' });
    const again = await cuebook(['runs', 'restore', join(cwd, 'copy.db')], { cwd: other });
    expect(again.code).toBe(3);
    expect(again.stderr).toContain('E_JOURNAL_FOREIGN');
  });
});

describe('letting go', () => {
  itAlways('forgets a block on request and says so', async () => {
    const { cwd } = await projectWithRuns();
    const forget = ['runs', 'forget', 'run_beta@first', '--block', 'task'];
    expect((await cuebook(forget, { cwd })).code).toBe(2);
    expect((await cuebook([...forget, '--by', 'Ada', '--reason', 'asked to'], { cwd })).code).toBe(0);
    const { stdout } = await cuebook(['replay', 'run_beta@first'], { cwd });
    expect(stdout).toContain('deleted task, on request of Ada: asked to');
    expect(stdout).not.toContain('Task: first');
    expect((await cuebook(['verify', 'run_beta'], { cwd })).code).toBe(0);
    const strange = await cuebook(['runs', 'forget', 'beta@1', '--block', 'x', '--by', 'Ada'], { cwd });
    expect(strange.code).toBe(2);
    expect(strange.stderr).toContain('It has rules, task');
  });

  itAlways('prunes by age, never an open run, and only tells with --dry-run', async () => {
    const { cwd } = await projectWithRuns();
    const dry = await cuebook(['runs', 'prune', '--older-than', '1d', '--dry-run'], { cwd });
    expect(dry.stdout).toContain('would remove run_beta');
    const { stdout } = await cuebook(['runs', 'prune', '--older-than', '1d', '--json'], { cwd });
    expect(json(stdout)).toMatchObject({ removed: ['run_beta'], kept: ['run_alpha'] });
    expect((await cuebook(['runs', 'prune'], { cwd })).code).toBe(2);
    expect((await cuebook(['runs', 'prune', '--older-than', 'x'], { cwd })).code).toBe(2);
    expect((await cuebook(['runs', 'prune', '--max-size', '5XB'], { cwd })).code).toBe(2);
  });
});
