import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { createLiveWords } from '../live-words.js';
import { createRedactor } from '../redactor.js';
import { toolSecrets } from './tool-places.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;

/** Where the files, the lines and the calls of a tool have a password; `%` is where it stands. */
const PLACES: readonly string[] = [
  '[BasicAuth]\nada: %',
  'signtool sign /f a.pfx /p % x.exe',
  'useradd -p $(openssl passwd -6 %) ada',
  'ftp> user ada %',
  'sqlplus ada/"%"@//h.test:1521/x',
  'Meeting ID: 222 333 444\nPasscode: %',
  'keyring.set_password("svc", "ada", "%")',
  'echo % | vercel env add DB_PASSWORD',
  'echo "%" | secret-tool store --label=x a b',
  '# Secrets for authentication using CHAP\n# client server secret addresses\nada * % *',
  '# Secrets for authentication using PAP\n"ada" shop "%" 10.0.0.2',
  '# davfs2\nhttps://dav.x.test/remote.php ada %',
  'poll mail.test protocol IMAP user "ada" password "%" ssl',
  'poll mail.test proto imap:\n  user ada there with password % is ada here',
  "user 'ada' pass '%'",
  'K 8\npassword\nV 14\n%\nK 15\nsvn:realmstring',
  'user = "ada:%"',
  'user=ada:%',
  'user: ada:%',
  '--user ada:%\nurl = https://x.test',
  'proxy-user = "ada:%"',
  'requirepass %',
  'masterauth %',
  'bindpw %',
  'rootpw %',
  'rootpw --plaintext %',
  'rocommunity %',
  'snmp-server community % RO',
  'createUser ada SHA % AES Other1Pass',
  'createUser ada SHA Other1Pass AES %',
  'username ada privilege 15 password 0 %',
  'enable secret %',
  'radius-server host 10.0.0.1 key %',
  '10.0.0.1 10.0.0.2 : PSK "%"',
  'ada : XAUTH "%"',
  'IPSec secret %\nXauth username ada',
  'Xauth password %',
  'account a\nhost smtp.test\nuser ada\npassword %\n',
  'IMAPAccount a\nUser ada\nPass %',
  'IMAPStore r\nHost mail.test\nPass "%"',
  'client nas1 {\n secret = %\n}',
  'AuthInfo:smtp.test "U:ada" "P:%"',
  '[smtp.test]:587 ada:%',
  'user ada insecure-password %',
  'stats auth ada:%',
  'cache_peer p.test parent 3128 0 login=ada:%',
  'd-i passwd/user-password password %',
  'chpasswd:\n  list: |\n    ada:%\n',
  '<AdministratorPassword><Value>%</Value></AdministratorPassword>',
  'autosendcmd = "/msg nickserv identify %";',
  '/msg NickServ IDENTIFY ada %',
  '/set irc.server.x.sasl_password %',
  'NICK ada\r\nPASS %\r\n',
  'USER ada\r\n331 need password\r\nPASS %',
  'C: PASS %',
  'a001 LOGIN ada %',
  'C: A2 LOGIN "ada" "%"',
  'expect "assword:"\nsend "%\\r"',
  '[sudo] password for ada: %',
  ':pserver:ada:%@h.test:/cvs',
  'nmcli dev wifi connect home password %',
  'open -u ada,% ftp.test',
  'ncftpput -u ada -p % h.test /d f',
  'psexec \\\\h -u ada -p % cmd',
  'schtasks /create /tn t /ru ada /rp %',
  'bcp t out f -S h -U sa -P%',
  'mosquitto_pub -h h -u ada -P % -t x',
  'mosquitto_passwd -b f ada %',
  'htpasswd -b .htpasswd ada %',
  'x11vnc -passwd %',
  'influx -username ada -password %',
  'java -jar cli.jar -auth ada:% x',
  'etcdctl --user root:% get x',
  'wget --http-user ada --http-passwd % u',
  'aws rds create-db-instance --master-user-password %',
  'consul kv put db/password %',
  'mc admin user add store ada %',
  'bundle config gems.test ada:%',
  'composer config http-basic.h.test ada %',
  "SET PASSWORD FOR 'ada' = PASSWORD('%');",
  'db.auth("ada","%")',
  'requests.get(u, auth=("ada", "%"))',
  'server.login("ada@x.test", "%")',
  "HTTPBasicAuth('ada', '%')",
  'mysqli_connect("h", "ada", "%", "db");',
  'new PDO("mysql:host=h", "ada", "%");',
  'DriverManager.getConnection(url, "ada", "%");',
  'new PasswordAuthentication("ada", "%".toCharArray())',
  'req.SetBasicAuth("ada", "%")',
  'smtp.PlainAuth("", "ada", "%", "h")',
  "http.basic_auth 'ada', '%'",
  'new NetworkCredential("ada", "%")',
  'credentials += Credentials("Realm", "h", "ada", "%")',
  'DBI->connect("dbi:mysql:x", "ada", "%")',
  "storePassword '%'",
  'пароль: %',
  '密码：%',
  'mot de passe : %',
];

/** What a person takes, and what a program makes. */
const password = fc.oneof(
  fc.stringMatching(/^[a-z]{4,7}[0-9]{1,3}[-!#%+][A-Z][a-z]{3,5}[!#%+]$/),
  fc.stringMatching(/^[A-Z][a-z]{3,6}[!#+][0-9]{2,4}$/),
  fc.stringMatching(/^[a-z][A-Z][0-9][a-zA-Z0-9]{9,15}$/).filter((word) => new Set(word).size > 8),
);

describe('a password where the grammar of a tool has it', () => {
  it.each(PLACES)('is taken out, in a text of its own and of others: %j', (place) => {
    fc.assert(
      fc.property(password, fc.constantFrom('', 'Before.\n', 'Some more.\n\n'), (word, before) => {
        expect(redact(`${before}${place.replace('%', () => word)}`)).not.toContain(word.slice(0, 8));
      }),
      runs(20, 200),
    );
  });

  it.each(PLACES)('is never told live: %j', (place) => {
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
    'PASS  src/login.test.ts',
    'PIN: 13, the PIN of the bus is 4, PIN12345 is free, MY_PIN = 123456789',
    'error code: 493817, the code is 493817, exit code is 12345',
    'using CHAP we connect to server2\na line of words4',
    'see https://webdav.x.test for more3',
    'mailto:KimLee92@x.test, cc:KimLee92x@x.test and git@host1.test:a/b.git, ada:latest@x.test',
    'npm:Left2Padx@1.2.3 and image:Tag2Some@sha256 and at 12:30Zulu@x',
    'a "b"@/x and text "@types"',
    'openssl passwd -help',
    'PASS test_1 (2ms)\n--- PASS: TestFoo1',
    'user: "1000:1000"',
    'user: node:node',
    'user = nginx:nginx',
    'Enter a password "twice" to go on',
    'the password must have 8 characters',
    'rocommunity public',
    'snmp-server community public RO',
    'enable secret scanning',
    'passwordless login(user, options) and auth(req, res, next)',
    "app.get('/login', auth('jwt', 'session'), handler)",
    "login('ada', 'password')",
    'authenticate("local", "google")',
    'connect("ws://x.test", "chat", "json")',
    'rootpw --iscrypted --lock',
    'chpasswd: { expire: False }',
    'pass the value on\nuser ada\n',
    'host x.test\npassword required\n',
    'a001 LOGIN failed',
    "expect(password).toBe('x')",
    'consul kv put db/password $DB_PASSWORD',
    'mc admin user add store ada <secret>',
    'bindpw secret',
    'requirepass foobared'.replace('foobared', 'changeme'),
    'Credentials("a", "b", "c", "value")',
  ])('is not seen in: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([
    'The PIN for the alarm is %.',
    'PIN: %',
    'PIN code = %',
    'Your verification code is %.',
    'one-time code: %',
    '2FA code: **%**',
  ])('is a number of five digits and more, too: %j', (place) => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 99_999_999 }).map(String), (code) => {
        fc.pre(new Set(code).size >= 4);
        expect(redact(place.replace('%', code))).not.toContain(code);
      }),
      runs(20, 500),
    );
  });

  it('stands before a machine without a scheme', () => {
    const name = fc
      .stringMatching(/^[a-z]{2,8}[0-9]{0,2}$/)
      .filter(
        (each) => !/^(?:to|cc|by|im|id|git|npm|ssh|from|sips?|acct|xmpp|user|bcc|login|author)$/.test(each),
      );
    const word = fc
      .stringMatching(/^[a-z]{2,5}[A-Z][a-z]{2,5}[0-9]{2,4}[a-z]{0,3}$/)
      .filter((each) => new Set(each).size >= 6);
    const rest = fc.constantFrom(
      'git.x.test:repo.git',
      'db.x.test',
      '10.0.0.2:/srv',
      'localhost/x',
      'h.test, and',
    );
    fc.assert(
      fc.property(
        name,
        word,
        rest,
        fc.constantFrom('', 'git clone ', '"', 'to='),
        (who, secret, host, before) => {
          expect(redact(`${before}${who}:${secret}@${host}`)).not.toContain(secret);
        },
      ),
      runs(100, 5_000),
    );
  });

  it('is found wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PLACES),
        fc.string({ maxLength: 9 }),
        fc.nat(8),
        (place, noise, more) => {
          const line = place.replace('%', 'Zk4!Wq9Lm2#Xv7');
          const alone = toolSecrets(line).length;
          const before = `${noise}${' '.repeat(more)}\n`;
          expect(toolSecrets(before + line).length).toBeGreaterThanOrEqual(alone);
        },
      ),
      runs(2_000, 100_000),
    );
  });
});
