import { describe, expect, test } from 'vitest';
import { inTurn, share } from '../../../../test/runs.js';
import { createRedactor } from './redactor.js';

/** Knows nobody: what it finds it finds by shape. */
const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;

/** Where machines keep work, by the kind of machine. */
const ROOTS: Readonly<Record<string, readonly string[]>> = {
  servers: [
    '/srv',
    '/workdir',
    '/data00',
    '/data1',
    '/vol2',
    '/volume1',
    '/disk3',
    '/nfs',
    '/scratch',
    '/home2',
    '/mnt/nas',
    '/fs1',
    '/dev/shm',
    '/var/spool/cron',
  ],
  builds: [
    '/workspace',
    '/workspaces',
    '/builds/group',
    '/github/workspace',
    '/__w',
    '/home/runner/work',
    '/codebuild/output',
    '/opt/atlassian/pipelines',
    '/opt/buildagent/work',
    '/var/lib/buildkite-agent/builds',
    '/var/jenkins_home/workspace',
    '/drone/src',
    '/vercel/path0',
    '/home/circleci/project',
    '/agent/_work',
    '/runner/_work',
    '/kaniko/buildcontext',
    '/teamcity/work',
    '/bamboo-agent/xml-data',
  ],
  containers: [
    '/var/lib/docker/volumes',
    '/var/task',
    '/kaggle/working',
    '/content/drive',
    '/host/home/kim',
    '/run/media/kim',
    '/etc/../home/kim',
    '/proc/self/cwd/home/kim',
    '/share/homes/kim',
    '/.backups/Users/kim',
  ],
  homes: [
    '/home/kim',
    '/Users/kim',
    '/root',
    '/export/home/kim',
    '/var/home/kim',
    '/private/var/folders/zz',
    '/System/Volumes/Data/x',
  ],
};

const TAILS: readonly string[] = [
  'zebulon/notes.md',
  'zebulon/src/main.ts',
  'zebulon',
  'zebulon/.cache/x',
  'zebulon.d/a b.txt',
];

/** Files that are private below any folder. */
const SECRET_TAILS: readonly string[] = [
  '.ssh/zebulon',
  '.ssh/id_rsa',
  '.aws/credentials',
  '.gnupg/zebulon.gpg',
  '.kube/config',
  '.env',
  '.env.production',
  'zebulon.pem',
  'tls/zebulon.key',
  'id_ed25519',
  '.netrc',
];
const ANY_ROOTS: readonly string[] = [
  '/etc/zebulon',
  '/snap/zebulon/12',
  '/app',
  '/zebulon',
  '/usr/local/etc/zebulon',
  '/lib/zebulon',
  '/var/zebulon',
];
const SECRET_FOLDERS: readonly string[] = [
  '/etc/zebulon/private/db.txt',
  '/etc/zebulon/secrets/db.txt',
  '/var/zebulon/credentials/db',
  '/opt/z/secrets/x',
  '/usr/local/etc/zebulon/private/a',
];

const WINDOWS: readonly string[] = [
  'C:Users\\zebulon\\x.cs',
  'c:Users\\zebulon',
  'C:\\ProgramData\\acme\\zebulon\\x.cs',
  'C:\\ProgramData\\Zebulon\\keys.txt',
  '\\\\.\\D:\\zebulon\\x.cs',
  '\\\\.\\c:\\zebulon\\x.cs',
  '\\\\?\\D:\\zebulon\\x.cs',
  '\\\\?\\Volume{b75e2c83-0000-0000-0000-602f00000000}\\zebulon\\x',
  '\\\\.\\Volume{b75e2c83-0000-0000-0000-602f00000000}\\zebulon\\x',
  '\\\\?\\UNC\\zebulon-srv\\share\\x',
  '\\\\?\\GLOBALROOT\\Device\\HarddiskVolumeShadowCopy1\\zebulon\\x',
  '\\??\\C:\\zebulon\\x',
  '\\Device\\HarddiskVolume3\\zebulon\\x',
  '\\\\wsl$\\Ubuntu\\srv\\zebulon',
  '\\\\wsl.localhost\\Ubuntu\\srv\\zebulon\\x',
  '\\\\ZEBULON01\\share\\x',
  '\\\\localhost\\c$\\zebulon\\x',
  'D:\\zebulon\\x.cs',
  'E:\\zebulon.txt',
  'D:\\OneDrive - Acme\\zebulon\\a.txt',
  'E:\\Meine Daten (2024)\\zebulon\\a.txt',
  'F:\\Größe & Maß\\zebulon',
  'D:\\a\\zebulon\\zebulon\\src',
  'C:/agent/_work/zebulon',
];

const URLS: readonly string[] = [
  'file:///srv/zebulon/x',
  'file:///etc/zebulon/private/x',
  'file://host/zebulon/x',
  'vscode-remote://ssh-remote+zebulon/srv/zebulon/x',
  'vscode-remote://wsl+Ubuntu/home/zebulon/x',
  'sftp://host/srv/zebulon/x',
  '~zebulon/notes.md',
];

const LOCATED: readonly string[] = [
  'at run (/data/zebulon/main.js:10:5)',
  '#0 /code/zebulon/main.php(10): run()',
  'at run (C:Users\\zebulon\\main.js:10:5)',
  'File "/code/zebulon/main.py", line 3, in run',
  '/code/zebulon/main.go:12: undefined: x',
  'cd /acme/zebulon && make',
  'PWD=/acme/zebulon',
  'pwd\n/acme/hr/zebulon',
  'working directory: /acme/zebulon',
  'docker run --workdir /acme/zebulon x',
  'git -C /acme/zebulon status',
  "make[1]: Entering directory '/acme/zebulon'",
  'rootDir: /acme/zebulon',
  'cwd: /acme/zebulon',
];

/** Ways to write the same path. */
const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  plain: (path) => path,
  percent: (path) => encodeURIComponent(path),
  'percent twice': (path) => encodeURIComponent(encodeURIComponent(path)),
  'json escapes': (path) => path.replaceAll('/', '\\/'),
  'unicode escapes': (path) => path.replaceAll('/', '\\u002f'),
  entities: (path) => path.replaceAll('/', '&#47;'),
  'full width': (path) => path.replaceAll('/', '／'),
  doubled: (path) => path.replace(/(?<=.)\//g, '//'),
  dotted: (path) => path.replace(/(?<=.)\//g, '/./'),
  'zero width': (path) => path.replace(/(?<=\/.)/g, '\u200b'),
};

const PLACES: Readonly<Record<string, (path: string) => string>> = {
  alone: (path) => path,
  prose: (path) => `Look at ${path} please.`,
  quotes: (path) => `open "${path}" now`,
  code: (path) => `const root = '${path}';`,
  json: (path) => JSON.stringify({ a: path }),
  yaml: (path) => `dir: ${path}\nb: 1`,
  flag: (path) => `run --out=${path} -v`,
  list: (path) => `PATH=/usr/bin:${path}:/bin`,
  markdown: (path) => `see [x](${path}) or \`${path}\``,
  cjk: (path) => `路径是${path}。`,
  key: (path) => JSON.stringify({ [path]: 1 }),
};

const LEFT = /zebulon|id_rsa|id_ed25519|credentials|production/i;

describe.each(inTurn(Object.entries(SPELLINGS), 4))('spelled %s', (spelling, spell) => {
  test.each(Object.entries(PLACES))('unknown roots are masked in %s', (_place, put) => {
    const paths = [
      ...Object.values(ROOTS).flatMap((roots) =>
        roots.flatMap((root) => TAILS.map((tail) => `${root}/${tail}`)),
      ),
      ...ANY_ROOTS.flatMap((root) => SECRET_TAILS.map((tail) => `${root}/${tail}`)),
      ...SECRET_FOLDERS,
    ];
    // In the tests every spelling sees a part of the table, plain sees all of it.
    const step = spelling === 'plain' ? 1 : share(7, 1);
    const left = paths
      .filter((_, index) => index % step === 0)
      .map((path) => put(spell(path.includes(' ') && spelling === 'plain' ? path.replace(/ .*/, '') : path)))
      .filter((text) => LEFT.test(redact(text)));
    expect(left).toEqual([]);
  });
});

test.each(Object.entries(PLACES).filter(([place]) => place !== 'list'))(
  'names of Windows are masked in %s',
  (_place, put) => {
    expect(WINDOWS.map(put).filter((text) => LEFT.test(redact(text)))).toEqual([]);
  },
);

test.each([...URLS, ...LOCATED])('%s is masked', (text) => {
  for (const around of [text, `x ${text}`, JSON.stringify({ note: `x ${text}` })]) {
    expect(redact(around)).not.toMatch(LEFT);
  }
});

describe('the first line of a script', () => {
  test.each(['/srv', '/home/kim', '/data00', '/workdir', '/Users/kim'])('#!%s is masked', (root) => {
    expect(redact(`#!${root}/zebulon/bin/python -u\nprint()\n`)).not.toContain('zebulon');
  });

  test.each(['#!/usr/bin/env node', '#!/bin/sh -e', '!/build/keep.txt', '#!/opt/homebrew/bin/bash'])(
    '%s stays',
    (line) => {
      expect(redact(`${line}\nx`)).toBe(`${line}\nx`);
    },
  );
});
