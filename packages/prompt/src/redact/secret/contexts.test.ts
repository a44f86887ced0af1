import { describe, expect, test } from 'vitest';
import { createRedactor, type JsonValue } from '../redactor.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;
const M = '[removed:credential]';

describe('a secret that its place gives away', () => {
  test.each([
    // Headers.
    ['Authorization: Basic QWxhZGRpbjpvcGVuU2VzYW1l', `Authorization: Basic ${M}`],
    ['authorization: basic dTpw', `authorization: basic ${M}`],
    ['Authorization: Bearer AbCdEfGhIjKlMnOp12', `Authorization: Bearer ${M}`],
    [
      'Proxy-Authorization: Basic dXNlcjpodW50ZXIy\r\nAccept: */*',
      `Proxy-Authorization: Basic ${M}\r\nAccept: */*`,
    ],
    [
      "curl -H 'Authorization: Token 9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b' https://x.test",
      `curl -H 'Authorization: Token ${M}' https://x.test`,
    ],
    [
      'Authorization: Digest username="Mufasa", realm="x", response="6629fae49393a05397450978507c4ef1"',
      `Authorization: Digest ${M}`,
    ],
    [
      'Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
      `Authorization: AWS4-HMAC-SHA256 ${M}`,
    ],
    ['X-Api-Key: 5f4dcc3b5aa765d61d8327deb882cf99', `X-Api-Key: ${M}`],
    ['X-Auth-Token: gAAAAABmQ1z8vKq3', `X-Auth-Token: ${M}`],
    ['Ocp-Apim-Subscription-Key: 0123456789abcdef0123456789abcdef', `Ocp-Apim-Subscription-Key: ${M}`],
    // Cookies.
    ['Cookie: sid=s%3Aabc123def456; theme=dark', `Cookie: sid=${M}; theme=dark`],
    [
      'Cookie: a=1; sessionid=38afes7a8; PHPSESSID=298zf09hf012fh2',
      `Cookie: a=1; sessionid=${M}; PHPSESSID=${M}`,
    ],
    [
      'Set-Cookie: id=a3fWa9x2; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/; HttpOnly',
      `Set-Cookie: id=${M}; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/; HttpOnly`,
    ],
    ["document.cookie = 'auth=9f8b7c6d5e4f; path=/'", `document.cookie = 'auth=${M}; path=/'`],
    [
      `curl -H "Cookie: JSESSIONID=1A530637289A03B07199A44E8D531427" x.test`,
      `curl -H "Cookie: JSESSIONID=${M}" x.test`,
    ],
    // Commands.
    ['curl -u ada:hunter2 https://x.test', `curl -u ada:${M} https://x.test`],
    ['curl -s -XPOST -u "ada:correct horse" https://x.test', `curl -s -XPOST -u "ada:${M}" https://x.test`],
    ['curl -uada:hunter2 https://x.test', `curl -uada:${M} https://x.test`],
    ['curl --user ada:hunter2 https://x.test', `curl --user ada:${M} https://x.test`],
    ['curl --user=ada:hunter2 https://x.test', `curl --user=ada:${M} https://x.test`],
    [
      'curl \\\n  -X POST \\\n  -u ada:hunter2 \\\n  https://x.test',
      `curl \\\n  -X POST \\\n  -u ada:${M} \\\n  https://x.test`,
    ],
    ['curl -U proxy:S3same https://x.test', `curl -U proxy:${M} https://x.test`],
    ["subprocess.run(['curl', '-u', 'ada:hunter2', url])", `subprocess.run(['curl', '-u', 'ada:${M}', url])`],
    ['wget --user=ada --password=hunter2 x.test', `wget --user=ada --password=${M} x.test`],
    ['wget --http-password hunter2 x.test', `wget --http-password ${M} x.test`],
    ['http -a ada:hunter2 x.test', `http -a ada:${M} x.test`],
    ['mysql -u root -phunter2 shop', `mysql -u root -p${M} shop`],
    ['mysqldump --password=hunter2 shop', `mysqldump --password=${M} shop`],
    ["sshpass -p 'hunter 2' ssh ada@x.test", `sshpass -p '${M}' ssh ada@x.test`],
    ['sshpass -phunter2 ssh ada@x.test', `sshpass -p${M} ssh ada@x.test`],
    ['docker login -u ada -p hunter2 r.test', `docker login -u ada -p ${M} r.test`],
    ['redis-cli -h x.test -a hunter2 ping', `redis-cli -h x.test -a ${M} ping`],
    ['mongosh -u ada -p hunter2 shop', `mongosh -u ada -p ${M} shop`],
    ['ldapsearch -x -D cn=a -w hunter2', `ldapsearch -x -D cn=a -w ${M}`],
    ['smbclient //x/y -U ada%hunter2', `smbclient //x/y -U ada%${M}`],
    ['openssl rsa -in k -passin pass:hunter2', `openssl rsa -in k -passin pass:${M}`],
    ['PGPASSWORD=hunter2 psql -h x.test', `PGPASSWORD=${M} psql -h x.test`],
    ["export MYSQL_PWD='hunter2'", `export MYSQL_PWD='${M}'`],
    ['docker run -e DB_PASSWORD=hunter2 img', `docker run -e DB_PASSWORD=${M} img`],
    ['ENV ADMIN_PASSWORD=hunter2', `ENV ADMIN_PASSWORD=${M}`],
    ['gh auth --with --token 0a1b2c3d4e5f6a7b', `gh auth --with --token ${M}`],
    ['tool --api-key=0a1b2c3d4e5f6a7b run', `tool --api-key=${M} run`],
    ['vault kv put x --secret-key 8f14e45fceea167a', `vault kv put x --secret-key ${M}`],
    // Addresses.
    ['psql postgres://ada:hunter2@db.test/x', `psql postgres://ada:${M}@db.test/x`],
    ['redis://:hunter2@cache.test:6379', `redis://:${M}@cache.test:6379`],
    ['amqp://ada:p@ss9word@mq.test', `amqp://ada:${M}@mq.test`],
    ['https://ada:hunter2@git.test/a.git', `https://ada:${M}@git.test/a.git`],
    ['https://0a1b2c3d4e5f60718293a4b5c6d7e8f9@o1.ingest.test/2', `https://${M}@o1.ingest.test/2`],
    [
      'https://a.blob.test/c/f?sv=2022-11-02&sr=b&sig=Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZg%3D%3D&se=2026',
      `https://a.blob.test/c/f?sv=2022-11-02&sr=b&sig=${M}&se=2026`,
    ],
    [
      'https://b.s3.test/k?X-Amz-Credential=x&X-Amz-Signature=fe5f80f77d5fa3beca038a248ff027d0445342fe2855ddc963176630326f1024',
      `https://b.s3.test/k?X-Amz-Credential=x&X-Amz-Signature=${M}`,
    ],
    [
      'https://b.gcs.test/k?X-Goog-Signature=247a2aa45f169edf4d187d54e7cc46e4731b1e6273242c4f4c39a1d2507a0e58',
      `https://b.gcs.test/k?X-Goog-Signature=${M}`,
    ],
    ['GET /cb?access_token=ya41a0Ab3Cd4Ef5Gh6&state=1', `GET /cb?access_token=${M}&state=1`],
    // Login files.
    ['machine x.test login ada password hunter2', `machine x.test login ada password ${M}`],
    [
      'machine x.test\n  login ada\n  password hunter2\nmachine y.test',
      `machine x.test\n  login ada\n  password ${M}\nmachine y.test`,
    ],
    ['default login anonymous password swordfish', `default login anonymous password ${M}`],
    ['db.test:5432:shop:ada:hunter2', `db.test:5432:shop:ada:${M}`],
    ['# pgpass\n*:*:*:postgres:s3same\n', `# pgpass\n*:*:*:postgres:${M}\n`],
    ['//registry.test/:_authToken=0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9', `//registry.test/:_authToken=${M}`],
    ['[pypi]\nusername = ada\npassword = Hunter22!x', `[pypi]\nusername = ada\npassword = ${M}`],
    ['    client-key-data: TUlJRXBBSUJBQUtDQVFFQXh5ejEyMzQ1Njc4OTBhYmNkZWY=', `    client-key-data: ${M}`],
    [
      '{"github-oauth": {"github.com": "0123abcd4567"}, "config": {"a.b": "0123abcd4567"}}',
      `{"github-oauth": {"github.com": "${M}"}, "config": {"a.b": "0123abcd4567"}}`,
    ],
    [
      'auth.json: {"gitlab-token":{"git.test":{"username":"ada","token":"Ab12Cd34Ef"}},"bearer":{"x.test":"Qw3rTyU1op"}',
      `auth.json: {"gitlab-token":{"git.test":{"username":"ada","token":"${M}"}},"bearer":{"x.test":"${M}"}`,
    ],
    ['modal: as-sgpjc89xdbt7aOWRzCMBCz', `modal: ${M}`],
    ['okta 00sgpjc89xdbt7aOWRzCMBCz_kT-9aOWRzCMBCz1x2', `okta ${M}`],
    // Documents.
    ['<password>hunter2</password>', `<password>${M}</password>`],
    ['<add key="Password" value="hunter2x" />', `<add key="Password" value="${M}" />`],
    ['- name: DB_PASSWORD\n  value: "Hunter22!x"', `- name: DB_PASSWORD\n  value: "${M}"`],
    ["'password' => 'Tr0ub4dor&3'", `'password' => '${M}'`],
    [
      'Server=db.test;Database=x;User Id=ada;Password=hunter2;',
      `Server=db.test;Database=x;User Id=ada;Password=${M};`,
    ],
    [
      'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZjAxMjM0NTY3ODk=;EndpointSuffix=x',
      `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${M};EndpointSuffix=x`,
    ],
    ['spring.datasource.password=Hunter22!x', `spring.datasource.password=${M}`],
    [
      '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/56wAAAgIAAAAmZGwtbW9kcA\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\nok',
      `${M}\nok`,
    ],
  ])('%s', (input, expected) => {
    expect(redact(input)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });
});

describe('a secret that its key gives away in a structured value', () => {
  test.each<readonly [string, JsonValue, JsonValue]>([
    ['a password', { user: 'ada', password: 'hunter2' }, { user: 'ada', password: M }],
    ['a key', { api_key: '9f8b7c6d5e4f3a2b1c0d9e8f' }, { api_key: M }],
    [
      'headers',
      { Cookie: 'sid=abc123def; a=b', Authorization: 'Basic dXNlcjpwYXNz' },
      { Cookie: `sid=${M}; a=b`, Authorization: `Basic ${M}` },
    ],
    ['a list', { 'Set-Cookie': ['sid=abc123def; Path=/'] }, { 'Set-Cookie': [`sid=${M}; Path=/`] }],
    ['a name and a value', { name: 'DB_PASSWORD', value: 'hunter2' }, { name: 'DB_PASSWORD', value: M }],
    [
      'a registry',
      { auths: { 'r.test': { auth: 'YWRhOmh1bnRlcjI=' } } },
      { auths: { 'r.test': { auth: M } } },
    ],
    ['deep', { a: [{ b: { clientSecret: 'aBcD1234eFgH5678' } }] }, { a: [{ b: { clientSecret: M } }] }],
  ])('%s', (_name, value, expected) => {
    expect(redactor.redactValue(value).value).toEqual(expected);
    expect(JSON.parse(redact(JSON.stringify(value)))).toEqual(expected);
    expect(JSON.parse(JSON.parse(redact(JSON.stringify(JSON.stringify(value)))))).toEqual(expected);
  });

  test.each<JsonValue>([
    { password: 'string', token: 'required', secret: null },
    { password: { type: 'string', description: 'The password of the account' } },
    { password: 'Passwort', token: 'Zugangsschlüssel' },
    { token: 'function', secret: 'env.SECRET', apiKey: `\${API_KEY}` },
    { name: 'password', value: '' },
    { auth: 'oauth2', auth_type: 'bearer' },
    { key: 'value', session: 'new', code: 'E_NOT_FOUND' },
    { tokens: 128, max_tokens: '4096' },
    { cookie: 'required', 'set-cookie': 'name=value; Path=/' },
    { integrity: 'sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08==' },
  ])('%j stays', (value) => {
    expect(redactor.redactValue(value).value).toEqual(value);
    expect(redact(JSON.stringify(value))).toBe(JSON.stringify(value));
  });
});

describe('a password that is no good one', () => {
  test.each([
    ["password: 'hunter2'", `password: '${M}'`],
    ['DB_PASS: "swordfish1"', `DB_PASS: "${M}"`],
    ['ansible_ssh_pass=hunter2', `ansible_ssh_pass=${M}`],
    ['ansible_become_password: hunter2x9\nnext: 1', `ansible_become_password: ${M}\nnext: 1`],
    ['psql "host=x user=ada password=hunter2 dbname=y"', `psql "host=x user=ada password=${M} dbname=y"`],
    ['jdbc:postgresql://h/db?user=a&password=hunter2', `jdbc:postgresql://h/db?user=a&password=${M}`],
    ['x --from-literal=password=hunter2', `x --from-literal=password=${M}`],
    ['_auth=YWRtaW46aHVudGVyMg==', `_auth=${M}`],
    [
      'Private-Lines: 1\nAAAAgQC7kq9fRz2mT0bqPQ0vRabcdefghijklm\nPrivate-MAC: x',
      `Private-Lines: 1\n${M}\nPrivate-MAC: x`,
    ],
  ])('%s', (input, expected) => expect(redact(input)).toBe(expected));

  test.each([
    "password: 'userPassword'",
    "password: 'password1'",
    'password: Uint8Array\n',
    'password=oauth2',
    'algorithm: sha256, password: argon2id',
    "name: 'password2'",
    'token=data.AccessKeyId',
  ])('%s stays', (text) => expect(redact(text)).toBe(text));
});
