import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { createRedactor } from '../redactor.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;

/** Command lines that hand a secret to a program; `%` is where it stands. */
const COMMANDS: readonly string[] = [
  'echo % | sudo -S apt-get update',
  "echo '%' | sudo -S -u kim ls",
  'echo "%" | sudo -kS systemctl restart x',
  'echo -n % | sudo --stdin true',
  "printf '%s\\n' % | sudo -S true",
  'run: echo % | sudo -S chown root x && ls',
  'echo %|sudo -S ls',
  'echo % | docker login -u kim --password-stdin registry.test',
  "printf '%s' '%' | docker login --username kim --password-stdin",
  'echo % | gh secret set API_KEY',
  'echo % | gh auth login --with-token',
  'echo % | passwd --stdin kim',
  'echo "kim:%" | sudo chpasswd',
  'echo % | kinit kim@EXAMPLE.TEST',
  'echo % | gpg --batch --passphrase-fd 0 -d x.gpg',
  'echo % | cryptsetup luksOpen /dev/sdb1 x -',
  'echo % | vault login -',
  'sudo -S ls <<< %',
  "sudo -S ls <<< '%'",
  'docker login -u kim --password-stdin <<< "%"',
  'net use Z: \\\\fs1\\share % /user:kim',
  'net use \\\\fs1\\share % /persistent:yes',
  'net use Z: \\\\fs1\\share /user:kim %',
  'net user kim % /add',
  'NET USER kim %',
  'gh secret set API_KEY --body %',
  'gh secret set API_KEY --body "%" --repo a/b',
  'gh secret set API_KEY -b %',
  'gh secret set API_KEY --body=%',
  'kubectl create secret generic db --from-literal=password=%',
  'aws secretsmanager put-secret-value --secret-id x --secret-string %',
  'az keyvault secret set --vault-name v --name n --value %',
  "define('DB_PASSWORD', '%');",
  'define( "AUTH_PASSWD", "%" );',
  "os.environ.setdefault('APP_PASSWORD', '%')",
  'System.setProperty("javax.net.ssl.keyStorePassword", "%");',
  'client.set("db.password", "%")',
  'setenv("PGPASSWORD","%",1);',
  '$p = ConvertTo-SecureString "%" -AsPlainText -Force',
  "ConvertTo-SecureString -String '%' -AsPlainText",
  'WIFI:T:WPA;S:Acme;P:%;;',
];

const secret = fc
  .tuple(
    fc.constantFrom('Tr0ub4dor', 'hunter2', 'correcthorse', 'Zx9', 'pA55w0rd', 'sommer2026', 'geheim'),
    fc.stringMatching(/^[A-Za-z0-9!_+.-]{2,12}$/),
  )
  .map((parts) => parts.join('#'))
  .filter((word) => !/[.\-!]$/.test(word));

describe('a secret that a program is handed', () => {
  it.each(COMMANDS)('is taken out of: %s', (command) => {
    fc.assert(
      fc.property(secret, fc.constantFrom('', '$ ', 'First run this:\n'), (word, before) => {
        const [head = '', ...rest] = command.split(/%(?!s)/);
        const text = `${before}${head}${word}${rest.join('%')}`;
        expect(redact(text)).not.toContain(word);
        expect(redact(text)).toContain('[removed:');
        expect(redact(redact(text))).toBe(redact(text));
      }),
      {
        ...runs(20, 500),
        examples: ['Tr0ub4dor#...!A', 'geheim#..x', 'Zx9#xxxxxx!1'].map((word) => [word, '']),
      },
    );
  });

  it.each(['Pa(55)w0rd!', 'x9{Kq}2m', '7<3hunter', 'a[b]9Zk#', 'Tr0ub(4dor'])('has brackets: %s', (word) => {
    expect(redact(`echo '${word}' | sudo -S ls`)).not.toContain(word);
    expect(redact(`docker login -u kim --password '${word}'`)).not.toContain(word);
  });

  it.each([
    'echo hello | grep h',
    'echo $PASSWORD | sudo -S ls',
    'echo "$PASS" | docker login --password-stdin',
    'echo <password> | sudo -S ls',
    'echo "$TOKEN" | gh auth login --with-token',
    '| echo | sudo | passwd |',
    'net use',
    'net use Z: /delete',
    'net use Z: * /user:kim',
    'net user kim * /add',
    'the net user base grows',
    'gh secret set API_KEY < key.txt',
    'gh pr create --body "What changed and why"',
    'password: form!.elements?.passwordField1.value',
    'password: form.elements.passwordField1.value,',
    'const password = form!.elements!.password1!.value;',
    'return /builds/latest and /export/csv/report',
  ])('is not seen in: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([
    '/builds/zebulon',
    '/builds/zebulon/x.ts',
    '/export/zebulon/y',
    '/net/zebulon/y/z',
    'runtime-store/projects/zebulon/runs/r1',
    '/srv2/x/runtime-store/projects/zebulon',
    'C:\\x\\runtime-store\\projects\\zebulon',
    '"runtime-store/zebulon"',
  ])('a private place is taken out of prose: %s', (path) => {
    for (const text of [path, `It lies in ${path} now`, `see (${path}), or ask`, `- ${path}\n- other`]) {
      expect(redact(text)).not.toContain('zebulon');
      expect(redact(text)).not.toMatch(/runtime-store[/\\]/);
      expect(redact(redact(text))).toBe(redact(text));
    }
  });
});
