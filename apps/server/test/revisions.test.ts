import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInTurn } from '../../../test/runs.js';
import { must, type ServerStand, serverStand } from './server-stand.js';

const sheet = (word: string): string =>
  `blocks: [{ name: b, role: user, parts: [{ text: "${word} " }, { include: tone }] }]\n`;
const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** What `label set` writes of a sheet that includes one text. */
const hashOf = (files: Readonly<Record<string, string>>): string =>
  sha256(
    Object.entries(files)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, text]) => JSON.stringify([path, sha256(text)]))
      .join('\n'),
  );

describe('a target with a label or a revision', () => {
  const OLD = { 'sheets/a.yaml': sheet('one'), 'texts/tone.md': 'old\n' };
  let stand: ServerStand;
  let commit: string;
  beforeAll(async () => {
    stand = await serverStand({ files: OLD, git: true });
    commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: stand.project, encoding: 'utf8' }).trim();
    stand.write('sheets/a.yaml', sheet('two'));
    stand.write('texts/tone.md', 'new\n');
    const entry = { commit, hash: hashOf(OLD) };
    const moved = { commit, hash: hashOf({ ...OLD, 'texts/tone.md': 'other\n' }) };
    stand.write(
      'labels.yaml',
      JSON.stringify({ production: { 'sheet:a': entry }, staging: { 'sheet:a': moved } }),
    );
  });
  afterAll(() => stand?.remove());
  const render = async (target: string) => must(await stand.client.renderTarget({ target }));

  it('is rendered of the texts of then, and of no others', async () => {
    expect((await render('sheet:a')).now?.text).toBe('two new\n');
    expect((await render('sheet:a@production')).now?.text).toBe('one old\n');
    expect((await render(`sheet:a@${commit.slice(0, 12)}`)).now?.text).toBe('one old\n');
    for (const [target, code] of [
      ['sheet:a@staging', 'E_LABEL'],
      ['sheet:a@nowhere', 'E_REVISION'],
      ['sheet:a@--help', 'E_REVISION'],
      ['sheet:b@production', 'E_LABEL'],
      ['cake:a@production', 'E_TARGET'],
    ] as const) {
      expect(await render(target), target).toMatchObject({ now: null, diagnostics: [{ code }] });
    }
  });

  it('is not mixed with edits or with files that are open now', async () => {
    const edits = [{ path: 'texts/tone.md', text: 'mine\n' }];
    const edited = await stand.client.renderTarget({ target: 'sheet:a@production', edits });
    expect(edited).toMatchObject({ error: { status: 400, field: 'edits' } });
    const source = await stand.client.getSource({ target: 'sheet:a@production' });
    expect(source).toMatchObject({ error: { status: 400, field: 'target' } });
  });

  itInTurn('is run on the words of then, and the record has the files of then', async () => {
    const script = JSON.stringify({ lanes: { '*': [{ text: 'Yes.' }] } });
    const start = (target: string) =>
      stand.client.startRun({ target, provider: 'rehearsal', script, id: `start-${target}` });
    const { run } = must(await start('sheet:a@production'));
    const { now: then } = await render('sheet:a@production');
    const report = must(await stand.client.getReport({ run }));
    expect(report).toMatchObject({ target: 'sheet:a@production', detail: { hash: then?.hash } });
    for (const target of ['sheet:a@staging', 'sheet:a@nowhere', 'agent:a@production', 'team:a@production'])
      expect(await start(target), target).toMatchObject({ error: { status: expect.any(Number) } });
    expect(readFileSync(join(stand.project, 'texts/tone.md'), 'utf8')).toBe('new\n');
  });
});
