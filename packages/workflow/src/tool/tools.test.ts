import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { memorySource } from '@cuebook/files';
import type { JsonValue } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { openDesk, outcome } from '../../test/desk.js';
import { packageTexts, stateText } from '../../test/fixture.js';

const STATE = '@state/workflow.md';
const patch = (update: { readonly [key: string]: JsonValue }) => ({
  path: STATE,
  patch: { operation: 'updateFrontmatter', update },
});

describe('paths', () => {
  it.each([
    ['fs.read', '@project/../x', 'E_SANDBOX_VIOLATION'],
    ['fs.read', '@foo/x', 'E_SANDBOX_VIOLATION'],
    ['fs.read', '/etc/passwd', 'E_SANDBOX_VIOLATION'],
    ['fs.read', 'C:\\x', 'E_SANDBOX_VIOLATION'],
    ['fs.read', '@project/a\0b', 'E_SANDBOX_VIOLATION'],
    ['fs.read', '@project/a\\..\\..\\x', 'E_SANDBOX_VIOLATION'],
    ['fs.read', '@project/%2e%2e/x', 'ENOENT'],
    ['fs.read', '@project/..foo/x', 'ok'],
    ['fs.read', '@project/docs/../a.md', 'ok'],
    ['fs.read', '@project/.git/config', 'E_SANDBOX_VIOLATION'],
    ['fs.read', '@project/.GIT/config', 'E_SANDBOX_VIOLATION'],
    ['fs.read', '@project/sub/.env', 'E_SANDBOX_VIOLATION'],
    ['fs.read', '@project/.env.local', 'E_SANDBOX_VIOLATION'],
    ['fs.read', '@project/.env.example', 'ok'],
    ['fs.list', '@project/.cuebook', 'E_SANDBOX_VIOLATION'],
    ['fs.search', '@project/.git', 'E_SANDBOX_VIOLATION'],
    ['fs.write', '@project/.git/hooks/pre-commit', 'E_SANDBOX_VIOLATION'],
    ['fs.write', '@pkg/x', 'E_SANDBOX_VIOLATION'],
    ['fs.write', '@state/logs/execution.jsonl', 'E_SANDBOX_VIOLATION'],
    ['fs.write', '@state/LOGS/execution.jsonl', 'E_SANDBOX_VIOLATION'],
    ['fs.write', '@project/CON', 'E_SANDBOX_VIOLATION'],
    ['fs.write', '@project/artifacts/deep/new/a.md', 'ok'],
    ['fs.write', '@state/notes.md', 'ok'],
    ['fs.read', '@project/gone/deep/x.md', 'ENOENT'],
  ])('%s %j: %s', async (name, path, expected) => {
    const { call, projectRoot } = await openDesk({
      project: {
        'a.md': 'a',
        '..foo/x': 'f',
        '.env.example': 'e',
        '.git/config': 'g',
        'sub/.env': 's',
        '.env.local': 'l',
      },
    });
    const more = name === 'fs.write' ? { content: 'x' } : name === 'fs.search' ? { pattern: 'x' } : {};
    const result = await call(name, { path, ...more });
    expect(outcome(result)).toBe(expected);
    expect(JSON.stringify(result)).not.toContain(projectRoot);
    if (!result.ok) expect(JSON.stringify(result)).not.toMatch(/etc\/passwd|errno|syscall|lstat/);
  });

  it('an error names the alias and nothing of the system', async () => {
    const { call } = await openDesk();
    expect(await call('fs.read', { path: '@project/no/a.md' })).toEqual({
      ok: false,
      error: { code: 'ENOENT', message: 'File not found: @project/no/a.md' },
    });
  });

  it('without a run there is no @state', async () => {
    const { call } = await openDesk({ state: null });
    expect(outcome(await call('fs.read', { path: STATE }))).toBe('E_SANDBOX_VIOLATION');
    expect(outcome(await call('fs.apply_patch', patch({})))).toBe('E_SANDBOX_VIOLATION');
  });

  it('a link does not lead out, nor into the logs', async () => {
    const { call, projectRoot, stateRoot = '' } = await openDesk();
    symlinkSync('/etc', join(projectRoot, 'etc'));
    expect(outcome(await call('fs.read', { path: '@project/etc/passwd' }))).toBe('E_SANDBOX_VIOLATION');
    mkdirSync(join(stateRoot, 'logs'), { recursive: true });
    symlinkSync('logs', join(stateRoot, 'elsewhere'));
    expect(outcome(await call('fs.write', { path: '@state/elsewhere/execution.jsonl', content: '' }))).toBe(
      'E_SANDBOX_VIOLATION',
    );
  });
});

describe('reading', () => {
  const read = { path: '@project/a.md' };

  it('answers text, size and hash; a window has those of the whole file', async () => {
    const { call } = await openDesk({ project: { 'a.md': 'one\ntwo\nthree\n' } });
    const whole = await call('fs.read', read);
    expect(whole).toMatchObject({
      ok: true,
      path: '@project/a.md',
      bytes: 14,
      truncated: false,
      content: 'one\ntwo\nthree\n',
    });
    const window = await call('fs.read', { ...read, startLine: 2, endLine: 9 });
    expect(window).toMatchObject({ content: 'two\nthree\n', startLine: 2, endLine: 4, totalLines: 4 });
    expect(window.ok && whole.ok && window.sha256 === whole.sha256).toBe(true);
  });

  it('a file over the limit is told in part, a window over it is refused', async () => {
    const settings = { fs: { maxReadBytes: 1000 } };
    const { call } = await openDesk({
      settings,
      project: { 'a.md': 'é'.repeat(500).concat('x'), 'b.md': 'x'.repeat(1000) },
    });
    const cut = await call('fs.read', read);
    expect(cut).toMatchObject({ ok: true, bytes: 1001, truncated: true, contentPreview: 'é'.repeat(500) });
    expect(await call('fs.read', { path: '@project/b.md' })).toMatchObject({ truncated: false });
    expect(outcome(await call('fs.read', { ...read, startLine: 1 }))).toBe('E_READ_LIMIT');
  });

  it('what is no text, and what is huge, are errors', async () => {
    const { call } = await openDesk({
      project: { 'a.md': Uint8Array.from([0xff]), 'big.md': 'x'.repeat((16 << 20) + 1) },
    });
    expect(outcome(await call('fs.read', read))).toBe('E_NOT_UTF8');
    expect(outcome(await call('fs.read', { path: '@project/big.md' }))).toBe('E_READ_LIMIT');
  });

  it('a long text stays in its file', async () => {
    const { call, stateRoot = '' } = await openDesk({ project: { 'a.md': `${'line\n'.repeat(20_000)}` } });
    const told = await call('fs.read', read);
    expect(told).toMatchObject({ ok: true, truncated: true, bytes: 100_000, totalLines: 20_001 });
    expect(JSON.stringify(told).length).toBeLessThan(1500);
    expect(existsSync(join(stateRoot, 'logs/tool-results'))).toBe(false);
  });
});

describe('listing and searching', () => {
  it('lists without hidden names and links, up to 200', async () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`many/f${at}`, '']));
    const { call, projectRoot } = await openDesk({
      project: { 'a.md': '', '.hidden': '', 'b/c': '', ...many },
    });
    symlinkSync('a.md', join(projectRoot, 'link'));
    expect(await call('fs.list', { path: '@project' })).toEqual({
      ok: true,
      path: '@project',
      entries: [
        { name: 'a.md', kind: 'file' },
        { name: 'b', kind: 'directory' },
        { name: 'many', kind: 'directory' },
      ],
    });
    const cut = await call('fs.list', { path: '@project/many/' });
    expect(cut.ok && (cut.entriesPreview as unknown[]).length).toBe(200);
  });

  it('searches literally and says so', async () => {
    const { call } = await openDesk({ project: { 'a.md': 'one\nf.o\ntwo' } });
    expect(await call('fs.search', { path: '@project', pattern: 'f.o' })).toMatchObject({
      matches: [{ path: '@project/a.md', line: 2, column: 1, text: 'f.o', before: ['one'], after: ['two'] }],
      truncated: false,
      stats: { filesSearched: 1, filesSkipped: 0 },
    });
    expect(await call('fs.search', { path: '@project', pattern: 'f.*o' })).toMatchObject({
      matches: [],
      hint: expect.any(String),
    });
  });

  it('a large result is kept where tools can read it and not change it', async () => {
    const { call, stateRoot = '' } = await openDesk({
      project: { 'a.md': `${'needle '.repeat(30)}\n`.repeat(1000) },
    });
    const told = await call('fs.search', { path: '@project', pattern: 'needle', maxMatches: 1000 });
    if (!told.ok) throw new Error('refused');
    const { storedAt } = told as unknown as { readonly storedAt: string };
    expect(JSON.stringify(told).length).toBeLessThan(1500);
    const whole = JSON.parse(readFileSync(join(stateRoot, storedAt.replace('@state/', '')), 'utf8'));
    expect(whole.matches.length).toBe(1000);
    expect(outcome(await call('fs.read', { path: storedAt, startLine: 1, endLine: 20 }))).toBe('ok');
    expect(outcome(await call('fs.write', { path: storedAt, content: '{}' }))).toBe('E_SANDBOX_VIOLATION');
  });
});

describe('writing', () => {
  it('keeps to the limit and to the version', async () => {
    const { call } = await openDesk({ settings: { fs: { maxWriteBytes: 4 } }, project: { 'a.md': 'old' } });
    const path = '@project/a.md';
    expect(outcome(await call('fs.write', { path, content: 'éé!' }))).toBe('E_WRITE_LIMIT');
    expect(outcome(await call('fs.write', { path, content: 'new', ifMatchSha256: '0'.repeat(64) }))).toBe(
      'E_PRECONDITION_FAILED',
    );
    const read = await call('fs.read', { path });
    const sha = read.ok ? String(read.sha256) : '';
    expect(outcome(await call('fs.write', { path, content: 'éé', ifMatchSha256: sha }))).toBe('ok');
  });

  it('enters a new artifact into the state, once', async () => {
    const { call, stateRoot = '' } = await openDesk();
    const write = { path: '@project/artifacts/x.md', content: 'x' };
    expect(outcome(await call('fs.write', write))).toBe('ok');
    expect(outcome(await call('fs.write', write))).toBe('ok');
    expect(readFileSync(join(stateRoot, 'workflow.md'), 'utf8').match(/artifacts\/x\.md/g)?.length).toBe(1);
  });

  it('takes a new artifact back when the state cannot have it', async () => {
    const { call, projectRoot } = await openDesk({ state: { currentNodeId: 'gone' } });
    expect(outcome(await call('fs.write', { path: '@project/artifacts/x.md', content: 'x' }))).toBe(
      'CURRENT_NODE_INVALID',
    );
    expect(existsSync(join(projectRoot, 'artifacts/x.md'))).toBe(false);
  });

  it.each([
    STATE,
    '@state/./workflow.md',
    '@state/workflow.md/',
    '@state/Workflow.MD',
    '@state/x/../workflow.md',
  ])('the state is written by its rules, as %s', async (path) => {
    const { call, stateRoot = '' } = await openDesk();
    const before = readFileSync(join(stateRoot, 'workflow.md'), 'utf8');
    const done = stateText({ currentNodeId: 'end-99', stepsCompleted: ['end-99'] });
    expect(outcome(await call('fs.write', { path, content: done }))).toBe('E_INVALID_TRANSITION');
    expect(outcome(await call('fs.write', { path, content: 'hello' }))).toBe('E_INVALID_FRONTMATTER');
    expect(readFileSync(join(stateRoot, 'workflow.md'), 'utf8')).toBe(before);
  });

  it('a second name of the state file is the state file', async () => {
    const { call, stateRoot = '' } = await openDesk();
    linkSync(join(stateRoot, 'workflow.md'), join(stateRoot, 'other.md'));
    expect(outcome(await call('fs.write', { path: '@state/other.md', content: 'x' }))).toBe(
      'E_INVALID_FRONTMATTER',
    );
  });
});

describe('the state', () => {
  it('is patched, and answers the hashes', async () => {
    const { call } = await openDesk();
    const update = {
      currentNodeId: { set: 'decide-02-project-type' },
      stepsCompleted: { append: ['step-01-intake'] },
    };
    const result = await call('fs.apply_patch', patch(update));
    const read = await call('fs.read', { path: STATE });
    expect(result).toMatchObject({ ok: true, path: STATE, sha256After: read.ok ? read.sha256 : '' });
  });

  it('an invalid move tells the valid ones', async () => {
    const { call } = await openDesk();
    expect(await call('fs.apply_patch', patch({ currentNodeId: { set: 'end-99' } }))).toEqual({
      ok: false,
      error: {
        code: 'E_INVALID_TRANSITION',
        message: 'Invalid transition: step-01-intake → end-99',
        details: {
          from: 'step-01-intake',
          to: 'end-99',
          allowedNext: [{ to: 'decide-02-project-type', label: 'next' }],
        },
      },
    });
  });

  it.each([
    ['the shape of another tool', { path: STATE, operation: 'updateFrontmatter', update: {} }],
    ['patches', { patches: [] }],
    ['no object', 'x'],
    ['an unknown key', { ...patch({ steps: {} }) }],
  ])('%s is refused with the shape it takes', async (_name, args) => {
    const { call } = await openDesk();
    const result = await call('fs.apply_patch', args as never);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'E_INVALID_ARGS', message: expect.stringContaining('updateFrontmatter') },
    });
  });

  it('nothing else is patched', async () => {
    const { call } = await openDesk({ project: { 'a.md': 'x' } });
    expect(outcome(await call('fs.apply_patch', { ...patch({}), path: '@project/a.md' }))).toBe(
      'E_INVALID_ARGS',
    );
  });

  it('after completion only a confirmed change goes through; an artifact is written and not entered', async () => {
    const done = { currentNodeId: 'end-99', stepsCompleted: ['end-99'] };
    const { call, confirmations } = await openDesk({ state: done });
    const change = patch({ variables: { set: { a: 1 } } });
    const refused = await call('fs.apply_patch', change);
    if (refused.ok) throw new Error('not refused');
    expect(refused.error.code).toBe('STATE_CHANGE_REQUIRES_CONFIRMATION');
    expect(outcome(await call('fs.write', { path: '@project/artifacts/late.md', content: 'x' }))).toBe('ok');
    const { change: named } = refused.error.details as { readonly change: string };
    confirmations.confirm(named);
    expect(outcome(await call('fs.apply_patch', change))).toBe('ok');
  });
});

describe('policy', () => {
  it('a tool that is off is not run, however it is called', async () => {
    const { call, projectRoot } = await openDesk({ settings: { fs: { enabled: false } } });
    for (const name of ['fs.list', 'fs.read', 'fs.search', 'fs.write', 'fs.apply_patch']) {
      expect([name, outcome(await call(name, { path: '@project/x', content: 'x' }))]).toEqual([
        name,
        'TOOL_NOT_AVAILABLE',
      ]);
    }
    expect(existsSync(join(projectRoot, 'x'))).toBe(false);
  });

  it.each(['fs.delete', 'terminal.run', '', 'constructor', '/Users/kim/x'])('%j is no tool', async (name) => {
    const { call } = await openDesk();
    const result = await call(name, {});
    expect(outcome(result)).toBe('TOOL_NOT_AVAILABLE');
    expect(JSON.stringify(result)).not.toContain('/Users');
  });
});

describe('the audit', () => {
  it('has a line for every call, refused ones too, without contents, and no tool writes it', async () => {
    const { call, stateRoot = '' } = await openDesk();
    const secret = 'do not keep this in a log '.repeat(20);
    await call('fs.write', { path: '@project/a.md', content: secret });
    await call('fs.write', { path: '@state/logs/execution.jsonl', content: '' });
    await call('nope', {});
    const text = readFileSync(join(stateRoot, 'logs/execution.jsonl'), 'utf8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ toolCallId, toolName, output }) => `${toolCallId} ${toolName} ${output.ok}`)).toEqual(
      ['call_1 fs.write true', 'call_2 fs.write false', 'call_3 nope false'],
    );
    expect(lines[0]).toMatchObject({
      ts: '1970-01-01T00:00:00.005Z',
      kind: 'tool.exec',
      agentId: 'sm',
      input: { path: '@project/a.md', content: { bytes: secret.length, sha256: expect.any(String) } },
      durationMs: 5,
    });
    expect(text).not.toContain('do not keep');
  });

  it('a full file is set aside and no line is lost', async () => {
    const { call, stateRoot = '', keeper } = await openDesk();
    const old = `${JSON.stringify({ old: 'x'.repeat(1000) })}\n`.repeat(260);
    await keeper?.writeText('logs/execution.jsonl', old);
    await call('fs.list', { path: '@project' });
    expect(readFileSync(join(stateRoot, 'logs/execution-0001.jsonl'), 'utf8')).toBe(old);
    expect(readFileSync(join(stateRoot, 'logs/execution.jsonl'), 'utf8').split('\n').length).toBe(2);
  });
});

describe('a package in its archive', () => {
  it('is read like a folder, and not written', async () => {
    const source = memorySource(packageTexts());
    if (!source.ok) throw new Error(source.error.code);
    const { call } = await openDesk({ pkg: source.value });
    const step = '@pkg/workflows/hb/steps/a.md';
    expect(await call('fs.read', { path: step })).toMatchObject({
      ok: true,
      path: step,
      content: expect.stringContaining('Do the work.'),
    });
    expect(await call('fs.list', { path: '@pkg' })).toMatchObject({
      path: '@pkg',
      entries: expect.arrayContaining([{ name: 'bmad.json', kind: 'file' }]),
    });
    expect(
      await call('fs.search', { path: '@pkg/workflows', pattern: 'Do the work', maxMatches: 2 }),
    ).toMatchObject({ truncated: true, matches: [{ line: 7 }, {}] });
    expect(outcome(await call('fs.write', { path: '@pkg/x', content: '' }))).toBe('E_SANDBOX_VIOLATION');
    expect(await call('fs.read', { path: '@pkg/no.md' })).toEqual({
      ok: false,
      error: { code: 'ENOENT', message: 'File not found: @pkg/no.md' },
    });
    expect(outcome(await call('fs.read', { path: '@pkg/../x' }))).toBe('E_SANDBOX_VIOLATION');
  });
});
