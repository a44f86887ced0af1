import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { readYaml } from '@cuebook/yaml';
import { afterAll, describe, expect } from 'vitest';
import { ROOT } from './root.js';
import { itInTurn as it } from './runs.js';

const BIN = join(ROOT, 'apps/cli/bin/cuebook.js');
const SHEET = `title: Answer a mail
inputs:
  mail: { trust: external, secrecy: public, volatility: turn, description: What came in, example: Hello }
blocks:
  - { name: rules, role: system, parts: [{ include: manners }] }
  - { name: mail, role: user, parts: [{ input: mail }] }
`;
const FILES: Readonly<Record<string, string>> = {
  'app/sheets/mail.yaml': SHEET,
  'app/sheets/other.yaml': SHEET.replace('include: manners', 'text: Hello.'),
  'app/texts/manners.md': 'You answer mails.\nName the order number.\nNever mention prices.\n',
  'app/tests/mail.test.yaml': `target: sheet:mail
takes: 2
cases: data/mails.jsonl
metrics: { names: { answer: { matches: "order [0-9]+" } } }
`,
  'app/data/mails.jsonl': Array.from({ length: 8 }, (_, at) =>
    JSON.stringify({ id: `m${at}`, with: { set: { mail: `mail ${at}` } } }),
  ).join('\n'),
  'app/odds.yaml': `lanes:
  '*':
    odds:
      seed: 7
      base: -4
      effects: [{ has: "Name the order number.", adds: 9 }]
      answers: { good: "Your order 12 is on its way.", bad: "Arr." }
`,
};

function parse(file: string): unknown {
  const read = readYaml(file, readFileSync(join(ROOT, file), 'utf8'), 'E_CONFIG');
  if (!read.ok) throw new Error(`${file} is no YAML`);
  return read.value.value;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, encoding: 'utf8' });

/** A repository with `main`, and a branch that is checked out. */
function repository(): string {
  const root = mkdtempSync(join(tmpdir(), 'action-'));
  folders.push(root);
  for (const [path, text] of Object.entries(FILES)) write(root, path, text);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'first');
  git(root, 'checkout', '-q', '-b', 'change');
  return root;
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the step of the action that starts a script, as GitHub does: in bash, settings in the environment alone. */
function script(name: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const { runs } = parse('action/action.yml') as { runs: { steps: { run: string }[] } };
  const step = runs.steps.find(({ run }) => run.includes(name));
  return start('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? 'exit 99'], cwd, {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    GITHUB_ACTION_PATH: join(ROOT, 'action'),
    ...env,
  });
}

function start(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const base = { PATH: process.env.PATH, HOME: cwd, NO_COLOR: '1' };
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...base, ...env } });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}

const report = (root: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  script('report.mjs', root, {
    CUEBOOK_CI_PROJECT: 'app',
    CUEBOOK_CI_BASE: 'main',
    CUEBOOK_CI_COMMAND: `${process.execPath} ${BIN}`,
    GITHUB_OUTPUT: join(root, 'outputs'),
    GITHUB_STEP_SUMMARY: join(root, 'summary'),
    ...env,
  });

describe('the action in a real repository', () => {
  it('tells the change with what it does to answers, and fails where it is worse', async () => {
    const root = repository();
    // What others do on the base meanwhile is not this change.
    git(root, 'checkout', '-q', 'main');
    write(root, 'app/sheets/other.yaml', SHEET.replace('include: manners', 'text: Of others.'));
    git(root, 'commit', '-q', '-a', '-m', 'others');
    git(root, 'checkout', '-q', 'change');
    write(root, 'app/texts/manners.md', 'You answer mails.\nAlways thank @everyone. <b>`` ``` </b>\n');
    git(root, 'commit', '-q', '-a', '-m', 'change');
    const ended = await report(root, {
      CUEBOOK_CI_COMPARE: 'true',
      CUEBOOK_CI_COMPARE_ARGS: '--by-origin\n--script\nodds.yaml\n',
    });
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(1);
    const folder = join(root, 'app/.cuebook-report');
    const comment = readFileSync(join(folder, 'comment.md'), 'utf8');
    expect(comment.startsWith('<!-- cuebook -->\n')).toBe(true);
    expect(comment).toContain('Check passed: 0 errors');
    expect(comment).toContain('### worse');
    expect(comment).toContain('- NEVER: Never mention prices. (sheet:mail)');
    expect(comment).toContain('| `sheet:mail` | changed | `file texts/manners.md` |');
    expect(comment).toMatch(/`texts\/manners\.md:2` changed, in `sheet:mail`: \*\*names -/u);
    expect(comment).not.toContain('other');
    // Words of others stand in a fence that they cannot close.
    expect(comment).toContain('````diff\n');
    expect(comment.length).toBeLessThan(65_536);
    expect(readFileSync(join(root, 'summary'), 'utf8')).toBe(comment);
    const outputs = readFileSync(join(root, 'outputs'), 'utf8');
    expect(outputs).toContain('changed=true\nverdict=worse\n');
    const sarif = JSON.parse(readFileSync(join(folder, 'sarif/compare.sarif'), 'utf8'));
    expect(sarif.runs[0].results[0].locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: 'app/texts/manners.md' },
      region: { startLine: 2 },
    });
    expect(git(root, 'status', '--porcelain', 'app')).not.toContain('cuebook-report');
  });

  it('puts errors on their lines, and goes on to tell the change', async () => {
    const root = repository();
    write(root, 'app/sheets/mail.yaml', SHEET.replace('include: manners', 'include: "no,such:\\n::error"'));
    const ended = await report(root);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^::error file=app\/sheets\/mail\.yaml,line=5,col=\d+,title=E_\w+::/mu);
    expect(ended.stdout.match(/^::error/gmu)).toHaveLength(1);
    const comment = readFileSync(join(root, 'app/.cuebook-report/comment.md'), 'utf8');
    expect(comment).toContain('**Check failed**');
    expect(comment).toContain('| `sheet:mail` | broken |');
  });

  it('says what is missing', async () => {
    const root = repository();
    expect(await report(root, { CUEBOOK_CI_BASE: '' })).toMatchObject({ code: 2 });
    expect(await report(root, { CUEBOOK_CI_BASE: '--all' })).toMatchObject({ code: 2 });
    const shallow = await report(root, { CUEBOOK_CI_BASE: 'origin/main' });
    expect([shallow.code, shallow.stderr]).toEqual([3, expect.stringContaining('fetch-depth: 0')]);
    expect(await report(root, { CUEBOOK_CI_COMMAND: 'no-such-program' })).toMatchObject({ code: 3 });
  });
});

describe('the comment', () => {
  it('is written once, and changed after that', async () => {
    const root = repository();
    const comments: { id: number; body: string; user: { type: string } }[] = Array.from(
      { length: 100 },
      (_, id) => ({ id, body: '<!-- cuebook --> quoted', user: { type: 'User' } }),
    );
    const asked: string[] = [];
    const server = createServer(async (request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      let text = '';
      for await (const chunk of request) text += chunk;
      const { body } = text === '' ? { body: '' } : (JSON.parse(text) as { body: string });
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1);
      if (request.method === 'POST') comments.push({ id: 500, body, user: { type: 'Bot' } });
      if (request.method === 'PATCH') Object.assign(comments.at(-1) ?? {}, { body });
      response.end(
        JSON.stringify(request.method === 'GET' ? comments.slice(page * 100 - 100, page * 100) : {}),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const post = (words: string, changed: 'true' | 'false'): Promise<Ended> => {
      write(root, 'comment.md', words);
      return script('comment.mjs', root, {
        CUEBOOK_CI_PULL: '7',
        CUEBOOK_CI_COMMENT: join(root, 'comment.md'),
        CUEBOOK_CI_CHANGED: changed,
        GITHUB_REPOSITORY: 'a/b',
        GITHUB_TOKEN: 'secret',
        GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      });
    };
    expect((await post('<!-- cuebook -->\nnothing', 'false')).code).toBe(0);
    expect(comments).toHaveLength(100);
    expect((await post('<!-- cuebook -->\none', 'true')).code).toBe(0);
    expect((await post('<!-- cuebook -->\ntwo', 'false')).code).toBe(0);
    expect(comments.slice(100)).toMatchObject([{ body: '<!-- cuebook -->\ntwo' }]);
    expect(asked.at(-1)).toBe('PATCH /repos/a/b/issues/comments/500 Bearer secret');
    server.close();
  });
});

describe('the definitions', () => {
  it('of the action hand every input over in the environment', () => {
    const { inputs, runs } = parse('action/action.yml') as {
      inputs: Record<string, { description: string }>;
      runs: { using: string; steps: { run: string; shell: string; env: Record<string, string> }[] };
    };
    expect(runs.using).toBe('composite');
    for (const { run, shell } of runs.steps) {
      expect(run).not.toContain('${{');
      expect(shell).toBe('bash');
    }
    const handed = runs.steps.flatMap(({ env }) => Object.values(env)).join(' ');
    for (const name of Object.keys(inputs).filter((each) => each !== 'comment'))
      expect(handed).toContain(`inputs.${name}`);
  });

  it('of hooks check a commit', async () => {
    const hooks = parse('.pre-commit-hooks.yaml') as {
      id: string;
      entry: string;
      files?: string;
    }[];
    const check = hooks.find(({ id }) => id === 'cuebook-check');
    expect(Object.keys(FILES).filter((file) => new RegExp(check?.files ?? '$^', 'u').test(file))).toEqual([
      'app/sheets/mail.yaml',
      'app/sheets/other.yaml',
      'app/texts/manners.md',
    ]);
    const root = repository();
    // What npx starts is what the lock file of the repository has put there.
    const bin = join(root, 'app/node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'cuebook'), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
    chmodSync(join(bin, 'cuebook'), 0o755);
    write(root, 'app/package.json', '{ "name": "app", "private": true }\n');
    const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
    const run = (): Promise<Ended> =>
      start('sh', ['-c', check?.entry ?? ''], join(root, 'app'), { PATH: path, PRE_COMMIT: '1' });
    write(root, 'app/sheets/mail.yaml', 'title: 1\n');
    expect(await run()).toMatchObject({ code: 1, stdout: expect.stringContaining('sheets/mail.yaml:1:') });
  });
});
