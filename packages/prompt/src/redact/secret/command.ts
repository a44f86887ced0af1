import { isSpace } from '../chars.js';
import { isOpaque, isPlaceholder, isSecretValue, SAMPLES, type SecretRange } from './secret-value.js';

/** A flag that hands a secret to a program. */
interface FlagRule {
  readonly flag: string;
  /** The programs that mean it so; none: all of them. */
  readonly programs?: RegExp;
  /** The value stands in the same word: `-pSECRET`. */
  readonly joined?: true;
  /** The secret is what follows this in the value: `user:SECRET`. */
  readonly after?: string;
  readonly kind?: 'password' | 'token' | 'cookie';
}

const HTTP = /\b(?:curl|curlie|wget|http|https|xh|httpie)\b/;

/** What puts a secret into a store, the value on its command line. */
const SECRET_STORE = /\b(?:gh|glab)\s+(?:secret|variable)\s+set\b/;

const RULES: readonly FlagRule[] = [
  { flag: '-u', programs: HTTP, after: ':' },
  { flag: '-u', programs: HTTP, after: ':', joined: true },
  { flag: '-a', programs: /\b(?:http|https|xh|httpie)\b/, after: ':' },
  { flag: '-a', programs: /\bredis-cli\b/ },
  { flag: '-U', programs: /\bcurl\b/, after: ':' },
  { flag: '-U', programs: /\b(?:smbclient|rpcclient|smbmap|net)\b/, after: '%' },
  { flag: '-w', programs: /\bldap\w+\b/ },
  { flag: '-u', programs: /\blftp\b|^\s*open\b/, after: ',' },
  { flag: '-A', programs: /\bsnmp\w+\b/ },
  { flag: '-X', programs: /\bsnmp\w+\b/ },
  { flag: '-p', programs: /\bsshpass\b/ },
  { flag: '-p', programs: /\bsshpass\b/, joined: true },
  {
    flag: '-p',
    programs:
      /\b(?:docker|podman|nerdctl|az|oc|helm|buildah|skopeo|crane|oras|ecs?|registry)\b[^\n|;&]*\blogin\b/,
  },
  {
    flag: '-p',
    programs:
      /\b(?:mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|cqlsh|clickhouse-client|influx|rabbitmqadmin|ipmitool|ncftp\w*|rdesktop|psexec|beeline|twine)\b/,
  },
  {
    flag: '-p',
    programs: /\b(?:mysql|mariadb|mysqldump|mysqladmin|mysqlimport|mycli|7z|7za|unrar|rar)\b/,
    joined: true,
  },
  // Whoever is given a user with `-u` is given the password with `-p`.
  { flag: '-p', programs: /(?:^|\s)(?:-u|--user(?:name)?)[ =]\S+\s(?:[^\n|;&]*\s)?$/, kind: 'token' },
  { flag: '-p', programs: /\b(?:keepassxc-cli|twine)\b/, kind: 'token' },
  { flag: '-pw', programs: /\b(?:plink|pscp|psftp|putty)(?:\.exe)?\b/ },
  { flag: '-storepass', programs: /\b(?:keytool|jarsigner|apksigner)\b/ },
  { flag: '-keypass', programs: /\b(?:keytool|jarsigner|apksigner)\b/ },
  { flag: '-P', programs: /\b(?:sqlcmd|bcp|unzip|zip|ipmitool)\b/ },
  { flag: '-P', programs: /\bbcp\b/, joined: true },
  { flag: '-P', programs: /\bmosquitto_\w+/ },
  { flag: '-N', programs: /\bssh-keygen\b/ },
  { flag: '-P', programs: /\bssh-keygen\b/ },
  { flag: '-passin', after: 'pass:' },
  { flag: '-passout', after: 'pass:' },
  { flag: '-pass', after: 'pass:' },
  { flag: '-k', programs: /\bopenssl\s+(?:enc|aes)/ },
  { flag: '--user', programs: HTTP, after: ':' },
  { flag: '--user', programs: /\betcdctl\b/, after: ':' },
  { flag: '-auth', programs: /\bjenkins\b|\bcli\.jar\b/, after: ':' },
  { flag: '-passwd', programs: /vnc/ },
  { flag: '-password' },
  { flag: '--proxy-user', after: ':' },
  { flag: '--auth', programs: /\b(?:http|https|xh|httpie)\b/, after: ':' },
  { flag: '--auth', programs: /\b(?:netlify|ntl|surge|wrangler)\b/, kind: 'token' },
  { flag: '--key', programs: /\bgem\s+push\b/, kind: 'token' },
  { flag: '--creds', after: ':' },
  { flag: '--body', programs: SECRET_STORE },
  { flag: '-b', programs: SECRET_STORE },
  { flag: '-b', programs: SECRET_STORE, joined: true },
  { flag: '--secret-string' },
  { flag: '--value', programs: /\baz\s+keyvault\s+secret\b|\baws\s+ssm\s+put-parameter\b/ },
  { flag: '--from-literal', programs: /\b(?:kubectl|oc)\b[^\n|;&]*\bsecret\b/, after: '=' },
  { flag: '-w', programs: /\bsecurity\s+(?:add|find)-\w+-password\b/ },
  { flag: '--cookie', kind: 'cookie' },
  { flag: '-b', programs: /\bcurl\b/, kind: 'cookie' },
  ...'password pass passwd passphrase pwd http-password ftp-password proxy-password http-passwd ftp-passwd proxy-passwd db-password admin-password user-password root-password docker-password requirepass'
    .split(' ')
    .map((name) => ({ flag: `--${name}` })),
  ...'token secret api-key apikey auth-token access-token secret-key client-secret access-key secret-access-key oauth2-bearer bearer-token api-token service-token private-key-data auth-key authkey license-key sas-token account-key refresh-token id-token shared-key'
    .split(' ')
    .map((name) => ({ flag: `--${name}`, kind: 'token' as const })),
];

const BY_SECOND = new Map<number, FlagRule[]>();
for (const rule of RULES) {
  const second = rule.flag.charCodeAt(1);
  BY_SECOND.set(second, [...(BY_SECOND.get(second) ?? []), rule]);
}

/** By code: 1 for what follows the dash of a flag that is known. */
export const FLAG_SECONDS = Uint8Array.from({ length: 128 }, (_, code) => (BY_SECOND.has(code) ? 1 : 0));
/** By code: 1 for what follows the two dashes of one. */
export const FLAG_THIRDS = Uint8Array.from({ length: 128 }, (_, code) =>
  RULES.some(({ flag }) => flag.startsWith('--') && flag.charCodeAt(2) === code) ? 1 : 0,
);

/** How far before a flag its program may stand. */
const PROGRAM_MAX = 300;

/** What the flag whose dash stands at `at` gives away. */
export function matchFlag(text: string, at: number): SecretRange | undefined {
  if (!isFlagStart(text.charCodeAt(at - 1))) return undefined;
  const rules = BY_SECOND.get(text.charCodeAt(at + 1));
  if (!rules) return undefined;
  let line: string | undefined;
  for (const rule of rules) {
    const value = text.startsWith(rule.flag, at) ? flagValue(text, at, rule) : undefined;
    if (!value) continue;
    line ??= commandBefore(text, at);
    if (rule.programs && !rule.programs.test(line)) continue;
    const found = secretIn(text, value, rule);
    if (found) return found;
  }
  return undefined;
}

/** Before a flag stands a space, a quote, or the bracket or comma of a list of words. */
export const isFlagStart = (before: number): boolean =>
  Number.isNaN(before) ||
  isSpace(before) ||
  before === 34 ||
  before === 39 ||
  before === 96 ||
  before === 91 ||
  before === 44;

/** The command up to the flag, lines joined by a backslash included. */
function commandBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - PROGRAM_MAX), at).replace(/\\+\r?\n/g, '  ');
  return before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\\n')) + 1);
}

/** The word after the flag, or the rest of its own word. */
function flagValue(text: string, at: number, rule: FlagRule): SecretRange | undefined {
  const end = at + rule.flag.length;
  const next = text.charCodeAt(end);
  if (rule.joined) return isSpace(next) || Number.isNaN(next) || next === 61 ? undefined : wordAt(text, end);
  // In a list of words quotes and a comma stand between: `["-u", "a:b"]`.
  GAP.lastIndex = end;
  const gap = GAP.exec(text)?.[0];
  return gap === undefined ? undefined : wordAt(text, end + gap.length);
}

const GAP = /["'`]?,?(?:[ \t]+|\\?=|[ \t]*\\\r?\n[ \t]*)|["'`],\s{0,80}/y;

/** The word at `from`, without its quotes. */
function wordAt(text: string, from: number): SecretRange | undefined {
  const open = text.charCodeAt(from);
  const quote = open === 34 || open === 39 || open === 96 ? open : 0;
  const start = quote === 0 ? from : from + 1;
  let end = start;
  while (end < text.length && end - start < 300) {
    const code = text.charCodeAt(end);
    if (
      quote !== 0 ? code === quote || code < 32 : isSpace(code) || code === 34 || code === 39 || code === 96
    )
      break;
    end += 1;
  }
  return end > start ? { start, end } : undefined;
}

function secretIn(text: string, word: SecretRange, rule: FlagRule): SecretRange | undefined {
  const value = text.slice(word.start, word.end);
  if (value.startsWith('-') || /^\$\(|^`/.test(value)) return undefined;
  if (rule.kind === 'cookie') return cookieOf(value, word);
  const skip = rule.after === undefined ? 0 : value.indexOf(rule.after) + rule.after.length;
  if (rule.after !== undefined && skip < rule.after.length) return undefined;
  const secret = value.slice(skip).replace(/[;|)&]+$/, '');
  // `-u KEY:`: a key in the place of the user, and no password.
  if (rule.after === ':' && secret === '') return keyAsUser(value, word);
  if (SAMPLES.has(secret.toLowerCase()) || isPlaceholder(value)) return undefined;
  const start = word.start + skip;
  return isSecretValue(secret, rule.kind ?? 'password', 'command')
    ? { start, end: start + secret.length }
    : undefined;
}

function keyAsUser(value: string, { start }: SecretRange): SecretRange | undefined {
  const key = value.slice(0, value.indexOf(':'));
  return isOpaque(key, 16) && !isPlaceholder(key) ? { start, end: start + key.length } : undefined;
}

/** The first value of `-b "sid=…"`. */
function cookieOf(value: string, word: SecretRange): SecretRange | undefined {
  const equals = value.indexOf('=');
  const secret = equals === -1 ? '' : value.slice(equals + 1);
  if (secret.length < 8 || isPlaceholder(secret)) return undefined;
  return { start: word.start + equals + 1, end: word.end };
}
