import { linkSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itInTurn, runs } from '../../../../test/runs.js';
import { makeScratch, must, outcome, photograph, plant, WAYS } from '../../test/scratch.js';
import type { Files } from '../contract.js';
import { openFolder } from '../files.js';

const MARK = 'MARK-7f3a';
const PEM = `-----BEGIN OPENSSH PRIVATE KEY-----\n${MARK}\n-----END OPENSSH PRIVATE KEY-----\n`;

/** What no agent gets, with something in it that must not be seen. CUEBOOK_HOME is called `state` here. */
const WITHHELD: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['state/keys/record.key', 'state/journal.db', '.cuebook/keys/a', 'a/.cuebook/token'],
      ...['.git/config', '.git/hooks/post-commit', 'sub/.git'],
      ...['store/config', 'store/HEAD', 'store/refs/heads/main', 'store/objects/ab/cd'],
      ...['server.pem', 'a/server.key', 'x.p12', 'x.pfx', 'x.jks', 'x.keystore', 'x.ppk', 'server.key.bak'],
      ...['id_rsa', 'a/id_ed25519', 'id_ed25519.old', '.server.key.swp', 'deploy.pem~', 'ssh_host_rsa_key'],
      ...['.netrc', '.npmrc', '.pypirc', '.git-credentials', '.pgpass', '.htpasswd', '.vault-token'],
      ...['.aws/credentials', '.kube/config', '.docker/config.json', '.ssh/known', '.config/gcloud/x.json'],
      ...[
        '.env.swp',
        'a/.bash_history',
        '.codex/auth.json',
        '.claude/.credentials.json',
        '.gemini/oauth_creds.json',
      ],
      ...[
        'deploy_id_rsa',
        '.config/rclone/rclone.conf',
        '.oci/config',
        '.bundle/config',
        '.vault_pass',
        'kubeconfig.yaml',
      ],
      ...['service-account.json', 'my-service-account-2.json', 'client_secret_1.json'],
      ...[
        'terraform.tfstate',
        'b/prod.tfstate.backup',
        '#server.key#',
        '.#id_rsa',
        'deploy_ed25519',
        'wg0.conf',
      ],
      ...[
        'accessKeys.csv',
        'login.keychain-db',
        'logins.json',
        '.config/github-copilot/apps.json',
        '.curlrc',
      ],
      ...[
        '.direnv/x',
        '.claude.json',
        'sftp-config.json',
        'openrc.sh',
        '.secrets',
        '.authinfo',
        'clouds.yaml',
      ],
      ...[
        '.zhistory',
        '.octave_hist',
        '.local/share/fish/fish_history',
        '.histfile',
        'ConsoleHost_history.txt',
      ],
      ...['.secrets.toml', '.credentials', '.Renviron', '.envs/.production/.django', '.hg/hgrc', 'CVS/Root'],
      ...[
        '.supabase/access-token',
        '.config/turso/settings.json',
        'opencode/auth.json',
        'prod-kubeconfig.yaml',
      ],
      ...['home.nmconnection', 'a.publishsettings', 'chap-secrets', 'etc/shadow-', 'msal_token_cache.json'],
      ...['.env', '.env.local', '.env.production', '.env.bak', 'a/.env', 'a/.envrc', 'prod.env', '.dev.vars'],
      ...['secrets.json', 'a/tokens.txt', 'terraform.tfvars', 'local/deep/password', 'dist/secrets.yaml'],
    ].map((path) => [path, MARK]),
  ),
  'notes.md': PEM,
  'local/settings.txt': `# mine\nSERVICE_API_KEY=${MARK}\n`,
};

/** What looks alike and is nobody's secret. */
const OPEN: readonly string[] = [
  ...['README.md', 'src/env.ts', 'src/token.ts', 'src/keys.ts', 'a/keyboard.md', 'docs/secrets.md'],
  ...[
    'auth.json',
    'history.md',
    '.codex/config.toml',
    '.claude/settings.json',
    'rclone.md',
    '.circleci/config.yml',
  ],
  ...['.env.example', '.env.sample', '.env.template', 'id_rsa.pub', 'x.pem.md', '.environment', 'git.md'],
  ...['.gitignore', '.gitattributes', '.github/workflows/ci.yml', 'local/plain.txt', 'local/tokenizer.json'],
  ...['node_modules/jwt/lib/token.js', 'dist/auth.js', 'dist/tokens.css'],
  ...['repo/HEAD', 'state-of-things.md', 'cuebook.yaml', 'states/x.md', '.envy'],
  ...[
    'src/history.ts',
    'history',
    'docs/access-token.md',
    'src/cvs/root.ts',
    'kubeconfig.md',
    '.secretsrc.md',
  ],
];

const RULES = 'secrets.json\ntokens.txt\n*.tfvars\nlocal/\nnode_modules\ndist\n';

async function open(options: object = {}) {
  const { root, top } = await makeScratch();
  plant(root, {
    ...WITHHELD,
    ...Object.fromEntries(OPEN.map((path) => [path, 'open'])),
    '.gitignore': RULES,
  });
  mkdirSync(join(root, 'store/objects'), { recursive: true });
  const home = join(root, 'state');
  const files = must(await openFolder(root, { ...options, withhold: { from: 'agent', home } }));
  return { root, top, home, files };
}

const READS: Readonly<Record<string, (files: Files, path: string) => Promise<unknown>>> = {
  readText: (files, path) => files.readText(path),
  readDocument: (files, path) => files.readDocument(path),
  readBytes: async (files, path) => {
    const read = await files.readBytes(path);
    return read.ok ? { ok: true, value: Buffer.from(read.value).toString() } : read;
  },
  readTexts: async (files, path) => (await files.readTexts?.([path]))?.[0],
  search: async (files, path) => {
    const found = await files.search(path, { text: 'MARK', hidden: true, before: 2, after: 2 });
    return found.ok && found.value.matches.length === 0 ? { ok: false, error: { code: 'nothing' } } : found;
  },
};

/** Other ways to say a path, with the links that they need. */
const SPELLINGS: Readonly<Record<string, (root: string, path: string, nth: number) => string>> = {
  plain: (_, path) => path,
  dots: (_, path) => `./a/.././${path}`,
  doubled: (_, path) => path.replaceAll('/', '//'),
  backslash: (_, path) => path.replaceAll('/', '\\'),
  'upper case': (_, path) => path.toUpperCase(),
  'trailing slash': (_, path) => `${path}/`,
  'a link': (root, path, nth) => {
    symlinkSync(join(root, path), join(root, `link-${nth}`));
    return `link-${nth}`;
  },
  'a link to a link': (root, path, nth) => {
    symlinkSync(path, join(root, `first-${nth}`));
    symlinkSync(`./a/../first-${nth}`, join(root, `second-${nth}`));
    return `second-${nth}`;
  },
  'a linked folder': (root, path, nth) => {
    const at = path.lastIndexOf('/');
    symlinkSync(join(root, path.slice(0, Math.max(at, 0))), join(root, `folder-${nth}`));
    return `folder-${nth}/${path.slice(at + 1)}`;
  },
  'a hard link': (root, path, nth) => {
    linkSync(join(root, path), join(root, `other-${nth}.txt`));
    return `other-${nth}.txt`;
  },
};

const MARKED_BY_CONTENT = new Set(['local/settings.txt', 'notes.md']);
/** What only git's rules withhold is known when it is opened. */
const BY_RULES = new Set([
  'secrets.json',
  'a/tokens.txt',
  'terraform.tfvars',
  'local/deep/password',
  'dist/secrets.yaml',
  'local/settings.txt',
]);

describe.each(WAYS)('what is withheld, %s', (way, options) => {
  const isPortable = way === 'portable';
  itInTurn('is read and searched by no spelling and through no link', async () => {
    const { root, files } = await open(options);
    let nth = 0;
    for (const path of Object.keys(WITHHELD))
      for (const [how, spell] of Object.entries(SPELLINGS)) {
        if (isPortable && !how.includes('link')) continue;
        // Another name of a file that its words and its place withhold is another file.
        if (how === 'a hard link' && path === 'local/settings.txt') continue;
        nth += 1;
        const said = spell(root, path, nth);
        for (const [name, read] of Object.entries(READS)) {
          const answer = await read(files, said);
          expect([path, how, name, (answer as { ok: boolean }).ok]).toEqual([path, how, name, false]);
          expect(JSON.stringify(answer)).not.toContain(MARK);
          expect(JSON.stringify(answer)).not.toContain(root);
        }
      }
  });

  it('is neither named in a list nor found in a search of everything', async () => {
    const { files } = await open(options);
    const seen: string[] = [];
    for await (const found of files.walk('.', { ignore: [] })) if (found.ok) seen.push(found.value);
    const named = Object.keys(WITHHELD).filter((path) => seen.includes(path));
    expect(named.filter((path) => !BY_RULES.has(path) && !MARKED_BY_CONTENT.has(path))).toEqual([]);
    expect(seen).toEqual(expect.arrayContaining([...OPEN]));
    const found = must(
      await files.search('.', { text: 'MARK', hidden: true, ignore: [], maxMatches: 1_000 }),
    );
    expect(found.matches.map(({ path }) => path)).toEqual([]);
  });

  it('is not written, removed or made, and neither is anything below it', async () => {
    const { root, files } = await open(options);
    const before = photograph(root);
    for (const path of [
      ...Object.keys(WITHHELD),
      '.git/hooks/new',
      'state/new/x',
      'new/.env',
      '.ssh/x',
      'N.PEM',
    ]) {
      expect([path, outcome(await files.writeText(path, 'x'))]).toEqual([
        path,
        'E_SANDBOX_VIOLATION withheld',
      ]);
      expect([path, (await files.remove(path)).ok]).toEqual([path, false]);
    }
    for (const folder of ['.git/x', '.cuebook', 'state/x', 'store/refs/x', 'a/.aws'])
      expect([folder, outcome(await files.makeDirectory(folder))]).toEqual([
        folder,
        'E_SANDBOX_VIOLATION withheld',
      ]);
    expect((await files.writeAll([{ path: '.git/hooks/x', bytes: new Uint8Array() }])).ok).toBe(false);
    expect(outcome(await files.removeTree('a'))).toBe('E_READ_ONLY');
    expect(photograph(root)).toEqual(before);
  });

  it('is a file that git keeps, too, when name and words both tell of a secret', async () => {
    const { root, files } = await open(options);
    const told: Readonly<Record<string, string>> = {
      'conf/secrets.yaml': `db_password: hunter2-${MARK}`,
      'conf/credentials.json': `{\n  "apiToken": "a1${MARK}"\n}`,
      'conf/passwords': `PASSWORD=4711${MARK}`,
      'conf/sa.json': `{ "type": "service_account", "private_key": "-----BEGIN PRIVATE KEY-----${MARK}" }`,
      'conf/admin.conf': `kind: Config\nusers:\n- user:\n    client-key-data: ${'QUJD'.repeat(12)}\n# ${MARK}`,
      'conf/auth.json': `{"http-basic":{"r.test":{"username":"a","password":"a1${MARK}"}}}`,
      'conf/identity.txt': `# created: 2026\n# public key: age1\nAGE-SECRET-KEY-1${MARK}`,
    };
    const kept: Readonly<Record<string, string>> = {
      'locales/passwords.json': '{\n  "password": "Passwort",\n  "sent": "A password was sent"\n}',
      'chart/templates/secret.yaml': 'kind: Secret\nstringData:\n  password: {{ .Values.password }}',
      'chart/secrets.yaml': 'kind: Secret\nstringData:\n  system.md: |\n    Say hello to all 7 of them.',
      'src/token.ts': 'export interface Token {\n  token: string1234;\n}',
      'docs/passwords.md': 'password: hunter2hunter2',
    };
    plant(root, { ...told, ...kept });
    for (const path of Object.keys(told))
      expect([path, outcome(await files.readText(path))]).toEqual([path, 'E_SANDBOX_VIOLATION withheld']);
    for (const path of Object.keys(kept))
      expect([path, outcome(await files.readText(path))]).toEqual([path, 'ok']);
  });

  it('leaves what only looks alike', async () => {
    const { files } = await open(options);
    for (const path of OPEN) expect([path, outcome(await files.readText(path))]).toEqual([path, 'ok']);
    expect(outcome(await files.writeText('.env.example', 'A='))).toBe('ok');
    expect(outcome(await files.writeText('src/token.ts', ''))).toBe('ok');
  });

  it('is withheld where the open file really is, when its folder is moved meanwhile', async () => {
    const { root } = await makeScratch();
    plant(root, { 'd/a.md': MARK });
    const fault = (): void => {
      try {
        renameSync(join(root, 'd'), join(root, '.ssh'));
      } catch {
        // Moved already.
      }
    };
    const files = must(await openFolder(root, { ...options, fault, withhold: { from: 'agent' } }));
    const read = await files.readText('d/a.md');
    expect(read.ok).toBe(false);
    expect(JSON.stringify(read)).not.toContain(MARK);
  });

  it('for a person it is CUEBOOK_HOME alone', async () => {
    const { root, home, files } = await open(options);
    const own = files.withhold({ from: 'person', home });
    linkSync(join(home, 'journal.db'), join(root, 'copy.txt'));
    for (const path of ['state/journal.db', '.cuebook/keys/a', 'copy.txt'])
      expect([path, outcome(await own.readText(path))]).toEqual([path, 'E_SANDBOX_VIOLATION withheld']);
    for (const path of ['.env', 'server.pem', '.git/config', 'secrets.json', 'notes.md'])
      expect([path, outcome(await own.readText(path))]).toEqual([path, 'ok']);
  });
});

it('a root inside of CUEBOOK_HOME is open to those it was opened for, and the rest of the home is not', async () => {
  const { root } = await makeScratch();
  plant(root, { 'home/workspaces/run/node/a.md': 'mine', 'home/keys/record': MARK });
  const own = join(root, 'home/workspaces/run/node');
  linkSync(join(root, 'home/keys/record'), join(own, 'b.md'));
  const files = must(await openFolder(own, { withhold: { from: 'agent', home: join(root, 'home') } }));
  expect(must(await files.readText('a.md'))).toBe('mine');
  expect(outcome(await files.readText('b.md'))).toBe('E_SANDBOX_VIOLATION withheld');
});

it('a home that is not there yet, or is reached through a link, is withheld all the same', async () => {
  const { root, top } = await makeScratch();
  plant(root, { 'real/keys/a': MARK });
  symlinkSync(join(root, 'real'), join(root, 'linked'));
  symlinkSync(root, join(top, 'way'));
  const at = (home: string) => openFolder(root, { withhold: { from: 'agent', home } }).then(must);
  expect(outcome(await (await at(join(root, 'linked'))).readText('real/keys/a'))).toContain('withheld');
  expect(outcome(await (await at(join(top, 'way/new'))).writeText('new/keys/x', ''))).toContain('withheld');
});

it('a name is taken as the most forgiving file system takes it', async () => {
  const { files } = await open();
  const spellings = fc
    .constantFrom('.git', '.env', '.cuebook', '.ssh', 'id_rsa', 'server.pem', '.npmrc')
    .chain((name) =>
      fc
        .tuple(
          fc.array(fc.boolean(), { minLength: name.length, maxLength: name.length }),
          fc.constantFrom('', '\u200c', '\u00ad', '\ufeff'),
          fc.constantFrom('', '.', ' ', '...', '. .'),
          fc.nat(name.length),
        )
        .map(([upper, invisible, tail, at]) => {
          const cased = [...name].map((char, index) => (upper[index] ? char.toUpperCase() : char)).join('');
          return `${cased.slice(0, at)}${invisible}${cased.slice(at)}${tail}`;
        }),
    );
  await fc.assert(
    fc.asyncProperty(spellings, async (name) => {
      expect([name, outcome(await files.readText(name))]).toEqual([name, 'E_SANDBOX_VIOLATION withheld']);
      const written = outcome(await files.writeText(`new/${name}`, 'x'));
      expect([name, written.startsWith('E_SANDBOX_VIOLATION')]).toEqual([name, true]);
    }),
    runs(60, 5_000),
  );
  for (const name of [
    'GIT~1',
    'ENV~1',
    'ENV~2.LOC',
    'CUEBOO~1',
    '.env:$DATA',
    '.git::$INDEX_ALLOCATION',
    '.ＥＮＶ',
  ])
    expect([name, outcome(await files.readText(name))]).toEqual([name, 'E_SANDBOX_VIOLATION withheld']);
});
