import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inTurn, runs } from '../../../../../test/runs.js';
import { createLiveWords } from '../live-words.js';
import { createRedactor } from '../redactor.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;

/** Where programs print, people type and pages hold a password; `%` is where it stands. */
const PLACES: readonly string[] = [
  'Config { user: "ada", password: Some("%") }',
  'secret: Optional("%")',
  'std::string password{"%"};',
  'Dim dbPassword As String = "%"',
  'my $password = q{%};',
  'local db_password = [[%]]',
  'Array\n(\n    [user] => ada\n    [password] => %\n)',
  'array(2) {\n  ["db_password"]=>\n  string(13) "%"\n}',
  'a:2:{s:4:"user";s:3:"ada";s:8:"password";s:13:"%";}',
  "await page.fill('input[name=\"password\"]', '%');",
  "await page.getByLabel('Password').fill('%');",
  'driver.find_element(By.ID, "password").send_keys("%")',
  'driver.findElement(By.id("password")).sendKeys("%");',
  "cy.get('#password').type('%')",
  'fill_in "Password", with: "%"',
  'Input Password    id=password    %',
  '<input type="password" name="p" value="%">',
  '<input value="%" class="x" type="password">',
  'expect "*?assword:*"\nsend -- "%\\r"',
  '<password type="plain" index="1">%</password>',
  '<Pass encoding="none">%</Pass>',
  'expdp hr/%@orcl DIRECTORY=d',
  'impdp userid=hr/% DUMPFILE=x.dmp',
  'ACL SETUSER ada on >% ~* +@all',
  'sentinel auth-pass mymaster %',
  'db, err := sql.Open("mysql", "ada:%@tcp(db.test:3306)/x")',
  'ada:%@unix(/tmp/mysql.sock)/x',
  'ldap_bind($c, "cn=ada", "%")',
  'new mysqli("db.test", "ada", "%", "x")',
  "new Sequelize('x', 'ada', '%', {})",
  'oci_connect("ada", "%", "orcl")',
  '::add-mask::%',
  'PRIVMSG NickServ :IDENTIFY %',
  'com2sec readonly default %',
  'proxy_set_header Authorization "Basic %";',
  'req.Header.Set("Authorization", "Bearer %")',
  'tokens:\n  - %\n  - other1Token2Value3\n',
  'passwords:\n  - first: no\n    x: 1\n    password: %\n',
  '"passwords": [ "hunter2-Blau!", "%" ]',
  'api_keys = ["Zk4Wq9Lm2Xv7Tr1B", "%"]',
  '"routing_key": "%"',
  'PHPSESSID=%; path=/',
  '"Parameter": {"Name": "/prod/db/password", "Type": "SecureString", "Value": "%"}',
  '{"config":{"url":"https://x.test","secret":"%"}}',
  'curl -u %: https://api.x.test',
];

/** What a program makes, and a person takes who makes it like that. */
const password = fc
  .tuple(fc.stringMatching(/^[A-Z][a-z][0-9][a-zA-Z0-9]{17}$/), fc.constantFrom('', '9'))
  .map((parts) => parts.join(''))
  .filter((word) => new Set(word).size > 11 && /[a-z][A-Z0-9].*\d.*\d/.test(word));

describe('a password where programs print it, people type it and pages hold it', () => {
  it.each(inTurn(PLACES, 8))('is taken out, in a text of its own and of others: %j', (place) => {
    fc.assert(
      fc.property(password, fc.constantFrom('', 'Before.\n', 'Some more.\n\n'), (word, before) => {
        expect(redact(`${before}${place.replace('%', () => word)}`)).not.toContain(word.slice(0, 8));
      }),
      runs(20, 200),
    );
  });

  it.each(inTurn(PLACES, 8))('is never told live: %j', (place) => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 });
    fc.assert(
      fc.property(password, sizes, (word, cuts) => {
        const words = createLiveWords(redactor);
        const text = `${place.replace('%', () => word)}\nand more of it.\n`;
        let told = '';
        let at = 0;
        for (const size of cuts) {
          told += words.feed(text.slice(at, at + size));
          at += size;
        }
        told += words.feed(text.slice(at)) + words.flush();
        expect(told).not.toContain(word.slice(0, 8));
      }),
      runs(10, 200),
    );
  });

  it.each([
    [
      'lines',
      (items: readonly string[]) => `x: 1\ntokens:\n${items.map((item) => `  - ${item}\n`).join('')}end: 1\n`,
    ],
    [
      'brackets',
      (items: readonly string[]) =>
        `{"a":1,"tokens": [\n ${items.map((item) => `"${item}"`).join(',\n ')}\n]}`,
    ],
    ['one line', (items: readonly string[]) => `api_keys = ["${items.join('", "')}"]\n`],
  ] as const)(
    'a list of them in %s is never told, however long it is and however it is cut',
    (_name, write) => {
      const sizes = fc.array(fc.integer({ min: 10, max: 60 }), { minLength: 24, maxLength: 30 });
      fc.assert(
        fc.property(fc.array(password, { minLength: 36, maxLength: 40 }), sizes, (items, cuts) => {
          const text = write(items);
          const words = createLiveWords(redactor);
          let told = '';
          let at = 0;
          for (const size of cuts) {
            told += words.feed(text.slice(at, at + size));
            at += size;
          }
          told += words.feed(text.slice(at)) + words.flush();
          for (const item of items) expect([told, redact(text)].join('')).not.toContain(item.slice(0, 8));
        }),
        { ...runs(30, 300), endOnFailure: true },
      );
    },
  );

  it.each([
    'password: Some(value)',
    'let token = Some("next")',
    'Array\n(\n    [tokens] => 12\n    [name] => ada\n)',
    'page.fill("#name", "Ada1")',
    "cy.get('#search').type('hunter2')",
    '<input type="password" name="p" value="">',
    '<input type="password" placeholder="Password">',
    '<password minLength="8"></password>',
    'tokens:\n  - first\n  - second\n',
    'tokens:\n  - name: a1\n    kind: b2\n',
    '"tokens": ["the", "quick", "fox"]',
    '"tokens": [101, 2003, 102]',
    'secrets:\n  - db-password\n  - api-key\n',
    'secrets: ["GITHUB_TOKEN", "NPM_TOKEN"]',
    '"routing_key": "orders.created.v2"',
    'routing_key: user-events-queue',
    '"secret": "my-secret-name"',
    "secret: 'MySecret1'",
    '::add-mask::$TOKEN',
    'a ::: b',
    'proxy_set_header Authorization $http_authorization;',
    'Authorization "Bearer token"',
    'com2sec readonly default public',
    'curl -u username: https://api.x.test',
    'x.type("password", "string")',
    'mnemonic: a word that helps to remember the words of a list and more of it',
  ])('is not seen in: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('what cannot be guessed from its place alone', () => {
  it.each([
    [
      'a hash of Windows',
      'ada:500:aad3b435b51404eeaad3b435b51404ee:31d6cfe0d16ae931b73c59d7e0c089c0:::',
      '31d6cfe0',
    ],
    ['a login in base64', '334 UGFzc3dvcmQ6\r\naHVudGVyMngx\r\n235 ok', 'aHVudGVyMngx'],
    ['a saved desktop', 'password 51:b:01000000D08C9DDF0115D1118C7A00C04FC297EB01', 'D08C9DDF'],
    [
      'a key without its first line',
      'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\nMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n',
      'MzEfYyjiWA4R4',
    ],
    [
      'a static key',
      '-----BEGIN OpenVPN Static key V1-----\n6acef03f62675b4b1bbd03e53b187727\n-----END',
      '6acef03f',
    ],
    [
      'a key that begins with a slash',
      '[Peer]\nPresharedKey = /UwcSPg38hW/D9Y3tcS1FOV0K1wuURMbS0sesJEP5ak=\n',
      'UwcSPg38hW',
    ],
    [
      'words of a wallet',
      'mnemonic: legal winner thank year wave sausage worth useful legal winner thank yellow',
      'winner',
    ],
  ])('%s is taken out', (_name, text, secret) => {
    expect(redact(text)).not.toContain(secret);
  });
});
