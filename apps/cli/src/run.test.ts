import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cuebook, folderWith } from '../test/cuebook.js';
import { ALL_CODES } from './all-codes.js';
import { COMMAND_GROUPS, COMMANDS } from './commands.js';
import { VERSION } from './version.js';

const VISIBLE = COMMANDS.filter(({ hidden }) => hidden !== true);

describe('help', () => {
  it('lists every command with its summary', async () => {
    const { code, stdout } = await cuebook(['--help'], { cwd: folderWith() });
    expect(code).toBe(0);
    for (const { name } of VISIBLE) expect(stdout).toContain(`\n  ${name} `);
    expect(stdout).not.toContain('__complete');
  });

  it('lists the commands by group, each once and below its title', async () => {
    const { stdout } = await cuebook(['--help'], { cwd: folderWith() });
    const lines = stdout.split('\n');
    for (const { title, commands } of COMMAND_GROUPS) {
      const at = lines.indexOf(title);
      const end = lines.indexOf('', at);
      // A summary that goes on below is further in.
      const listed = lines.slice(at + 1, end).flatMap((line) => /^ {2}(\S+)/.exec(line)?.[1] ?? []);
      expect(listed).toEqual(commands.filter(({ hidden }) => hidden !== true).map(({ name }) => name));
    }
  });

  it('is the same page without arguments, with --help and as `help`', async () => {
    const cwd = folderWith();
    const pages = await Promise.all([[], ['--help'], ['help']].map((args) => cuebook(args, { cwd })));
    expect(new Set(pages.map(({ stdout }) => stdout)).size).toBe(1);
  });

  it.each(VISIBLE.map(({ name, examples }) => ({ name, examples })))(
    'of $name shows its examples, both ways of asking',
    async ({ name, examples }) => {
      const cwd = folderWith();
      const page = await cuebook(['help', name], { cwd });
      expect(page.code).toBe(0);
      for (const example of examples) expect(page.stdout).toContain(`$ ${example}`);
      expect((await cuebook([name, '--help'], { cwd })).stdout).toBe(page.stdout);
    },
  );

  it.each(Object.keys(ALL_CODES))('explains %s', async (code) => {
    const { stdout, code: exit } = await cuebook(['help', code], { cwd: folderWith() });
    expect(exit).toBe(0);
    const entry = ALL_CODES[code];
    expect(stdout).toContain(`${code}: ${entry?.title}`);
    expect(stdout).toContain(entry?.cause);
    expect(stdout).toContain(entry?.fix);
  });

  it('answers in JSON', async () => {
    const { stdout } = await cuebook(['help', 'E_AT', '--json'], { cwd: folderWith() });
    expect(JSON.parse(stdout)).toEqual({ code: 'E_AT', ...ALL_CODES.E_AT });
  });
});

describe('a wrong name', () => {
  it.each([
    { args: ['rendr'], meant: 'render' },
    { args: ['chek', '--json'], meant: 'check' },
    { args: ['render', '--jsn', 'sheet:a'], meant: '--json' },
    { args: ['render', '--sett', 'a=b', 'sheet:a'], meant: '--set' },
    { args: ['help', 'E_PROMT_LEAK'], meant: 'E_PROMPT_LEAK' },
    { args: ['help', 'explian'], meant: 'explain' },
    { args: ['completion', 'bsh'], meant: 'bash' },
  ])('is answered with what was meant: $args', async ({ args, meant }) => {
    const { code, stdout, stderr } = await cuebook(args, { cwd: folderWith() });
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('E_USAGE');
    expect(stdout + stderr).toMatch(new RegExp(`Did you mean ${meant}\\?`));
  });
});

describe('a wrong call', () => {
  it.each([
    { args: ['render'], says: 'target' },
    { args: ['explain', 'sheet:a'], says: '--at' },
    { args: ['explain', 'sheet:a'], says: 'for example: cuebook explain sheet:' },
    { args: ['completion'], says: 'for example: cuebook completion ' },
    { args: ['check', 'a', 'b'], says: 'too many arguments: check takes one argument, target' },
    { args: ['run', 'agent:desk', 'hello'], says: '(--input, ' },
    { args: ['run', 'sheet:a', 'hello'], says: 'run sheet: --help' },
    { args: ['providers', 'a'], says: 'providers takes options only' },
    { args: ['render', 'sheet:a', '--project'], says: 'argument missing' },
    { args: ['completion'], says: 'shell' },
  ])('exits 2 and says what is missing: $args', async ({ args, says }) => {
    const plain = await cuebook(args, { cwd: folderWith() });
    expect(plain).toMatchObject({ code: 2, stdout: '' });
    expect(plain.stderr.toLowerCase()).toContain(says);
    const json = await cuebook([args[0] ?? '', '--json', ...args.slice(1)], { cwd: folderWith() });
    expect(json).toMatchObject({ code: 2, stderr: '' });
    expect(JSON.parse(json.stdout).error).toMatchObject({ code: 'E_USAGE' });
  });

  it.each([
    { what: 'bytes that are not UTF-8', text: '\ufffd' },
    { what: 'a lone high surrogate', text: '\ud800' },
    { what: 'a lone low surrogate', text: 'a\udc00b' },
  ])('with $what is refused', async ({ text }) => {
    const { code, stderr } = await cuebook(['render', 'sheet:a', '--set', `x=${text}`], {
      cwd: folderWith(),
    });
    expect(code).toBe(2);
    expect(stderr).toContain('E_NOT_UNICODE');
  });
});

describe('colour', () => {
  const coloured = async (env: Record<string, string>, out: boolean): Promise<boolean> => {
    const { stdout } = await cuebook(['help', 'E_AT'], {
      cwd: folderWith(),
      env,
      terminal: { out, err: out },
    });
    return stdout.includes('\u001b[');
  };

  it.each([
    { env: {}, out: true, is: true },
    { env: {}, out: false, is: false },
    { env: { NO_COLOR: '1' }, out: true, is: false },
    { env: { NO_COLOR: '' }, out: true, is: true },
    { env: { TERM: 'dumb' }, out: true, is: false },
    { env: { FORCE_COLOR: '1' }, out: false, is: true },
    { env: { FORCE_COLOR: '0' }, out: true, is: false },
  ])('$env on a terminal $out: $is', async ({ env, out, is }) => {
    expect(await coloured(env, out)).toBe(is);
  });
});

it('knows the version of the package', async () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(VERSION).toBe(manifest.version);
  expect((await cuebook(['--version'], { cwd: folderWith() })).stdout).toBe(`${VERSION}\n`);
});

it('turns what was not foreseen into words, and shows the stack only when asked', async () => {
  // biome-ignore lint/correctness/useYield: a stream that breaks before it gives anything
  const stdin = async function* (): AsyncIterable<Uint8Array> {
    throw new Error('the disk is on fire');
  };
  const broken = (env: Record<string, string>) =>
    cuebook(['redact'], { cwd: folderWith(), env, stdin: stdin() });
  const plain = await broken({});
  expect(plain).toMatchObject({ code: 1, stdout: '' });
  expect(plain.stderr).toContain('E_INTERNAL');
  expect(plain.stderr).not.toContain('    at ');
  expect((await broken({ CUEBOOK_DEBUG: '1' })).stderr).toContain('    at ');
});
