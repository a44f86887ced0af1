import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { inTurn, runs } from '../../../../../test/runs.js';
import { createRedactor } from '../redactor.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Lines of files that hold what somebody signs in with: the line, and what of it is secret, of a password. */
const LINES: Readonly<Record<string, (word: string) => readonly [line: string, secret: string]>> = {
  pgpass: (word) => [`db.test:5432:shop:ada:${word}`, word],
  'pgpass for all': (word) => [`*:*:*:postgres:${word}`, word],
  'pgpass of another port': (word) => [`localhost:6543:shop:ada:${word}`, word],
  'pgpass of an address': (word) => [`10.0.0.5:25060:*:ada:${word}`, word],
  'pgpass of a socket': (word) => [`/var/run/postgresql:5432:*:ada:${word}`, word],
  netrc: (word) => [`machine x.test login ada password ${word}`, word],
  'netrc with an account': (word) => [`machine x.test login ada account z password ${word}`, word],
  'netrc for all': (word) => [`default login ada password ${word}`, word],
  'netrc without a name': (word) => [`machine api.x.test password ${word}`, word],
  'netrc, the name last': (word) => [`machine api.x.test password ${word} login ada`, word],
  'git-credentials': (word) => [`https://ada:${word}@git.test`, word],
  'git credential': (word) => [`protocol=https host=git.test username=ada password=${word}`, word],
  'htpasswd of Apache': () => ['ada:$apr1$Zk3x9QpL$Q2WmN8vB7cX6zL5kJ4hG1.', 'Q2WmN8vB7cX6zL5kJ4hG1'],
  'htpasswd of bcrypt': () => [
    'ada:$2y$05$Q2WmN8vB7cX6zL5kJ4hG1uQ2WmN8vB7cX6zL5kJ4hG1uQ2WmN8vB7',
    'J4hG1uQ2WmN8v',
  ],
  'htpasswd of SHA': () => ['ada:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=', 'W6ph5Mm5Pz8G'],
  'htpasswd of crypt': () => ['.htpasswd ada:rqXexS6ZhobKA', 'rqXexS6ZhobKA'],
  htdigest: () => ['htdigest ada:realm:939e7578ed9e3c518a452acee763bce9', '939e7578ed9e3c51'],
  'my.cnf': (word) => [`password="${word}"`, word],
  'my.cnf without quotes': (word) => [`password=${word}`, word],
  'my.cnf on one line': (word) => [`[client] user=ada password=${word}`, word],
  'pypirc with a token': () => {
    const token = 'pypi-AgEIcHlwaS5vcmcCJGY1YjM2ZjE0LTk4ZWQtNDU4YS1iMjQ2LWQ0ZmU3YzA5YjQ5YwACKlszLCJmN2U2';
    return [`password = ${token}`, token];
  },
  'npmrc with a token': () => [
    '//registry.test/:_authToken=0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9',
    '4e5f-6071-8293',
  ],
  'npmrc with a password': (word) => [
    `//registry.test/:_password="${base64(`${word}#Kx7`)}"`,
    base64(`${word}#Kx7`),
  ],
  'npmrc of old': (word) => [`_auth=${base64(`ada:${word}`)}`, base64(`ada:${word}`)],
  docker: (word) => [`{"auths":{"r.test":{"auth":"${base64(`ada:${word}`)}"}}}`, base64(`ada:${word}`)],
  'a line of docker': (word) => [`"auth": "${base64(`ada:${word}`)}"`, base64(`ada:${word}`)],
  'docker with a token': () => ['"identitytoken": "Kx7vQ2mZp9Lw4tRbXy"', 'Kx7vQ2mZp9Lw'],
  'docker with a name': (word) => [`"r.test": {"username":"ada","password":"${word}"}`, word],
};

/** Where somebody puts such a line. */
const PUT: Readonly<Record<string, (line: string) => string>> = {
  'a line of its own': (line) => line,
  'among lines': (line) => `Before.\n${line}\nAfter.`,
  quotes: (line) => `add "${line}" to it`,
  'single quotes': (line) => `'${line}'`,
  backticks: (line) => `the line \`${line}\` works`,
  'a prompt': (line) => `$ ${line}`,
  'an echo': (line) => `echo '${line}' >> ~/.file`,
  'an echo behind a prompt': (line) => `$ echo "${line}" > f && chmod 600 f`,
  'an echo without quotes': (line) => `echo ${line} >> ~/.file`,
  'a format': (line) => `printf '%s\\n' '${line}' > f`,
  'a here-document': (line) => `cat > f <<EOF\n${line}\nEOF`,
  'a list': (line) => `- ${line}`,
  'a numbered list': (line) => `1. ${line}`,
  'a list of a program': (line) => `lines = ['${line}', 'b']`,
  'a list with commas': (line) => `a, ${line}, b`,
  'a quotation': (line) => `> ${line}`,
  'an indented block': (line) => `    ${line}`,
  'a comment': (line) => `# ${line}`,
  'a sentence': (line) => `Use ${line} for it.`,
  'the end of a sentence': (line) => `It holds ${line}.`,
  brackets: (line) => `(${line})`,
  'a cell of a table': (line) => `| file | ${line} |`,
  'a field': (line) => `file: ${line}`,
  'a log': (line) => `2026-01-01T10:00:00Z INFO ${line}`,
  'a field of a log': (line) => `time=x msg="${line}"`,
  JSON: (line) => `x ${JSON.stringify({ line })}`,
  'a found line': (line) => `.file:3:${line}`,
  'a numbered line': (line) => `3:${line}`,
  'a diff': (line) => `+${line}`,
  'a page': (line) => `<code>${line}</code>`,
  emphasis: (line) => `**${line}**`,
};

/** No good passwords, and good ones. */
const password = fc
  .tuple(
    fc.constantFrom('hunter', 'Tr0ub', 'geheim', 'sommer', 'kX7'),
    fc.stringMatching(/^[a-z0-9]{1,6}[A-Z!_+][0-9]{1,4}$/),
  )
  .map((parts) => parts.join(''))
  .filter((word) => new Set(word).size >= 6);

describe.each(inTurn(Object.keys(LINES), 8))('a line of a file of logins: %s', (file) => {
  it.each(Object.keys(PUT))('is told without its secret in %s', (place) => {
    fc.assert(
      fc.property(password, (word) => {
        const [line, secret] = LINES[file]!(word);
        const clean = redact(PUT[place]!(line));
        expect(clean).not.toContain(secret);
        expect(clean).toContain('[removed:credential]');
        expect(redact(clean)).toBe(clean);
      }),
      runs(20, 200),
    );
  });
});

test.each(['hunter', 'swordfish', 'horse-battery', '123456'])(
  'a plain password of a line of pgpass goes too: %s',
  (word) => {
    for (const text of [
      `db.test:5432:shop:ada:${word}`,
      `echo "db.test:5432:shop:ada:${word}" >> f`,
      `echo db:6000:shop:ada:${word} >> ~/.pgpass`,
      `add '*:*:*:ada:${word}' there`,
    ])
      expect([text, redact(text)]).toEqual([text, expect.not.stringContaining(`:${word}`)]);
  },
);

test.each([
  '[pypi]\nusername = ada\npassword = hunter2x9',
  '[client]\nuser = ada\npassword = hunter2x9\nhost = x',
  '[mysqldump]\npassword = hunter2x9',
  'username = ada\npassword = hunter2x9',
  '# .pypirc\n[server-login]\nusername: ada\npassword: hunter2x9',
])('a setting below its section: %j', (text) => {
  expect(redact(text)).toBe(text.replace('hunter2x9', '[removed:credential]'));
});

/** Colons and words of logins, and nothing to hide. */
test.each([
  'localhost:5432:ready',
  'see 10:15:30:000:abc for it',
  'src/a.ts:1234:17: error: no such name',
  'at 2024-01-01T10:1500:a:b:c',
  'image registry.test:5000:a:b:latest',
  'ports: "127.0.0.1:5432:5432"',
  'fe80:1234:abcd:12:0370:7334',
  '"2001:0000:4136:e378:8000:63bf"',
  'arn:aws:rds:eu-west-1:123456789012:db:shop',
  'db:5432:shop:ada:<password>',
  'format: hostname:port:database:username:password',
  'host.test:5432:db:user:password',
  'urn:1234:name:space:thing',
  'The machine learning login password form',
  'machine x.test login ada password <password>',
  'a machine with a password on it',
  'ada:rqXexS6ZhobKA',
  'file:sha:939e7578ed9e3c518a452acee763bce9',
  'password = input1',
  'user = form.user\npassword = form.password1',
  'const user = a\npassword = sha256\n',
  '[tool.x]\npassword = "required"',
])('%j stays', (text) => {
  expect(redact(text)).toBe(text);
});
