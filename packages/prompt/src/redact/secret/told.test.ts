import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { createRedactor } from '../redactor.js';
import { toldSecrets } from './told.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;

/** Words of people and lines of programs that tell a secret; `%` is where it stands. */
const TELLS: readonly string[] = [
  'The password is %, do not share it.',
  'my API key is "%"',
  'use the token `%` for staging',
  'credentials are kim:%',
  'creds: kim/%',
  'api key -> %',
  '(token %)',
  '| password | % |',
  '| API_KEY | `%` | prod |',
  '**Password:** %',
  '**Token**: `%`',
  '<td>Password</td><td>%</td>',
  'let apiToken: String = "%"',
  "const token: string = '%';",
  '#define API_KEY "%"',
  "TOKEN=$'%'",
  'password: |\n  %\n',
  'token: >-\n  %\n',
  'password: !!str %',
  'Content-Disposition: form-data; name="password"\r\n\r\n%\r\n',
  "ValueError: invalid token '%'",
  'Error: bad API key provided: %',
  'Password:(string) (len=22) "%"',
  'password %',
  'bindpw %',
  'requirepass %',
  'rocommunity %',
  'aws_sec_key %',
  'ENV API_TOKEN %',
  'setx API_TOKEN %',
  'set -gx API_TOKEN %',
  'setenv API_TOKEN %',
  'aws configure set aws_secret_access_key %',
  'npm config set //registry.test/:_authToken %',
  'poetry config pypi-token.pypi %',
  'mot de passe : %',
  'contraseña: %',
  'пароль: %',
  '密码：%',
  'パスワード: %',
  'hasło: %',
  'password è %',
  'SOPS_AGE_KEY=%',
  'X-Insert-Key: %',
  'Authentication: %',
  'seen with IPINFO_TOKEN=% in a log',
  "CREATE ROLE kim LOGIN PASSWORD '%'",
  "ALTER USER kim IDENTIFIED BY '%'",
  'curl -sSLu kim:% https://x.test',
  'psexec h -u kim -p % cmd',
  'plink -pw % kim@h',
  'keytool -storepass % -list',
  'rabbitmqctl add_user kim %',
  'mc alias set m https://s3.test KEY1 %',
  'cargo login %',
  '.acme.test\tTRUE\t/\tTRUE\t1893456000\tsessionid\t%',
  'jdbc:oracle:thin:kim/%@//h:1521/x',
  'kim:%@tcp(127.0.0.1:3306)/x',
  '<auth-user-pass>\nkim\n%\n</auth-user-pass>',
  'os.environ["OPENAI_API_KEY"] = "%"',
  "ENV['SECRET'] = '%'",
  'smtp.login("kim@x.test", "%")',
  'requests.post(u, auth=("kim", "%"))',
  "axios.defaults.headers.common['Authorization'] = '%'",
  'DriverManager.getConnection(url, "kim", "%")',
  'ssh-keygen -t ed25519 -N "%" -f k',
  'useradd -p % kim',
  '<key>ApiKey</key>\n<string>%</string>',
  '{"ParameterKey":"DBPassword","ParameterValue":"%"}',
  '{"Key":"DbPassword","Value":"%"}',
];

/** What chance writes: small letters, capitals and digits by turns. */
const secret = fc
  .array(fc.stringMatching(/^[a-z]{1,3}[A-Z]{1,2}[0-9]{1,2}$/), { minLength: 3, maxLength: 9 })
  .map((parts) => parts.join(''))
  .filter((word) => word.length >= 12 && new Set(word).size >= 10);

describe('a secret that the words before it tell', () => {
  it.each(TELLS)('is taken out of: %j', (tells) => {
    fc.assert(
      fc.property(secret, (word) => {
        expect(redact(tells.replace('%', word))).not.toContain(word.slice(0, 10));
      }),
      runs(40, 2_000),
    );
  });

  it.each([
    'The password is required, and must have 8 characters, 1 digit',
    'the password is hashed with bcrypt',
    'credentials are kept in the keychain of macOS2024Sequoia',
    'passwords are hashed with argon2id, tokens with sha256',
    'tokens: SyntaxKind.Identifier, SyntaxKind.NumericLiteral',
    'ssh-keygen -t ed25519 -N "" -f id_ed25519',
    'SORT_KEY=createdAt, HOT_KEY=F12',
    'SyntaxError: Unexpected token < in JSON at position 0',
    'unexpected token: ArrowFunctionExpression2018',
    'token expired at 2026-01-02T03:04:05Z',
    'setPrivateKey(private_key: string, encoding: HexBase64Latin1Encoding)',
    'this.secret = toUint8Array(value)',
    'authorization: z25.string().optional()',
    'curToNodeKey=getNodeKey(curToNodeChild);a=b',
    '"pass": "未使用抽象角色"',
    'if((r?s.id==="x"||s.id==="y"))return',
    'cache_key_8f14e45fceea167a5a36dedd4bea2543',
    'CACHE_KEY=8f14e45fceea167a5a36dedd4bea2543',
    'PUBLIC_KEY=MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
    'JWT token RS256, password sha256crypt, secret manager v1beta1',
    'test_api_v2_users_list_returns_200 and my_api_client_v3_generated_code_2024',
    'prod_us_east_1_cluster_2_node_3 and live_reload_port_35729_enabled',
    'msg_01XFDUDYJgAACzvnptvVoYEL toolu_01A09q90qw90lq917835lq9 req_011CTzQeRmVd3cXk7yPn4Wsa',
    'resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b',
    'docker run -u 1000:1000 -p 127.0.0.1:5432:5432 postgres',
    'docker run -u 1000 -p 8080:80 img',
    'mysql -u root -p shop',
  ])('is not seen in: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

it.each(['', 'token ', 'The password is '])(
  'a mark of ours that names where a secret is kept stays: %j',
  (before) => {
    const text = `${before}[removed:credential:0a1b2c3d4e5f60718293a4b5c6d7e8f9] is used`;
    expect(redact(text)).toBe(text);
  },
);

describe('where words could tell a secret', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...TELLS.map((line) => line.replace('%', '')),
      'PASSWORD ',
      'Passwort ist ',
      '密码是',
      '\n',
      ' ',
    ),
    fc.constantFrom(
      'x9Kq2LmN8vRt',
      'Zk4Wq9Lm2Xv7Bn3Tp6Ys',
      '0a1b2c3d4e5f60718293a4b5c6d7e8f9',
      'src/lib/module-12.ts',
    ),
    fc.stringMatching(/^[A-Za-z0-9_+/=.~!@#%^&*-]{8,40}$/),
    fc.constantFrom(
      'kim',
      'is',
      'the value',
      'x'.repeat(60),
      ' '.repeat(90),
      'a word and another one '.repeat(8),
    ),
  );

  it('nothing is missed that a look at the whole text finds', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), fc.constantFrom('', ' ', '"'), (pieces, between) => {
        const text = pieces.join(between);
        const whole = [{ start: 0, end: text.length }];
        const sorted = (found: readonly { readonly start: number; readonly end: number }[]) =>
          [...new Set(found.map(({ start, end }) => `${start} ${end}`))].sort();
        expect(sorted(toldSecrets(text))).toEqual(sorted(toldSecrets(text, whole)));
      }),
      runs(3_000, 200_000),
    );
  });
});
