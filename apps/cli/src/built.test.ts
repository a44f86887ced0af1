import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { it as always, describe, expect } from 'vitest';
import { part } from '../../../test/part.js';
import { ROOT } from '../../../test/root.js';
import { itInTurn as it, sampled } from '../../../test/runs.js';
import { BIN, cuebook, folderWith, runBuilt } from '../test/cuebook.js';
import { quietIo } from '../test/typed-project.js';
import { COMMANDS } from './commands.js';
import { TEMPLATE } from './init/template.js';
import { parseCall } from './program.js';

// The command as users start it: built, in a process of its own.

function commitAll(cwd: string): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
    [...who, 'commit', '--quiet', '--message', 'All'],
  ])
    execFileSync(part('git').path, args, { cwd });
}

describe('the built command', () => {
  const examples = COMMANDS.flatMap(({ examples: lines }) => lines).filter((line) => !line.includes('|'));

  // A process of its own takes a second to load: some examples with each commit, the others in this one.
  const started = sampled(examples, 3);

  it.each(examples)('does what its help shows: %s', async (line) => {
    const start = started.includes(line) ? runBuilt : cuebook;
    const [, ...words] = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"(.*)"$/, '$1'));
    const cwd = folderWith(TEMPLATE);
    const isRevision = words.includes('HEAD');
    if (isRevision) commitAll(cwd);
    const { code, stdout, stderr } = await start(words, {
      cwd,
      env: { PATH: process.env.PATH, HOME: '/nonexistent' },
    });
    // Two prompts that differ are told so by the exit code too.
    expect(code).toBe(line.startsWith('cuebook diff') && !isRevision ? 1 : 0);
    // What speaks a protocol on standard output tells people on the other one, and of a client that left at once nothing.
    if (!['acp', 'lsp'].includes(words[0] ?? '')) expect(stdout || stderr).not.toBe('');
  });

  const frame = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: {} } });
  it.each([
    { name: 'acp', says: 'no message\n' },
    { name: 'mcp', says: 'no message\n' },
    { name: 'lsp', says: `Content-Length: ${frame.length}\r\n\r\n${frame}` },
  ])('$name ends when it is stopped, though its client keeps the input open', async ({ name, says }) => {
    const child = spawn(process.execPath, [BIN, name], { cwd: folderWith(TEMPLATE), stdio: 'pipe' });
    const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
    const answered = new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdin.write(says);
    await answered;
    child.kill('SIGTERM');
    expect([0, 143]).toContain(await ended);
  });

  const shown = COMMANDS.flatMap(({ shown: lines = [] }) => lines);
  it.each(shown)('understands what its help shows: %s', async (line) => {
    const [, ...words] = line.split(' ');
    const parsed = await parseCall(words, quietIo(folderWith()));
    expect(parsed).toMatchObject({ kind: 'call', command: { name: words[0] } });
  });

  it('has an example of every command in its help', () => {
    const bare = COMMANDS.filter(
      ({ hidden, examples: lines, shown: more = [] }) => hidden !== true && lines.length + more.length === 0,
    );
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it('reads standard input and keeps its exit codes', async () => {
    const cwd = folderWith(TEMPLATE);
    const clean = await runBuilt(['redact', '--name', 'marguerite'], { cwd, input: 'by marguerite\n' });
    expect(clean).toEqual({ code: 0, stdout: 'by [removed:name]\n', stderr: 'Removed: name ×1\n' });
    expect((await runBuilt(['init'], { cwd })).code).toBe(0);
    const broken = folderWith({ ...TEMPLATE, 'sheets/broken.yaml': 'blocks: [' });
    expect((await runBuilt(['check'], { cwd: broken })).code).toBe(1);
    expect((await runBuilt(['render', 'sheet:nope'], { cwd })).code).toBe(2);
  });

  it('knows the definitions of a project that has a copy of @cuebook/define of its own', async () => {
    const cwd = folderWith({
      ...TEMPLATE,
      'agents/prompts/own.ts': `import { definePrompt } from '@cuebook/define';
export default definePrompt({ name: 'own', toolDescription: 'x', prompt: 'Made by a copy of its own.', model: 'careful' });
`,
    });
    for (const part of ['package.json', 'dist', 'bin'])
      cpSync(join(ROOT, 'packages/define', part), join(cwd, 'node_modules/@cuebook/define', part), {
        recursive: true,
      });
    const { code, stdout, stderr } = await runBuilt(['render', 'prompt:own'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Made by a copy of its own.');
  });

  it('exits 3 and says so when git is missing', async () => {
    const outcome = await runBuilt(['render', 'sheet:review@HEAD', '--json'], {
      cwd: folderWith(TEMPLATE),
      env: { PATH: '' },
    });
    expect(outcome.code).toBe(3);
    expect(JSON.parse(outcome.stdout).error.code).toBe('E_GIT');
  });

  it('ends quietly when its reader goes away', async () => {
    const cwd = folderWith({ ...TEMPLATE, 'big.txt': 'word '.repeat(400_000) });
    const command = `"${process.execPath}" "${BIN}" render sheet:review --set change=@big.txt`;
    const script = `${command} 2>err.txt | head -c 10 >out.txt; echo "$PIPESTATUS"; cat err.txt`;
    expect(execFileSync('bash', ['-c', script], { cwd, encoding: 'utf8' })).toBe('0\n');
    expect(readFileSync(join(cwd, 'out.txt')).length).toBe(10);
  });

  always.skipIf(!existsSync('/dev/full'))('says so when its output cannot be written', () => {
    const script = `"${process.execPath}" "${BIN}" help >/dev/full`;
    const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'error E_DISK Standard output could not be written (ENOSPC).\n',
    });
  });

  it('prints large output whole', async () => {
    const cwd = folderWith({ ...TEMPLATE, 'big.txt': 'word '.repeat(400_000) });
    const { stdout } = await runBuilt(['render', 'sheet:review', '--set', 'change=@big.txt', '--json'], {
      cwd,
    });
    expect(JSON.parse(stdout).blocks.at(-1).text.length).toBeGreaterThan(2_000_000);
  });

  it('stops watching on Ctrl-C with exit code 130, quietly', async () => {
    const child = spawn(process.execPath, [BIN, 'check', '--watch'], { cwd: folderWith(TEMPLATE) });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      if (stderr.includes('Watching')) child.kill('SIGINT');
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(130);
    expect(stderr).toBe('Watching for changes; stop with Ctrl-C.\n');
  });
});

describe('a signal', () => {
  const AGENT = (name: string): string =>
    `apiVersion: kagent.dev/v1alpha2\nkind: Agent\nmetadata: { name: ${name} }\nspec: { declarative: { systemMessage: Hi. } }\n`;
  // Tells when the command has begun to listen: from then on it is at work.
  const TELLS = `const { on } = process;
process.on = function (name, ...rest) {
  const answer = on.call(this, name, ...rest);
  if (name === 'SIGTERM') setImmediate(() => process.stderr.write('listening'));
  return answer;
};
`;

  const STOPPED = [
    { args: ['check', '-f', 'k'], signal: 'SIGTERM', code: 143 },
    { args: ['check', '-f', 'k', '--watch'], signal: 'SIGTERM', code: 143 },
    { args: ['check', '-f', 'k'], signal: 'SIGINT', code: 130 },
    { args: ['check', '-f', 'k'], signal: 'SIGHUP', code: 129 },
    { args: ['render', '-f', 'k', '--agent', 'a7'], signal: 'SIGTERM', code: 143 },
    { args: ['diff', '-f', 'k', '-f', 'k', '--agent', 'a7'], signal: 'SIGINT', code: 130 },
  ] as const;
  it.each(sampled(STOPPED, 2))(
    'ends a command that is at work on many files: $args $signal',
    async ({ args, signal, code }) => {
      const files = Array.from({ length: 800 }, (_, i) => [`k/${i}.yaml`, AGENT(`a${i}`)] as const);
      const cwd = folderWith({ ...Object.fromEntries(files), 'tells.cjs': TELLS });
      const child = spawn(process.execPath, ['--require', join(cwd, 'tells.cjs'), BIN, ...args], { cwd });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk.toString();
      });
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
        if (stderr === 'listening') child.kill(signal);
      });
      const ended = await new Promise((resolve) => child.on('close', (...told) => resolve(told[0])));
      expect({ ended, stdout }).toEqual({ ended: code, stdout: '' });
    },
  );
});

describe('the starter', () => {
  it('says so when the built files are missing and this is no clone', () => {
    const folder = folderWith({ 'package.json': '{ "type": "module" }' });
    cpSync(BIN, join(folder, 'apps/cli/bin/cuebook.js'), { recursive: true });
    const { status, stderr, stdout } = start(join(folder, 'apps/cli/bin/cuebook.js'));
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toMatch(/^error E_BUILD /);
    expect(stderr).not.toContain('    at ');
  });

  it('builds once in a clone that is not built', () => {
    const build =
      "import('node:fs').then((fs) => { fs.mkdirSync('apps/cli/dist/bin', { recursive: true }); fs.writeFileSync('apps/cli/dist/bin/main.js', 'console.log(6 * 7)'); })";
    const folder = folderWith({
      'package.json': JSON.stringify({
        name: 'cuebook-workspace',
        type: 'module',
        scripts: { build: 'node build.js' },
      }),
      'build.js': build,
    });
    cpSync(BIN, join(folder, 'apps/cli/bin/cuebook.js'), { recursive: true });
    const first = start(join(folder, 'apps/cli/bin/cuebook.js'));
    expect(first).toEqual({ status: 0, stdout: '42\n', stderr: 'Building cuebook once…\n' });
    symlinkSync(join(folder, 'apps/cli/bin/cuebook.js'), join(folder, 'cuebook'));
    expect(start(join(folder, 'cuebook'))).toEqual({ status: 0, stdout: '42\n', stderr: '' });
  });
});

function start(bin: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin], { encoding: 'utf8' });
  return { status, stdout, stderr };
}
