import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { TEMPLATE } from '../init/template.js';

const BLOCK = (parts: string): string => `blocks:\n  - { name: a, role: user, parts: [${parts}] }\n`;

describe('init', () => {
  itInTurn('writes a project that checks and renders as it stands', async () => {
    const cwd = folderWith();
    const made = await cuebook(['init', 'my desk'], { cwd });
    expect(made.code).toBe(0);
    expect(made.stdout).toContain("cd 'my desk'");
    for (const [path, text] of Object.entries(TEMPLATE)) {
      expect(readFileSync(join(cwd, 'my desk', path), 'utf8')).toBe(text);
    }
    const desk = { cwd: join(cwd, 'my desk') };
    const checked = await cuebook(['check'], desk);
    expect(checked).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Next.*\n.*run sheet:review\n$/),
    });
    expect((await cuebook(['render', 'sheet:review'], desk)).code).toBe(0);
  });

  it('answers in JSON', async () => {
    const { stdout } = await cuebook(['init', '--json'], { cwd: folderWith() });
    expect(JSON.parse(stdout)).toEqual({ created: Object.keys(TEMPLATE), extended: [], same: [], kept: [] });
  });
});

describe('the project', () => {
  itInTurn('is found from a folder inside it, or named', async () => {
    const cwd = folderWith({ ...TEMPLATE, 'deep/er/x.txt': '' });
    const expected = (await cuebook(['check'], { cwd })).stdout;
    expect((await cuebook(['check'], { cwd: join(cwd, 'deep/er') })).stdout).toBe(expected);
    expect((await cuebook(['check', '--project', cwd], { cwd: '/' })).stdout).toBe(expected);
    expect((await cuebook(['check', cwd], { cwd: '/' })).stdout).toBe(expected);
  });

  it.each([
    { args: ['check'], code: 'E_NO_PROJECT' },
    { args: ['render', 'sheet:a', '--project', 'nowhere'], code: 'E_FILE_NOT_FOUND' },
    { args: ['render', 'sheet:a', '--project', 'file'], code: 'E_NOT_A_DIRECTORY' },
    { args: ['render', 'sheet:a', '--project', 'empty'], code: 'E_NO_PROJECT' },
    { args: ['check', 'nowhere.yaml'], code: 'E_FILE_NOT_FOUND' },
  ])('that is not there: $args', async ({ args, code }) => {
    const cwd = folderWith({ file: 'x', 'empty/x': '' });
    const outcome = await cuebook(args, { cwd });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(code);
    expect(outcome.stderr).not.toContain(cwd);
  });
});

describe('check', () => {
  const broken = {
    'sheets/a.yaml': 'blocks: 3\n',
    'sheets/b.yaml': BLOCK('{ include: missing }'),
    'sheets/ok.yaml': `inputs:\n  spare: { trust: user, secrecy: public, volatility: turn }\n${BLOCK('{ text: hi }')}`,
  };

  it('reports every problem at once, with file, line and code, and exits 1', async () => {
    const { code, stdout } = await cuebook(['check'], { cwd: folderWith(broken) });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^sheets\/a\.yaml:1:\d+ error E_SHEET /m);
    expect(stdout).toMatch(/^sheets\/b\.yaml:2:\d+ error E_INCLUDE_UNKNOWN /m);
    expect(stdout).toMatch(/^sheets\/ok\.yaml:2:\d+ warning W_SHEET_INPUT_UNUSED /m);
    expect(stdout).toContain('2 errors, 1 warning in 3 targets');
  });

  it('answers { ok, diagnostics } in JSON', async () => {
    const cwd = folderWith(broken);
    const all = JSON.parse((await cuebook(['check', '--json'], { cwd })).stdout);
    expect(Object.keys(all)).toEqual(['ok', 'diagnostics']);
    expect(all.ok).toBe(false);
    expect(all.diagnostics).toHaveLength(3);
    const one = await cuebook(['check', 'sheet:ok', '--json'], { cwd });
    expect(one.code).toBe(0);
    expect(JSON.parse(one.stdout)).toMatchObject({ ok: true, diagnostics: [{ severity: 'warning' }] });
  });

  it('of one file shows the problems of that file', async () => {
    const { stdout, code } = await cuebook(['check', 'sheets/b.yaml', '--json'], { cwd: folderWith(broken) });
    expect(code).toBe(1);
    const files = JSON.parse(stdout).diagnostics.map(({ file }: { file: string }) => file);
    expect(files).toEqual(['sheets/b.yaml']);
  });

  it('reports a configuration that does not fit', async () => {
    const cwd = folderWith({ ...broken, 'cuebook.yaml': 'rots: {}\n' });
    const { stdout, code } = await cuebook(['check'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^cuebook\.yaml:1:\d+ error E_CONFIG/m);
    expect((await cuebook(['render', 'sheet:ok'], { cwd })).stderr).toContain('E_CONFIG');
  });

  it.each([
    ['check', 'sheet:okk'],
    ['render', 'sheet:okk'],
    ['render', 'ok'],
    ['render', 'Okk'],
    ['render', 'shet:ok'],
  ])('suggests the target that was meant: %s %s', async (...args) => {
    const { stdout, stderr, code } = await cuebook(args, { cwd: folderWith(broken) });
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('E_TARGET');
    expect(stdout + stderr).toContain('Did you mean sheet:ok?');
  });
});

describe('render', () => {
  it('answers exactly the document of the design', async () => {
    const { stdout, code } = await cuebook(['render', 'sheet:review', '--json'], {
      cwd: folderWith(TEMPLATE),
    });
    expect(code).toBe(0);
    const document = JSON.parse(stdout);
    expect(Object.keys(document)).toEqual(
      'profile hash messages blocks tools params tokens cache redactions diagnostics'.split(' '),
    );
    expect(Object.keys(document.blocks[0])).toEqual(['name', 'role', 'text', 'hash', 'spans']);
    expect(Object.keys(document.blocks[0].spans[0])).toEqual(
      'start end origin trust secrecy volatility'.split(' '),
    );
    expect(document.profile).toBe('sheet');
    expect(document.messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'system', 'user']);
    expect(document.tokens.total).toBeGreaterThan(100);
  });

  it('says when examples stand in for input, and not when input is given', async () => {
    const cwd = folderWith(TEMPLATE);
    expect((await cuebook(['render', 'sheet:review'], { cwd })).stdout).toContain('W_SAMPLE_INPUT');
    const real = await cuebook(['render', 'sheet:review', '--set', 'change=x'], { cwd });
    expect(real.stdout).not.toContain('W_SAMPLE_INPUT');
    const none = folderWith({ 'sheets/a.yaml': BLOCK('{ text: hi }') });
    expect((await cuebook(['render', 'sheet:a'], { cwd: none })).stdout).not.toContain('W_SAMPLE_INPUT');
  });

  it('merges system messages on request', async () => {
    const args = ['render', 'sheet:review', '--json', '--merge-system'];
    const { stdout } = await cuebook(args, { cwd: folderWith(TEMPLATE) });
    const roles = JSON.parse(stdout).messages.map(({ role }: { role: string }) => role);
    expect(roles).toEqual(['system', 'user']);
  });

  it.each([
    { set: 'change=plain', text: 'plain' },
    { set: 'change=@change.diff', text: "+  if (name === '') return 'Hello';" },
    { set: 'change=@-', text: 'from standard input' },
    { set: 'change=@@home', text: '@home' },
    { set: 'change=a=b', text: 'a=b' },
  ])('takes --set $set', async ({ set, text }) => {
    const args = ['render', 'sheet:review', '--set', set, '--json'];
    const { stdout, code } = await cuebook(args, { cwd: folderWith(TEMPLATE), input: 'from standard input' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).blocks.at(-1).text).toContain(text);
  });

  it.each([
    { set: ['change'], code: 'E_USAGE' },
    { set: ['=x'], code: 'E_USAGE' },
    { set: ['change=@'], code: 'E_USAGE' },
    { set: ['change=a', 'change=b'], code: 'E_USAGE' },
    { set: ['chnge=a'], code: 'E_INPUT' },
    { set: ['change=@nowhere'], code: 'E_FILE_NOT_FOUND' },
    { set: ['change=@sheets'], code: 'E_NOT_A_FILE' },
  ])('refuses --set $set with $code', async ({ set, code }) => {
    const args = ['render', 'sheet:review', ...set.flatMap((pair) => ['--set', pair])];
    const outcome = await cuebook(args, { cwd: folderWith(TEMPLATE) });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(code);
  });

  it('masks confidential text unless it is revealed', async () => {
    const cwd = folderWith({
      'sheets/a.yaml': `inputs:\n  c: { trust: operator, secrecy: confidential, volatility: session }\n${BLOCK('{ text: "x " }, { input: c }')}`,
    });
    const args = ['render', 'sheet:a', '--set', 'c=the plan', '--json'];
    expect((await cuebook(args, { cwd })).stdout).not.toContain('the plan');
    expect((await cuebook([...args, '--reveal'], { cwd })).stdout).toContain('the plan');
  });

  it('shows control characters as the model is told them: spelled out', async () => {
    const cwd = folderWith({ 'sheets/a.yaml': BLOCK('{ text: "a\\u001b[2Jb" }') });
    const plain = await cuebook(['render', 'sheet:a'], { cwd });
    expect(plain.stdout).toContain('a[U+001B][2Jb');
    const screen = await cuebook(['render', 'sheet:a'], { cwd, terminal: { out: true, err: true } });
    expect(screen.stdout).toContain('a[U+001B][2Jb');
  });

  it('calls the project by its alias, and names neither home nor user', async () => {
    const cwd = folderWith(TEMPLATE);
    const set = `change=see ${cwd}/notes.md`;
    const { stdout } = await cuebook(['render', 'sheet:review', '--set', set, '--json'], { cwd });
    expect(stdout).toContain('@project/notes.md');
    expect(stdout).not.toContain(cwd);
  });

  it('gives the same bytes every time', async () => {
    const cwd = folderWith(TEMPLATE);
    const twice = await Promise.all([0, 1].map(() => cuebook(['render', 'sheet:review', '--json'], { cwd })));
    expect(twice[0]?.stdout).toBe(twice[1]?.stdout);
  });

  it('counts text that spells a control token of the tokenizer', async () => {
    const args = ['render', 'sheet:review', '--set', 'change=<|endoftext|>', '--json'];
    expect((await cuebook(args, { cwd: folderWith(TEMPLATE) })).code).toBe(0);
  });
});

describe('explain', () => {
  const placeOf = (stdout: string, words: string): number => {
    const { blocks } = JSON.parse(stdout) as { blocks: readonly { text: string }[] };
    return Buffer.byteLength(
      blocks
        .map(({ text }) => text)
        .join('\n\n')
        .split(words)[0] ?? '',
    );
  };

  it('names file, line and include chain for a byte inside an included text', async () => {
    const cwd = folderWith(TEMPLATE);
    const rendered = await cuebook(['render', 'sheet:review', '--json'], { cwd });
    const at = placeOf(rendered.stdout, 'Speak about the code');
    const { stdout } = await cuebook(['explain', 'sheet:review', '--at', String(at), '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      target: 'sheet:review',
      block: 'contract',
      role: 'system',
      trust: 'author',
      secrecy: 'public',
      volatility: 'build',
      origin: {
        kind: 'file',
        ref: 'texts/tone.md',
        line: 2,
        column: 22,
        via: [{ ref: 'sheets/review.yaml' }, { ref: 'texts/house-rules.yaml' }],
      },
      before: '- Be plain and kind. ',
    });
    const text = (await cuebook(['explain', 'sheet:review', '--at', String(at)], { cwd })).stdout;
    expect(text).toContain('file texts/tone.md:2:22');
    expect(text).toMatch(/via +sheets\/review\.yaml:\d+:\d+/);
    expect(text).toMatch(/texts\/house-rules\.yaml:\d+:\d+/);
  });

  it('takes line:column for the same place', async () => {
    const cwd = folderWith(TEMPLATE);
    const byLine = JSON.parse(
      (await cuebook(['explain', 'sheet:review', '--at', '2:5', '--json'], { cwd })).stdout,
    );
    expect(byLine).toMatchObject({ line: 2, column: 5 });
    const args = ['explain', 'sheet:review', '--at', String(byLine.at), '--json'];
    expect(JSON.parse((await cuebook(args, { cwd })).stdout)).toEqual(byLine);
  });

  it.each(['999999', '-1', 'no such words', '0:1', '1:999', '1e3', '', '900:1'])(
    'refuses --at %j',
    async (at) => {
      const { code, stderr, stdout } = await cuebook(['explain', 'sheet:review', `--at=${at}`], {
        cwd: folderWith(TEMPLATE),
      });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('E_AT');
    },
  );

  it('tells the size of the prompt when the byte is outside', async () => {
    const { stderr } = await cuebook(['explain', 'sheet:a', '--at', '5'], {
      cwd: folderWith({ 'sheets/a.yaml': BLOCK('{ text: "12345" }') }),
    });
    expect(stderr).toContain('5 bytes (0 to 4)');
  });

  it('masks confidential words around the place', async () => {
    const cwd = folderWith({
      'sheets/a.yaml': `inputs:\n  c: { trust: operator, secrecy: confidential, volatility: session, example: the plan }\n${BLOCK('{ text: "né " }, { input: c }, { text: " end" }')}`,
    });
    const explain = async (at: string, ...more: string[]) =>
      JSON.parse((await cuebook(['explain', 'sheet:a', '--at', at, '--json', ...more], { cwd })).stdout);
    // Byte 2 is the second half of é.
    expect(await explain('2')).toMatchObject({ before: 'n', after: 'é [confidential] end', column: 2 });
    expect(await explain('0')).toMatchObject({ before: '', after: 'né [confidential] end' });
    expect(await explain('6')).toMatchObject({ before: 'né ', after: '[confidential] end', column: 4 });
    // What stands behind a mask is counted as it is shown.
    expect(await explain('19')).toMatchObject({ after: 'end', column: 19 });
    expect(await explain('1:19')).toMatchObject({ after: 'end' });
    expect(await explain('end')).toMatchObject({ at: 19 });
    expect(await explain('end', '--reveal')).toMatchObject({ at: 13 });
    expect(await explain('6', '--reveal')).toMatchObject({ after: 'e plan end', column: 6 });
  });
});

describe('diff', () => {
  itInTurn('tells by origin, by obligation, tools and capabilities, and by reach', async () => {
    const cwd = folderWith(TEMPLATE);
    const { stdout, code } = await cuebook(['diff', 'sheet:review', 'sheet:triage', '--json'], { cwd });
    expect(code).toBe(1);
    const diff = JSON.parse(stdout);
    expect(diff.same).toBe(false);
    expect(diff.origins.map(({ origin }: { origin: string }) => origin)).toContain(
      'file texts/house-rules.yaml',
    );
    expect(diff.obligations.dropped.length).toBeGreaterThan(2);
    expect(diff.tools).toMatchObject({ added: [], dropped: ['read_file'], changed: [] });
    expect(diff.capabilities).toEqual({ added: [], dropped: ['read_files'] });
    expect(diff.reach.map(({ target }: { target: string }) => target)).toEqual([
      'sheet:review',
      'sheet:triage',
    ]);
    const text = (await cuebook(['diff', 'sheet:review', 'sheet:triage'], { cwd })).stdout;
    for (const title of ['By origin', 'By obligation', 'Tools', 'Capabilities', 'By reach']) {
      expect(text).toContain(title);
    }
  });

  it('of a target with itself finds nothing', async () => {
    const { stdout } = await cuebook(['diff', 'sheet:review', 'sheet:review', '--json'], {
      cwd: folderWith(TEMPLATE),
    });
    expect(JSON.parse(stdout)).toMatchObject({ same: true, origins: [], reach: [] });
  });

  it('says that confidential text changed, and not what it says', async () => {
    const sheet = (example: string): string =>
      `inputs:\n  c: { trust: operator, secrecy: confidential, volatility: session, example: "${example}" }\n${BLOCK('{ input: c }')}`;
    const cwd = folderWith({
      'sheets/a.yaml': sheet('You must plan A.'),
      'sheets/b.yaml': sheet('You must plan B.'),
    });
    const hidden = await cuebook(['diff', 'sheet:a', 'sheet:b', '--json'], { cwd });
    expect(hidden.stdout).not.toContain('plan');
    expect(JSON.parse(hidden.stdout)).toMatchObject({
      same: false,
      origins: [
        { origin: 'file sheets/a.yaml', addedLines: [], removedLines: ['[confidential]'] },
        { origin: 'file sheets/b.yaml', addedLines: ['[confidential]'], removedLines: [] },
      ],
    });
    expect((await cuebook(['diff', 'sheet:a', 'sheet:b', '--json', '--reveal'], { cwd })).stdout).toContain(
      'plan B',
    );
  });
});
