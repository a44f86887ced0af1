import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { commitAll, git } from '../../test/git.js';

const PROJECT = {
  'sheets/desk.yaml': `params: { temperature: 0.2, max_tokens: 9 }
capabilities: [read]
tools:
  - { name: look, description: Looks., parameters: { type: object, properties: {} } }
blocks:
  - name: rules
    role: system
    parts: [{ include: rules }]
`,
  'texts/rules.md': 'Be kind.\nAlways cite the file.\n',
  'script.yaml': 'lanes:\n  "*":\n    - text: Fine.\n',
};

/** Of the rules. */
const HASH = `sha256:${createHash('sha256').update(PROJECT['texts/rules.md']).digest('hex')}`;

/** A project with one turn on record. */
async function told(
  files: Readonly<Record<string, string>> = PROJECT,
  uncommitted: Readonly<Record<string, string>> = {},
): Promise<{ cwd: string; turn: string }> {
  const cwd = folderWith(files);
  commitAll(cwd, 'the rules');
  for (const [path, text] of Object.entries(uncommitted)) writeFileSync(join(cwd, path), text);
  const ran = await cuebook(['run', 'sheet:desk', '--script', 'script.yaml', '--json'], { cwd });
  expect(ran.code).toBe(0);
  const { runs } = JSON.parse((await cuebook(['runs', '--json'], { cwd })).stdout);
  return { cwd, turn: `${runs[0].run}@1` };
}

const answer = async (cwd: string, ...args: string[]) => {
  const { stdout, code } = await cuebook([...args, '--json'], { cwd });
  const told = JSON.parse(stdout);
  expect(code).toBe(told.same === false ? 1 : 0);
  return told;
};

describe('a turn on record', () => {
  it('is explained by number, as last, by its run, and by the words of a place', async () => {
    const { cwd, turn } = await told();
    const run = turn.slice(0, -2);
    for (const name of [turn, `${run}@last`, run]) {
      expect(await answer(cwd, 'explain', name, '--at', 'cite the')).toMatchObject({
        target: turn,
        block: 'rules',
        origin: { kind: 'file', ref: 'texts/rules.md', line: 2, column: 8 },
        record: { run, source: { line: 'Always cite the file.' } },
      });
    }
  });

  it('is explained as of then: a changed line is told beside the one of now', async () => {
    const { cwd, turn } = await told();
    writeFileSync(join(cwd, 'texts/rules.md'), 'A new first line.\nBe kind.\nNever cite.\n');
    const { record } = await answer(cwd, 'explain', turn, '--at', 'Always');
    expect(record.source).toMatchObject({ line: 'Always cite the file.', now: 'Be kind.' });
    const text = (await cuebook(['explain', turn, '--at', 'Always'], { cwd })).stdout;
    expect(text).toMatch(/^then +Always cite the file\. {2}\([0-9a-f]{10}\)$/m);
    expect(text).toMatch(/^now +Be kind\.$/m);
    rmSync(join(cwd, 'texts/rules.md'));
    expect((await answer(cwd, 'explain', turn, '--at', 'Always')).record.source.now).toBe(null);
  });

  it('words that were never committed are those that the run kept, by the hash of their file', async () => {
    const rules = 'Be kind.\nAlways ask first.\n';
    const { cwd, turn } = await told(PROJECT, { 'texts/rules.md': rules });
    const hash = `sha256:${createHash('sha256').update(rules).digest('hex')}`;
    writeFileSync(join(cwd, 'texts/rules.md'), 'Be kind.\nNever ask.\n');
    const { record } = await answer(cwd, 'explain', turn, '--at', 'Always');
    expect(record.source).toEqual({ hash, line: 'Always ask first.', now: 'Never ask.' });
    const text = (await cuebook(['explain', turn, '--at', 'Always'], { cwd })).stdout;
    expect(text).toContain(`then    Always ask first.  (in no commit, file ${hash.slice(0, 17)})`);
    writeFileSync(join(cwd, 'texts/rules.md'), rules);
    commitAll(cwd, 'asks', '2099-01-01T10:00:00+0000');
    const later = await answer(cwd, 'explain', turn, '--at', 'Always');
    expect(later.record.source).toEqual({
      commit: git(cwd, 'rev-parse', 'HEAD').trim(),
      hash,
      line: 'Always ask first.',
    });
  });

  it('of two commits that have the words in their place, the one that was checked out is named', async () => {
    const { cwd, turn } = await told();
    const commit = git(cwd, 'rev-parse', 'HEAD').trim();
    // Later by its place in the history, earlier by its date, with more words behind those that were told.
    writeFileSync(join(cwd, 'texts/rules.md'), 'Be kind.\nAlways cite the file. And more.\n');
    commitAll(cwd, 'more', '2001-01-01T10:00:00+0000');
    const { record } = await answer(cwd, 'explain', turn, '--at', 'cite the');
    expect(record.source).toMatchObject({ commit, hash: HASH, line: 'Always cite the file.' });
  });

  it('is blamed on who wrote the line of then', async () => {
    const { cwd, turn } = await told();
    writeFileSync(join(cwd, 'texts/rules.md'), 'Another line.\nAnd another.\n');
    commitAll(cwd, 'other rules');
    const { blame } = await answer(cwd, 'blame', turn, '--at', 'Always');
    expect(blame[0]).toMatchObject({ author: 'Ada Writer', summary: 'the rules' });
  });

  it('is explained and blamed at its own place, behind masked text, before another source, and on a blank line', async () => {
    const { cwd, turn } = await told({
      ...PROJECT,
      'sheets/desk.yaml': `inputs:
  plan: { trust: operator, secrecy: confidential, volatility: turn, example: "a long plan that nobody reads" }
blocks:
  - { name: plan, role: system, parts: [{ input: plan }] }
  - { name: rules, role: system, parts: [{ include: rules }, { text: " And " }, { text: "more." }] }
`,
      'texts/rules.md': 'Be kind.\n\nAlways cite\nthe file.',
    });
    writeFileSync(join(cwd, 'texts/rules.md'), 'Changed.\nChanged.\nChanged.\nChanged.');
    commitAll(cwd, 'other rules');
    const { record } = await answer(cwd, 'explain', turn, '--at', 'the file');
    expect(record.source).toMatchObject({ line: 'the file.', now: 'Changed.' });
    const { blame } = await answer(cwd, 'blame', turn, '--at', 'the file');
    expect(blame[0]).toMatchObject({ place: { line: 4 }, summary: 'the rules' });
    const blank = await answer(cwd, 'blame', turn, '--at', '4:1');
    expect(blank.origin).toMatchObject({ ref: 'texts/rules.md', line: 2 });
    expect(blank.record.source).toMatchObject({ line: '', now: 'Changed.' });
    expect(blank.blame[0]).toMatchObject({ place: { line: 2 }, summary: 'the rules' });
  });

  it('includes on the way are blamed as of then too', async () => {
    const { cwd, turn } = await told();
    const sheet = PROJECT['sheets/desk.yaml'];
    writeFileSync(join(cwd, 'sheets/desk.yaml'), sheet.replace('include: rules', 'include: rules  '));
    commitAll(cwd, 'another sheet', '2099-01-01T10:00:00+0000');
    const { blame } = await answer(cwd, 'blame', turn, '--at', 'Always');
    expect(blame.map(({ summary }: { summary: string }) => summary)).toEqual(['the rules', 'the rules']);
  });

  it('words that no commit has are nobody’s', async () => {
    const { cwd, turn } = await told(PROJECT, { 'texts/rules.md': 'Be kind.\nAlways ask.\n' });
    rmSync(join(cwd, 'texts/rules.md'));
    const { blame, record } = await answer(cwd, 'blame', turn, '--at', 'Always');
    expect(record.source).toEqual({ hash: expect.any(String), line: 'Always ask.', now: null });
    expect(blame[0].note).toBe('as it was told it is in no commit');
  });

  it('the commit that was checked out is known also when no branch leads to it', async () => {
    const { cwd, turn } = await told();
    const commit = git(cwd, 'rev-parse', 'HEAD').trim();
    git(cwd, 'checkout', '--quiet', '--orphan', 'empty');
    git(cwd, 'rm', '--quiet', '-r', '--cached', '.');
    rmSync(join(cwd, 'texts/rules.md'));
    const { blame, record } = await answer(cwd, 'blame', turn, '--at', 'Always');
    expect(record.source).toEqual({ commit, hash: HASH, line: 'Always cite the file.', now: null });
    expect(blame[0]).toMatchObject({ author: 'Ada Writer', summary: 'the rules' });
  });

  it('is compared with another, and with the target of now', async () => {
    const { cwd, turn } = await told();
    expect(await answer(cwd, 'diff', turn, turn)).toMatchObject({ same: true, before: turn, reach: [] });
    // The record says nothing of rights.
    expect(await answer(cwd, 'diff', turn, 'sheet:desk')).toMatchObject({ same: true });
    const sheet = PROJECT['sheets/desk.yaml'];
    writeFileSync(
      join(cwd, 'sheets/desk.yaml'),
      sheet.replace('type: object, properties: {}', 'properties: {}, type: object'),
    );
    expect((await answer(cwd, 'diff', turn, 'sheet:desk')).tools.changed).toEqual([
      { path: 'look.parameters.(order)', before: ['type', 'properties'], after: ['properties', 'type'] },
    ]);
    writeFileSync(join(cwd, 'sheets/desk.yaml'), sheet);
    writeFileSync(join(cwd, 'texts/rules.md'), 'Be kind.\nNever cite.\n');
    const diff = await answer(cwd, 'diff', turn, 'sheet:desk');
    expect(diff).toMatchObject({ same: false, before: turn, after: 'sheet:desk' });
    expect(diff.obligations).toEqual({
      added: [{ force: 'NEVER', text: 'Never cite.' }],
      dropped: [{ force: 'MUST', text: 'Always cite the file.' }],
    });
  });

  it.each([
    ['explain', ['run_nobody@1', '--at', '0'], 'E_RUN_UNKNOWN'],
    ['explain', ['TURN@9', '--at', '0'], 'E_TURN_UNKNOWN'],
    ['explain', ['TURN@1', '--at', 'no such words'], 'E_AT'],
    ['diff', ['TURN@1', 'TURN@x'], 'E_TURN_UNKNOWN'],
  ])('%s %j is refused with %s', async (command, args, code) => {
    const { cwd, turn } = await told();
    const named = args.map((arg) => arg.replace('TURN', turn.slice(0, -2)));
    const outcome = await cuebook([command, ...named], { cwd });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(code);
  });
});
