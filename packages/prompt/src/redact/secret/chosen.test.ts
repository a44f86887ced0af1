import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { createLiveWords } from '../live-words.js';
import { createRedactor } from '../redactor.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;

/** Where nobody wrote down that a password stands; `%` is where. */
const PLACES: readonly string[] = [
  'the password is %',
  'Your password has been reset to "%"',
  'use % as the password',
  '`%` is the password',
  'change the password from old to %',
  'log in as ada with %',
  'credentials: ada / %',
  'Here you go: ada / %',
  '# Secrets for authentication using CHAP\nada pptpd % *',
  '"ada" * "%" *',
  '# /etc/rsyncd.secrets\nada:%',
  'plain:\n  driver = plaintext\n  public_name = PLAIN\n  client_send = : ada : %',
  'set superusers="ada"\npassword ada %',
  'vrrp_instance VI {\n authentication {\n   auth_pass %\n }\n}',
  "app.secret_key = b'%'",
  'memcache_secret_key = %',
  'community: %',
  'erlang_cookie: %',
  "option key '%'",
  'wpa2-pre-shared-key="%"',
  'password_confirmation=%',
  'password1: %',
  'user[password]=%&commit=x',
  'Content-Disposition: form-data; name="password"\n\n%\n------x',
  'psql postgres://ada:%@h/d',
  'exp ada/%@orcl file=x',
  'rar a -hp% a.rar f',
  'echo -e "%\\n%" | passwd ada',
  'security unlock-keychain -p % login.keychain',
  "INSERT INTO users (name, password) VALUES ('ada', '%');",
  "UPDATE users SET pass=md5('%') WHERE id=1;",
  'CREATE USER ada IDENTIFIED BY %;',
  "bcrypt.hash('%', 10)",
  "jwt.sign(payload, '%')",
  "new Sequelize('d', 'ada', '%', { dialect: 'x' })",
  "base64.b64encode(b'ada:%')",
  'page.getByLabel("Password").fill("%")',
  "fill_in 'Password', with: '%'",
  '<input value="%" type="password">',
  '<password><![CDATA[%]]></password>',
  '<wsse:Password Type="x#PasswordText">%</wsse:Password>',
  'password: Some("%")',
  'if (pass.equals("%"))',
  'variable "db_password" {\n  type = string\n  default = "%"\n}',
];

/** What a person takes. */
const password = fc
  .oneof(
    fc.stringMatching(/^[a-z]{4,7}[0-9]{1,3}[-][A-Z][a-z]{3,5}[!#]$/),
    fc.stringMatching(/^[A-Z][a-z]{4,6}[0-9]{2,4}!$/),
    fc.stringMatching(/^[a-z]{2}[0-9][a-z]{2}[0-9][a-z]{3}&[0-9]$/),
  )
  .filter((word) => new Set(word).size >= 7);
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 });

describe('a password that a person chose', () => {
  it.each(PLACES)('is taken out beside a word of signing in: %j', (place) => {
    fc.assert(
      fc.property(password, fc.constantFrom('', 'Before.\n'), (word, before) => {
        expect(redact(before + place.replaceAll('%', () => word))).not.toContain(word.slice(0, 8));
      }),
      runs(10, 200),
    );
  });

  it.each(PLACES)('is never told live: %j', (place) => {
    fc.assert(
      fc.property(password, sizes, (word, cuts) => {
        const text = place.replaceAll('%', () => word);
        const words = createLiveWords(redactor);
        let told = '';
        let at = 0;
        for (const size of cuts) {
          told += words.feed(text.slice(at, at + size));
          at += size;
        }
        told += words.feed(text.slice(at)) + words.flush();
        expect(told).not.toContain(word.slice(0, 8));
      }),
      runs(5, 100),
    );
  });

  it.each([...'!#$%&@'])(
    'is taken out or not wherever the text begins, whatever stands before its %j',
    (sign) => {
      for (const before of '*+^~_.-Kx7') {
        const told = ['', ' ', '  ', '   ', 'é '].map((lead) =>
          redact(`${lead}the password is bLau_kim7${before}${sign}Xt`).slice(lead.length),
        );
        expect(new Set(told).size).toBe(1);
        if (sign === '!') expect(told[0]).not.toContain('bLau');
      }
    },
  );

  it.each([
    'the token of user 42: see https://x.test/rfc7517#section-4.1 and jobs!422',
    'the password of a.flags&8772 || e.token&134217728, c%2?o:a, return!1',
    'auth-lib@1.2.3 pkg@~2.0.4 git@host1.test v5.14-rc1~40^2~43',
    'login$1, lambda$0$Type, resourceState$jscomp$0, updateTask$1 of the account',
    'token=%20abc%3D1 and user?x=1&amp;name=2&key1=value2',
    'password must have 8 characters, a digit1 and a sign!',
    'printf("%08x %.4sxx user12%s", pass)',
    'r1.data!.password, s3#createSession, issue user/repo#123, 148#annotations',
    'margin: 100%!important; /* account */',
    'the secret of ES2015 and Windows 95!',
  ])('is not seen in: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
