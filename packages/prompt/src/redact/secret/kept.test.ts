import { expect, test } from 'vitest';
import { createRedactor } from '../redactor.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;
const SECRET = 'Kx7vQ2mZp9Lw4tRb';
const BASE64 = Buffer.from(SECRET).toString('base64');
const WORDS = 'ladder orbit velvet canyon puzzle rocket ginger museum fabric island pepper window';
const CODES = '1a2b-3c4d\n5e6f-7a8b\n9c0d-1e2f';
const SEED = 'JBSW Y3DP EHPK 3PXP JBSW Y3DP';

/** Where secrets are kept, and hands that they pass through. */
test.each([
  [`apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ntype: Opaque\ndata:\n  db: ${BASE64}`, BASE64],
  [`kind: Secret\nstringData:\n  db: ${SECRET}\n  mode: "${SECRET}"`, SECRET],
  [`data:\n  db: ${BASE64}\nkind: Secret\n---\nkind: ConfigMap`, BASE64],
  [`seed phrase: "${WORDS}"`, WORDS],
  [`MNEMONIC=${WORDS}`, WORDS],
  [`Your recovery phrase is: ${WORDS}.`, WORDS],
  [`Recovery codes:\n${CODES}`, '5e6f-7a8b'],
  ['Backup codes: 83921-55102, 77120-43321', '77120'],
  [`2FA secret: ${SEED}`, 'EHPK'],
  [`Unseal Key 1: ${BASE64}${BASE64}`, BASE64],
  [`sqlplus kim/${SECRET}@orcl`, SECRET],
  [`lftp -u kim,${SECRET} ftp.x.test`, SECRET],
  [`snmpwalk -v3 -A ${SECRET} -X ${SECRET} h`, SECRET],
  [`snmp-server community ${SECRET} RO`, SECRET],
  [`wpa_passphrase Home ${SECRET}`, SECRET],
  [`htpasswd -bc f kim ${SECRET}`, SECRET],
  [`rootpw {SSHA}${SECRET}${SECRET}`, SECRET],
  [`auth = ("kim", "${SECRET}")`, SECRET],
  [`requests.get(u, auth=HTTPBasicAuth("kim", "${SECRET}"))`, SECRET],
  [`DriverManager.getConnection(url, "kim", "${SECRET}")`, SECRET],
  [`$config['db']['password'] = '${SECRET}';`, SECRET],
  [`create user kim identified by "${SECRET}"`, SECRET],
])('%j is told without its secret', (text, secret) => {
  for (const around of [text, `Before.\n${text}\nAfter.`]) {
    expect(redact(around)).not.toContain(secret);
    expect(redact(around)).toContain('[removed:credential]');
    expect(redact(redact(around))).toBe(redact(around));
  }
});

test.each([
  'kind: SecretStore\nspec:\n  provider: aws',
  'kind: ConfigMap\ndata:\n  mode: cHJvZA==\n  level: debug',
  `apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  password: <base64>\n  user: \${USER}`,
  'A `kind: Secret` object holds data: keys and values.',
  'A recovery phrase is a list of words that gives your wallet back.',
  'seed phrase: never tell anybody about these words, keep them where nobody looks',
  'mnemonic: large animals often carry heavy loads over steep mountain paths when driven hard',
  'backup codes: each can be used once',
  '2FA is on. TOTP codes have 6 digits.',
  'identified by "name" in the list',
  'auth = ("user", "password")',
  "auth.signIn('email', 'password-reset-flow')",
  "$config['password'] = $_POST['password'];",
  "props['session'] = 'open-in-new-tab'",
  'aws configure set region eu-west-1',
  'wpa_passphrase SSID [passphrase]',
  'htpasswd -c creates the file',
])('%j stays', (text) => {
  expect(redact(text)).toBe(text);
});
