import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blame, isoDate, parsePorcelain } from '@cuebook/workspace/history';
import { expect, it as itAlways } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { commitAll, git } from '../../test/git.js';
import { TEMPLATE } from '../init/template.js';
import { askGit } from './git.js';
import { requireCommit, revisionSource } from './source.js';

const TONE = 'texts/tone.md';

/** A checkout whose project lies in `desk/`, with two commits: the second changes the shared tone. */
function checkout(): { readonly top: string; readonly desk: string } {
  const top = folderWith(
    Object.fromEntries(Object.entries(TEMPLATE).map(([path, text]) => [`desk/${path}`, text])),
  );
  commitAll(top, 'Start');
  const desk = join(top, 'desk');
  writeFileSync(join(desk, TONE), `${TEMPLATE[TONE]}- You must never joke.\n`);
  commitAll(top, 'No jokes');
  return { top, desk };
}

describePart('git', 'a revision', () => {
  it('is a source of texts by the rules of every source', async () => {
    const { desk } = checkout();
    const source = await revisionSource(desk, 'HEAD~1');
    expect(await source.readText(TONE)).toEqual({ ok: true, value: TEMPLATE[TONE] });
    expect(await source.readText(`./texts/../${TONE}`)).toEqual({ ok: true, value: TEMPLATE[TONE] });
    expect(await source.readText('nowhere.md')).toMatchObject({
      ok: false,
      error: { code: 'E_FILE_NOT_FOUND' },
    });
    expect(await source.readText('texts')).toMatchObject({ ok: false, error: { code: 'E_NOT_A_FILE' } });
    expect(await source.readText('../x')).toMatchObject({
      ok: false,
      error: { code: 'E_SANDBOX_VIOLATION' },
    });
    const listing = await source.list('sheets');
    expect(listing.ok && listing.value.entries.map(({ name }) => name)).toEqual([
      'review.yaml',
      'triage.yaml',
    ]);
    const walked: string[] = [];
    for await (const path of source.walk()) if (path.ok) walked.push(path.value);
    expect(walked.sort()).toEqual(Object.keys(TEMPLATE).sort());
  });

  it('refuses bytes that are no text and blobs past the limit', async () => {
    const top = folderWith({
      'sheets/a.yaml': Uint8Array.of(104, 0xff),
      'texts/big.md': new Uint8Array(17 * 1024 * 1024).fill(97),
    });
    commitAll(top, 'Bad');
    const source = await revisionSource(top, 'HEAD');
    expect(await source.readText('sheets/a.yaml')).toMatchObject({
      ok: false,
      error: { code: 'E_NOT_UTF8', offset: 1 },
    });
    expect(await source.readText('texts/big.md')).toMatchObject({
      ok: false,
      error: { code: 'E_FILE_TOO_LARGE' },
    });
  });

  it('leaves out links and names that no path can spell', async () => {
    const top = folderWith({ 'a.md': 'a', 'b\nc.md': 'x', 'd:e.md': 'y' });
    git(top, 'init', '--quiet');
    git(top, 'add', '--all');
    const id = git(top, 'hash-object', '-w', 'a.md').trim();
    git(top, 'update-index', '--add', '--cacheinfo', `120000,${id},link.md`);
    git(top, 'commit', '--quiet', '--message', 'x');
    const listing = await (await revisionSource(top, 'HEAD')).list();
    expect(listing.ok && listing.value.entries.map(({ name }) => name)).toEqual(['a.md']);
  });

  it('leaves out what is withheld by its name', async () => {
    const top = folderWith({ 'a.md': 'a', '.env': 'KEY=1', '.ssh/id_ed25519': 'x', 'keys/server.pem': 'y' });
    commitAll(top, 'x');
    const walked: string[] = [];
    for await (const path of (await revisionSource(top, 'HEAD')).walk('.', { ignore: [] }))
      if (path.ok) walked.push(path.value);
    expect(walked).toEqual(['a.md']);
  });

  it('does not read what is withheld by its words', async () => {
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nMARK\n-----END OPENSSH PRIVATE KEY-----\n';
    const top = folderWith({ 'a.md': 'a', 'b.md': key, 'conf/secrets.yaml': 'db_password: hunter2-MARK' });
    commitAll(top, 'x');
    const source = await revisionSource(top, 'HEAD');
    for (const path of ['b.md', 'conf/secrets.yaml']) {
      const read = await source.readText(path);
      expect([path, read.ok ? 'ok' : read.error.code]).toEqual([path, 'E_SANDBOX_VIOLATION']);
    }
    expect(await source.readText('a.md')).toEqual({ ok: true, value: 'a' });
  });

  it.each([
    { revision: '--output=x', code: 'E_REVISION' },
    { revision: '-h', code: 'E_REVISION' },
    { revision: 'nowhere', code: 'E_REVISION' },
    { revision: 'HEAD:desk', code: 'E_REVISION' },
    { revision: 'HEAD~99', code: 'E_REVISION' },
  ])('that does not name a commit is refused: $revision', async ({ revision, code }) => {
    const { desk } = checkout();
    const { code: exit, stderr } = await cuebook(['render', `sheet:review@${revision}`], { cwd: desk });
    expect(exit).toBe(2);
    expect(stderr).toContain(code);
  });

  it('that starts with a dash never reaches git', async () => {
    await expect(requireCommit(folderWith(), '--help')).rejects.toThrow(
      'A revision does not start with a dash',
    );
  });

  it('needs a checkout', async () => {
    const { code, stderr } = await cuebook(['render', 'sheet:review@HEAD'], { cwd: folderWith(TEMPLATE) });
    expect(code).toBe(2);
    expect(stderr).toContain('E_GIT');
  });
});

describePart('git', 'diff of two revisions', () => {
  it('tells what changed, and every target that it reaches', async () => {
    const { desk } = checkout();
    const { code, stdout } = await cuebook(['diff', 'sheet:review@HEAD~1', 'sheet:review', '--json'], {
      cwd: desk,
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      before: 'sheet:review@HEAD~1',
      after: 'sheet:review',
      same: false,
      origins: [
        {
          origin: `file ${TONE}`,
          change: 'changed',
          addedLines: ['- You must never joke.'],
          removedLines: [],
        },
      ],
      obligations: { added: [{ force: 'NEVER', text: 'You must never joke.' }], dropped: [] },
      reach: [
        { target: 'sheet:review', change: 'changed', through: [`file ${TONE}`] },
        { target: 'sheet:triage', change: 'changed', through: [`file ${TONE}`] },
      ],
    });
  });
});

describePart('git', 'blame', () => {
  const NOTED = {
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    author: 'Ada Writer',
    date: '2024-02-03T10:00:00+02:00',
  };

  itAlways('adds commit, author and date of the line and of each include', async () => {
    const { desk } = checkout();
    const rendered = JSON.parse((await cuebook(['render', 'sheet:review', '--json'], { cwd: desk })).stdout);
    const at = String(Buffer.byteLength(rendered.blocks[0].text.split('You must never joke')[0]));
    const args = ['blame', 'sheet:review', '--at', at];
    const answer = JSON.parse((await cuebook([...args, '--json'], { cwd: desk })).stdout);
    expect(answer.blame).toMatchObject([
      { place: { ref: TONE, line: 5 }, ...NOTED, summary: 'No jokes' },
      { place: { ref: 'sheets/review.yaml' }, ...NOTED, summary: 'Start' },
      { place: { ref: 'texts/house-rules.yaml' }, ...NOTED, summary: 'Start' },
    ]);
    const text = (await cuebook(args, { cwd: desk })).stdout;
    expect(text).toMatch(/texts\/tone\.md:5:3 {2}[0-9a-f]{10} Ada Writer, 2024-02-03: No jokes/);
  });

  it('of a revision asks that revision', async () => {
    const { desk } = checkout();
    const args = ['blame', 'sheet:triage@HEAD~1', '--at', '0', '--json'];
    const answer = JSON.parse((await cuebook(args, { cwd: desk })).stdout);
    expect(answer.blame).toMatchObject([{ ...NOTED, summary: 'Start' }]);
  });

  it('says so when a line is not committed, a file is new, or nothing is in git', async () => {
    const { desk } = checkout();
    const place = { ref: TONE, line: 6 };
    writeFileSync(join(desk, TONE), `${TEMPLATE[TONE]}- You must never joke.\nNew.\n`);
    writeFileSync(join(desk, 'texts/new.md'), 'New.\n');
    expect(await blame(askGit(desk), place, undefined)).toEqual({ place, note: 'not committed yet' });
    const fresh = { ref: 'texts/new.md', line: 1 };
    expect(await blame(askGit(desk), fresh, undefined)).toEqual({ place: fresh, note: 'not committed yet' });
    const { stdout, code } = await cuebook(['blame', 'sheet:review', '--at', '0'], {
      cwd: folderWith(TEMPLATE),
    });
    expect(code).toBe(0);
    expect(stdout).toContain('(not in a git checkout)');
  });

  it('says so when the text is not from a file', async () => {
    const cwd = folderWith({
      'sheets/a.yaml':
        'inputs:\n  x: { trust: operator, secrecy: public, volatility: turn }\nblocks:\n  - { name: a, role: user, parts: [{ input: x }] }\n',
    });
    const { stdout } = await cuebook(['blame', 'sheet:a', '--set', 'x=hi', '--at', '0', '--json'], { cwd });
    expect(JSON.parse(stdout).blame).toEqual([
      { place: { ref: 'x' }, note: 'not from a file: input' },
      // The part of the sheet that asks for it.
      { place: { ref: 'sheets/a.yaml', line: 4, column: 45 }, note: 'not in a git checkout' },
    ]);
  });
});

describePart('git', 'check --sarif', () => {
  it('names files from the top of the checkout', async () => {
    const top = folderWith({ 'my desk/sheets/a.yaml': 'blocks: 3\n' });
    commitAll(top, 'x');
    const { stdout, code } = await cuebook(['check', '--sarif'], { cwd: join(top, 'my desk') });
    expect(code).toBe(1);
    const [result] = JSON.parse(stdout).runs[0].results;
    expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe('my%20desk/sheets/a.yaml');
  });
});

it.each([
  { seconds: 0, zone: '+0000', date: '1970-01-01T00:00:00+00:00' },
  { seconds: 1_706_947_200, zone: '-0330', date: '2024-02-03T04:30:00-03:30' },
  { seconds: Number.NaN, zone: '', date: '' },
])('tells $seconds $zone as the author saw it', ({ seconds, zone, date }) => {
  expect(isoDate(seconds, zone)).toBe(date);
});

it('reads an uncommitted line off the zero id', () => {
  expect(parsePorcelain(`${'0'.repeat(40)} 1 1 1\nauthor Not Committed Yet\n`)).toEqual({
    note: 'not committed yet',
  });
});
