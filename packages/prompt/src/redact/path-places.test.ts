import { describe, expect, it, test } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { createRedactor } from './redactor.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;

/** First folders of images, of machines that build, and of routes. */
const ROOTS = [
  '/app',
  '/code',
  '/src',
  '/build',
  '/pkg',
  '/content',
  '/project',
  '/repo',
  '/function',
  '/acme',
];
const TAILS = ['zebulon/main.py', 'src/zebulon.rs', 'zebulon.go'];

/** Places where only a file of a disk stands. */
const PLACES: Readonly<Record<string, (path: string) => string>> = {
  'a trace of Python': (path) => `Traceback (most recent call last):\n  File "${path}", line 33, in run`,
  'a trace of Node': (path) => `    at run (${path}:12:3)`,
  'a trace of Go': (path) => `goroutine 1 [running]:\nmain.main()\n\t${path}:15 +0x1d`,
  'a trace of Ruby': (path) => `${path}:12:in 'total'`,
  'a trace of .NET': (path) => `   at Acme.Run() in ${path}:line 42`,
  'a message of PHP': (path) => `PHP Warning: x in ${path} on line 12`,
  'a panic of Rust': (path) => `thread 'main' panicked at ${path}:10:5`,
  'a message of a compiler': (path) => `${path}(3,4): error TS1005`,
  'an error of Node': (path) => `ENOENT: no such file or directory, open '${path}'`,
  'an error of Python': (path) => `PermissionError: [Errno 13] Permission denied: '${path}'`,
  'an error of a program': (path) => `cat: ${path}: No such file or directory`,
  'an error of a shell': (path) => `bash: ${path}: Permission denied`,
  'an error of Go': (path) => `open ${path}: no such file or directory`,
  'an error of npm': (path) => `npm ERR! path ${path}`,
  'a command': (path) => `$ cat ${path}`,
  'a command behind another': (path) => `make && cp ${path} out`,
  'an interpreter': (path) => `python ${path}`,
  'a recipe for an image': (path) => `COPY x ${path}`,
  'the start of an image': (path) => `CMD ["run", "${path}"]`,
  'a volume': (path) => `docker run -v ./data:${path}:ro img`,
  'a folder to work in': (path) => `docker run --workdir ${path} img`,
  'a copy out of a container': (path) => `docker cp box:${path} .`,
  'an environment': (path) => `PWD=${path}`,
  'a variable of a folder': (path) => `ACME_HOME=${path}`,
  'a list of folders': (path) => `PYTHONPATH=/usr/lib:${path}`,
  'a field': (path) => `cwd: ${path}`,
  'a prompt of a shell': (path) => `root@3f2a1b:${path}# ls`,
};

describe.each(inTurn(Object.entries(PLACES), 4))('in %s', (_place, write) => {
  test.each(ROOTS)('a path below %s is masked, alone, among other lines, and in a value', (root) => {
    for (const tail of TAILS) {
      const text = write(`${root}/${tail}`);
      for (const around of [text, `It failed.\n${text}\nSee above.`]) {
        expect(redact(around)).not.toContain('zebulon');
        expect(JSON.stringify(redactor.redactValue({ note: around }).value)).not.toContain('zebulon');
        expect(redact(JSON.stringify({ note: around }))).not.toContain('zebulon');
        expect(redact(redact(around))).toBe(redact(around));
      }
    }
  });
});

test.each([
  '/usr/src/app/zebulon/main.js',
  '/usr/src/zebulon/run.py',
  '/usr/local/airflow/zebulon.py',
  '/layers/paketo_npm/zebulon',
  '/cnb/process/zebulon',
  '/bitnami/wordpress/zebulon.php',
  '/tekton/results/zebulon',
  '/nix/var/nix/profiles/per-user/zebulon/profile',
  '/nix/store/0c5x8sdy4wh7bq3i1zkvm9n2p6rlagfj-nixos-system-zebulon-24.05',
  'dbfs:/FileStore/zebulon.csv',
  '/data/local/tmp/zebulon.apk',
  '/var/containers/Bundle/zebulon',
])('%s is masked wherever it stands', (path) => {
  for (const text of [path, `see ${path} for it`, `"${path}"`, JSON.stringify({ x: path })])
    expect(redact(text)).not.toMatch(/zebulon/);
});

it('a key that holds paths tells as much as a line of text does', () => {
  const { value } = redactor.redactValue({
    cwd: '/app/zebulon',
    env: { DATA_DIR: '/code/zebulon' },
    route: '/app/home',
  });
  expect(value).toEqual({ cwd: '[removed:path]', env: { DATA_DIR: '[removed:path]' }, route: '/app/home' });
});

/** Routes, folders of images that everybody has, and what every system has, in the same places. */
test.each([
  'GET /app/login',
  'href="/app/users"',
  'the /app/ folder',
  '| `GET` | `/app/users/:id` | list |',
  'app.get("/app/users", list)',
  "urlpatterns = [path('app/users/', list)]",
  'POST /code/exchange HTTP/1.1',
  '"GET /app/orders HTTP/1.1" 404 19',
  'ERROR 404: /app/orders not found',
  'path=/app/orders status=200 duration=12ms',
  '{"path":"/app/orders","status":200}',
  'BASE_PATH=/app/v2',
  'redirect_uri=/app/callback',
  'Set-Cookie: a=b; Path=/app/x',
  'Disallow: /app/private-area',
  'Visit /app/orders and click New.',
  'import x from "/src/lib/x.ts"',
  '<script type="module" src="/src/main.tsx"></script>',
  '/app/[slug]/page.tsx',
  'location ~ ^/app/(.+)$ { proxy_pass http://up/$1; }',
  'COPY --from=build /app/dist /usr/share/nginx/html',
  'CMD ["node", "/app/server.js"]',
  'volumes:\n  - ./src:/app/src\n  - /app/node_modules',
  'ENV PATH=/app/node_modules/.bin:$PATH',
  'docker cp web:/app/dist ./dist',
  'docker run -v /host/path:/container/path img',
  'cat /path/to/file',
  'cat /etc/os-release',
  'cp /etc/nginx/nginx.conf /etc/nginx/nginx.conf.bak',
  "ENOENT: no such file or directory, open '/etc/hosts'",
  'File "/usr/lib/python3.12/asyncio/runners.py", line 194, in run',
  'bazel build //src/main:x',
  'Error: cannot read s3://bucket/key/x',
  '/usr/src/linux-headers-6.8.0-31/include/linux/fs.h',
  '/usr/src/debug/glibc-2.39/malloc/malloc.c:12',
  '/layers/2/weights',
])('%s stays', (text) => {
  expect(redact(text)).toBe(text);
  expect(redact(`Before.\n${text}\nAfter.`)).toBe(`Before.\n${text}\nAfter.`);
});

describe('folders of other machines and of file systems', () => {
  test.each([
    'javac @/srv/zebulon/args.txt',
    'curl -d @/home/zebulon/body.json u',
    'curl --data-binary=@/Users/zebulon/b u',
    'curl -F file=@/home/zebulon/x.png u',
    '/dev/sda1 on /mnt/zebulon type ext4 (rw)',
    'UUID=ab-12 /mnt/zebulon ext4 defaults 0 2',
    'fs01:/export/zebulon /mnt nfs',
    'nas.x.test:/volume1/zebulon on /x',
    'scp 10.0.0.2:/data/zebulon/x .',
    '/export/zebulon 10.0.0.0/24(rw)',
    'sda1 8:1 0 1G 0 part /mnt/zebulon',
    '/dev/sda1 100 50 50 50% /mnt/zebulon',
    '/run/containerd/io.containerd.runtime.v2.task/zebulon/rootfs',
    '/project/home/zebulon/workspace',
    '/gcs/zebulon/x',
  ])('are masked: %s', (text) => {
    expect(redact(text)).not.toContain('zebulon');
  });

  test.each([
    "import x from '@/home/components/A'",
    'see @/home/components and @/Users/list',
    '"@/srv/*": ["src/srv/*"]',
    'GET host1:/api/users',
    'at 10.0.0.1:/health/live',
    'see docs.test:/guide/data',
    'the socket /run/containerd/containerd.sock',
    'open /mnt and /export',
  ])('are not what only looks alike: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
