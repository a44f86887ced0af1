import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { kindByContent } from './by-content.js';
import { kindByName } from './names.js';

const PASSWORD = 'sw0rdFish92q';
const TOKEN = 'ghx9Kq2Lm4Zt8Wv3Rb7Ny1Pc6';

const isWithheld = (path: string, words: string): boolean => {
  const names = path.split('/');
  return (
    names.some((name, at) => kindByName(name, names[at - 1]) !== undefined) ||
    kindByContent(path, Buffer.from(words, 'latin1')) !== undefined
  );
};

/** Settings as their tools write them: `secret` stands for the word that signs in. */
const SETTINGS: Readonly<Record<string, (secret: string) => string>> = {
  '.yarnrc.yml': (secret) => `npmAuthToken: ${secret}\n`,
  'auth.json': (secret) => `{"github-oauth":{"github.com":"${secret}"}}`,
  'conf/auth.json': (secret) =>
    `{"auths":{"r.test":{"auth":"${Buffer.from(`a:${secret}`).toString('base64')}"}}}`,
  'NuGet.Config': (secret) => `<add key="ClearTextPassword" value="${secret}" />`,
  'settings.xml': (secret) => `<server>\n  <password>${secret}</password>\n</server>`,
  'gradle.properties': (secret) => `org.gradle.jvmargs=-Xmx1g\nsigning.password=${secret}\n`,
  cqlshrc: (secret) => `[authentication]\nusername = a\npassword = ${secret}\n`,
  'pg_service.conf': (secret) => `[x]\nhost=h\npassword=${secret}\n`,
  'etc/odbc.ini': (secret) => `[x]\nUID=a\nPWD=${secret}\n`,
  'pip.conf': (secret) => `[global]\nindex-url=https://a:${secret}@pypi.test/simple\n`,
  '.condarc': (secret) => `channels:\n  - https://conda.test/t/ab-${secret}/x\n`,
  'bunfig.toml': (secret) => `[install.registry]\ntoken = "${secret}"\n`,
  '.mcp.json': (secret) => `{"mcpServers":{"g":{"env":{"GITHUB_TOKEN":"${secret}"}}}}`,
  '.cursor/mcp.json': (secret) => `{"mcpServers": {"x": {"env": {"API_KEY": "${secret}"}}}}`,
  '.continue/config.json': (secret) => `{"models": [{"title": "m", "apiKey": "${secret}"}]}`,
  'hosts.ini': (secret) => `[web]\nh1 ansible_host=10.0.0.1 ansible_password=${secret}\n`,
  'appsettings.Production.json': (secret) =>
    `{"ConnectionStrings":{"Main":"Server=h;Database=d;User Id=a;Password=${secret};"}}`,
  'wp-config.php': (secret) => `<?php\ndefine( 'DB_PASSWORD', '${secret}' );\n`,
  'settings.local.php': (secret) => `<?php\n$databases = ['password' => '${secret}'];\n`,
  'config.inc.php': (secret) => `<?php\n$cfg['Servers'][1]['password'] = '${secret}';\n`,
  'database.yml': (secret) => `production:\n  adapter: x\n  password: ${secret}\n`,
  'application-prod.yml': (secret) => `spring:\n  datasource:\n    password: ${secret}\n`,
  'tomcat-users.xml': (secret) => `<user username="a" password="${secret}" roles="manager"/>`,
  'unattend.xml': (secret) => `<AutoLogon><Password>\n<Value>${secret}</Value></Password></AutoLogon>`,
  'Groups.xml': (secret) => `<Properties cpassword="${secret}" userName="a"/>`,
  '.muttrc': (secret) => `set imap_user=a\nset imap_pass="${secret}"\n`,
  'redis.conf': (secret) => `port 6379\nmasterauth ${secret}\n`,
  shadow: (secret) => `root:$6$ab$${secret}${secret}:19000:0:99999:7:::\n`,
  'shadow.bak': (secret) => `daemon:*:1:::::\nada:$y$j9T$ab$${secret}${secret}:19000:0:::::\n`,
  'userlist.txt': (secret) => `"ada" "${secret}"\n`,
  'prod.rdp': () => 'full address:s:h\npassword 51:b:01000000D08C9DDF0115D111\n',
  Cookies: () => 'SQLite format 3\0cookies encrypted_value',
  SAM: () => 'regf\0\0\0\0',
};

/** What stands there where nothing signs in. */
const REFERENCES = ['\x24{DB_PASSWORD}', '<%= ENV["X"] %>', '{{ vault.x }}', '', 'xxxxxx', '***'];

describe('settings in which people write how they sign in', () => {
  it.each(Object.entries(SETTINGS))('are withheld with such words: %s', (path, write) => {
    for (const secret of [PASSWORD, TOKEN])
      expect([path, isWithheld(path, write(secret))]).toEqual([path, true]);
    const copy = `${path}.bak`;
    expect([copy, isWithheld(copy, write(TOKEN))]).toEqual([copy, true]);
  });

  it.each(Object.entries(SETTINGS).filter(([, write]) => write('1') !== write('2')))(
    'stay without: %s',
    (path, write) => {
      // The entry of a registry is the base64 of a whole login, whatever stands in it.
      if (path === 'conf/auth.json' || path === 'auth.json') return;
      for (const value of REFERENCES)
        expect([path, value, isWithheld(path, write(value))]).toEqual([path, value, false]);
    },
  );

  it('are what they are called: the same words in a file of another name are no reason', () => {
    for (const [path, write] of Object.entries(SETTINGS))
      expect([path, isWithheld('src/notes.md', write(PASSWORD))]).toEqual([path, false]);
  });

  it('for all passwords of letters and a digit, whatever stands around the line', () => {
    const secret = fc.stringMatching(/^[a-z]{3,12}[0-9][A-Za-z0-9._-]{4,12}$/);
    const around = fc.array(fc.constantFrom('# a remark', '', 'host = h', 'port: 1', '; x'), {
      maxLength: 4,
    });
    const lines = [
      'cqlshrc',
      'pg_service.conf',
      'bunfig.toml',
      'database.yml',
      '.muttrc',
      'gradle.properties',
    ];
    fc.assert(
      fc.property(secret, around, around, fc.constantFrom(...lines), (word, before, after, path) => {
        const words = [...before, SETTINGS[path]!(word), ...after].join('\n');
        expect([words, isWithheld(path, words)]).toEqual([words, true]);
      }),
      runs(200, 20_000),
    );
  });
});

describe('what a program keeps of a sign-in', () => {
  it.each([
    ...[
      '.config/Bitwarden CLI/data.json',
      '.config/1Password/x',
      '.config/gspread/creds.json',
      '.wakatime.cfg',
    ],
    ...[
      '.amp/secrets.json',
      '.llm/keys.json',
      '.lein/credentials.clj.gpg',
      '.netrc.gpg',
      'azureProfile.json',
    ],
    ...[
      '.config/neonctl/credentials.json',
      '.modal.toml',
      '.config/vastai/vast_api_key',
      '.pub-cache/credentials.json',
    ],
    ...['AppData/Roaming/GitHub-Copilot/apps.json', 'Library/Application Support/com.vercel.cli/auth.json'],
    ...['Library/Keychains/login.db', 'etc/letsencrypt/archive/x/1', 'etc/ssl/private/x', 'krb.ccache'],
    ...[
      '.config/google-chrome/Default/Cookies',
      'Default/Login Data',
      '.acme.sh/account.conf',
      '.tsh/keys/x',
    ],
    ...['.jfrog/jfrog-cli.conf.v6', '.confluent/config.json', '.github_token', '.hf_token', '.api_key'],
  ])('is withheld by its name: %s', (path) => {
    expect(isWithheld(path, '')).toBe(true);
  });

  it.each([
    ...[
      '.config/nvim/init.lua',
      '.config/config.toml',
      'src/share/remmina.ts',
      '.vscode/settings.json',
      'ssl/cert.md',
    ],
    ...[
      'src/cookies.ts',
      'hosts',
      'system',
      'lib/security',
      'docs/shadow.md',
      'apps/openai/index.ts',
      '.astro/types.d.ts',
    ],
    ...[
      'packages/stripe/config.toml',
      'test/aerc.conf',
      'src/jenkins/secrets/read.go',
      'pkg/run/secrets.go',
      '.cursor/rules/a.mdc',
    ],
    ...[
      'usr/share/keyrings/debian.gpg',
      'src/tokens/github_token.md',
      '.gitlab-ci.yml',
      'mix.exs',
      'application.yml',
    ],
  ])('is not what only looks alike: %s', (path) => {
    expect(isWithheld(path, 'server:\n  port: 8080\n  password: \x24{PASSWORD}\n')).toBe(false);
  });
});
