import { linkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { memorySource } from '@cuebook/files';
import { expect, it } from 'vitest';
import { openDesk, outcome } from '../../test/desk.js';
import { packageTexts } from '../../test/fixture.js';
import { createTerminal } from './terminal.js';

const MARK = 'MARK-7f3a';
const FILES = [
  ...['state/keys/record.key', '.cuebook/journal.db', '.git/config', '.env', 'a/.env.local', 'server.pem'],
  ...['a/id_rsa', '.npmrc', '.aws/credentials', 'secrets.json'],
];

const desk = () =>
  openDesk({
    home: 'state',
    project: {
      ...Object.fromEntries(FILES.map((path) => [path, MARK])),
      '.gitignore': 'secrets.json',
      'a.md': 'a',
    },
  });

it('no file tool reaches what is withheld, by whatever path or link', async () => {
  const { call, projectRoot } = await desk();
  for (const [nth, path] of FILES.entries()) {
    symlinkSync(join(projectRoot, path), join(projectRoot, `link-${nth}`));
    linkSync(join(projectRoot, path), join(projectRoot, `other-${nth}`));
    for (const said of [path, `./a/../${path}`, `link-${nth}`, `other-${nth}`])
      for (const [name, more] of [
        ['fs.read', {}],
        ['fs.search', { pattern: 'MARK' }],
        ['fs.write', { content: 'x' }],
      ] as const) {
        if (name === 'fs.write' && said.startsWith('other')) continue;
        const result = await call(name, { path: `@project/${said}`, ...more });
        expect(JSON.stringify([path, said, name, result])).not.toContain(`${MARK}"`);
        if (name !== 'fs.search')
          expect([said, name, outcome(result)]).toEqual([said, name, 'E_SANDBOX_VIOLATION']);
      }
  }
  const found = await call('fs.search', { path: '@project', pattern: 'MARK' });
  expect(JSON.stringify(found)).not.toContain('"line"');
  for (const folder of ['state', '.git', 'state/keys'])
    expect(outcome(await call('fs.list', { path: `@project/${folder}` }))).toBe('E_SANDBOX_VIOLATION');
  expect(JSON.stringify(await call('fs.list', { path: '@project' }))).not.toMatch(/"state"|server\.pem/);
});

it('no program is started in a folder that is withheld', async () => {
  const { files, projectRoot } = await desk();
  symlinkSync('.git', join(projectRoot, 'folder'));
  const policy = { enabled: true, timeoutMs: 1_000, maxStdoutBytes: 100, maxStderrBytes: 100 } as never;
  const terminal = createTerminal({ policy, files, project: projectRoot });
  for (const cwd of ['@project/.git', '@project/folder', '@project/state/keys', '@project/.CUEBOOK'])
    expect([
      cwd,
      outcome(await terminal.run({ command: 'true', cwd }, new AbortController().signal)),
    ]).toEqual([cwd, 'E_SANDBOX_VIOLATION']);
});

it('nor does one reach it in a package that is still in its archive', async () => {
  const pkg = memorySource({
    ...packageTexts(),
    ...{ '.env': MARK, 'keys/server.pem': MARK, 'notes.md': 'open' },
    'key.md': `-----BEGIN PRIVATE KEY-----\n${MARK}\n-----END PRIVATE KEY-----\n`,
    'conf/secrets.yaml': `password: hunter2${MARK}`,
  });
  if (!pkg.ok) throw new Error(pkg.error.code);
  const { call } = await openDesk({ pkg: pkg.value });
  for (const path of [
    '@pkg/.env',
    '@pkg/keys/server.pem',
    '@pkg/./keys/../.env',
    '@pkg/key.md',
    '@pkg/conf/secrets.yaml',
  ])
    expect([path, outcome(await call('fs.read', { path }))]).toEqual([path, 'E_SANDBOX_VIOLATION']);
  expect(JSON.stringify(await call('fs.search', { path: '@pkg', pattern: 'MARK' }))).not.toContain('"line"');
  expect(JSON.stringify(await call('fs.list', { path: '@pkg/keys' }))).not.toContain('server.pem');
  expect(outcome(await call('fs.read', { path: '@pkg/notes.md' }))).toBe('ok');
});
