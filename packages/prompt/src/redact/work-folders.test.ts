import { describe, expect, it } from 'vitest';
import { createRedactor } from './redactor.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;

/** Work folders of containers and builds that have no other reading: masked in any text. */
const NAMED = [
  ...[
    '/usr/src/app',
    '/usr/app',
    '/usr/local/app',
    '/workspace',
    '/workspaces',
    '/workdir',
    '/data00',
    '/data1',
  ],
  ...[
    '/builds/group',
    '/github/workspace',
    '/home/runner/work',
    '/__w',
    '/_work',
    '/runner/_work',
    '/agent/_work',
  ],
  ...['/jenkins/workspace', '/actions-runner/_work', '/buildkite/builds', '/drone/src', '/bitrise/src'],
  ...['/codebuild/output', '/opt/app', '/opt/build/repo', '/opt/app-root/src', '/srv/app', '/home/node/app'],
  ...['/var/app', '/var/task', '/home/circleci/project', '/teamcity/work', '/vercel/path0'],
];
/** The same that are first words of routes and of addresses of a page's sources too: what is below, or the place, decides. */
const GENERIC = [
  '/app',
  '/src',
  '/src/app',
  '/app/src',
  '/code',
  '/build',
  '/project',
  '/repo',
  '/work',
  '/data',
  '/apps',
];

const TAILS = ['zebulon', 'zebulon/notes.md', 'zebulon/src/main.ts', 'src/zebulon.tsx'];
/** Files that no page links to and no route ends in. */
const DISK_TAILS = [
  'zebulon/main.py',
  'zebulon/run.go',
  'src/zebulon.rs',
  'zebulon/db.sqlite',
  'zebulon/a.log',
  'zebulon/x.csv',
];
/** Where a path stands in any text. */
const PROSE: Readonly<Record<string, (path: string) => string>> = {
  alone: (path) => path,
  'a sentence': (path) => `Look at ${path} please.`,
  quotes: (path) => `open "${path}" now`,
  backticks: (path) => `see \`${path}\` there`,
  'a link': (path) => `[x](${path})`,
  'a value': (path) => JSON.stringify({ a: path }),
  'a list': (path) => `- ${path}`,
  'a table': (path) => `| ${path} | 3 |`,
};
/** Where only a path of a disk stands. */
const ON_DISK: Readonly<Record<string, (path: string) => string>> = {
  'a trace': (path) => `  File "${path}", line 3, in run`,
  'an error': (path) => `ENOENT: no such file or directory, open '${path}'`,
  'a command': (path) => `$ cat ${path}`,
  'a prompt': (path) => `root@3f2a:${path}# ls`,
  'a folder to work in': (path) => `cwd: ${path}`,
  'a volume': (path) => `docker run -v ./x:${path} img`,
};

const left = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => /zebulon/.test(redact(text)));

describe.each(Object.entries(PROSE))('in %s', (_place, put) => {
  it('a path below a work folder of a machine is masked', () => {
    expect(
      left(NAMED.flatMap((root) => [...TAILS, ...DISK_TAILS].map((tail) => put(`${root}/${tail}`)))),
    ).toEqual([]);
  });

  it('a path below a folder that is a route too is masked where its file is one of a disk', () => {
    expect(left(GENERIC.flatMap((root) => DISK_TAILS.map((tail) => put(`${root}/${tail}`))))).toEqual([]);
  });

  it('any other path below such a folder stays: it may be a page', () => {
    for (const root of ['/app', '/src', '/src/app', '/build'])
      for (const tail of ['orders', 'orders/12', 'page.tsx', 'main.ts', 'guide/intro.md', 'settings/team']) {
        const text = put(`${root}/${tail}`);
        expect(redact(text)).toBe(text);
      }
  });
});

it.each(Object.entries(ON_DISK))('in %s a path below any of them is masked', (_place, put) => {
  expect(left([...NAMED, ...GENERIC].flatMap((root) => TAILS.map((tail) => put(`${root}/${tail}`))))).toEqual(
    [],
  );
});

it.each([
  'WORKDIR /usr/src/app',
  'WORKDIR /usr/app',
  'WORKDIR /app',
  'WORKDIR /workspace',
  'COPY . /app/src',
  'COPY --from=build /src/app/dist ./dist',
  'CMD ["node", "/app/server.js"]',
  'import App from "/src/app/app.component.ts"',
  'GET /src/app/main.ts 304',
  'GET /app/orders/12 HTTP/1.1',
  '<a href="/app/settings/team">',
  '<script type="module" src="/src/app/main.ts"></script>',
  'router.get("/build/:id/log", show)',
  'Visit /work/portfolio or /project/alpha.',
  'docker run -w /src/app img',
])('%s stays', (text) => {
  expect(redact(text)).toBe(text);
});
