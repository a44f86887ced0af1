import { isSpace } from '../chars.js';
import { signOf } from '../sign.js';
import { holdsAny } from '../survey.js';
import { isPlaceholder, isRandom, isSecretValue, SAMPLES, type SecretRange } from './secret-value.js';

/** What may stand before a line of such a file that another text holds: a quote, a bracket, the sign of a list. */
const OPENS = String.raw`[\s"'\x60(=,>|[{;*:]`;

/**
 * `machine h login u password SECRET` of a netrc file, on one line or over several; `at` is the `w` of the word.
 * The words before must be the format's, or the sentence around it is only a sentence.
 */
export function matchNetrc(text: string, at: number): SecretRange | undefined {
  if (!text.startsWith('password', at - 4) && !text.startsWith('passwd', at - 4)) return undefined;
  const start = at - 4;
  const end = text.startsWith('password', start) ? start + 8 : start + 6;
  if (!isSpace(text.charCodeAt(end)) || (start > 0 && !isSpace(text.charCodeAt(start - 1)))) return undefined;
  const before = BEFORE.exec(text.slice(Math.max(0, start - 200), start));
  if (!before) return undefined;
  WORD.lastIndex = end;
  const match = WORD.exec(text);
  const secret = match?.[1]?.split(closing(before[1] ?? ''), 1)[0];
  if (!match || secret === undefined || !isSecretValue(secret, 'password', 'command')) return undefined;
  const from = end + match[0].length - match[1]!.length;
  return { start: from, end: from + secret.length };
}

const HOST = String.raw`(?:machine\s+[\w.:[\]-]+|default)`;
/** Within a line no name need stand before the password where the host is an address. */
const BEFORE = new RegExp(
  String.raw`(?:^|(${OPENS}))(?:${HOST}(?:\s+(?:login|account)\s+[^\s,;]+){1,2}|machine\s+(?:[\w-]+\.)+[\w-]+)\s+$|` +
    String.raw`(?:^|\n)\s*${HOST}\s+$`,
);
const WORD = /\s+"?([^\s"]+)/y;

/** What ends a line that begins behind this sign. */
const closing = (sign: string): string =>
  /["'`]/.test(sign) ? sign : sign === '>' ? '<' : sign === '(' ? ')' : '\n';

/** `host:5432:database:user:SECRET`, a line of a pgpass file, whole or in a line of something else; `at` is the colon behind the port. */
export function matchPgpass(text: string, at: number): SecretRange | undefined {
  const near = text.slice(Math.max(0, at - LINE_MAX), at + 1);
  const line = near.slice(near.lastIndexOf('\n') + 1);
  const whole = HEAD.test(line) ? secretOf(text, at, LINE) : undefined;
  if (whole) return whole;
  const [, host = '', port = ''] = HEAD_WITHIN.exec(line) ?? [];
  const held = host === '' ? undefined : secretOf(text, at, WITHIN);
  if (held === undefined) return undefined;
  const isCertain = PORTS.has(port) || /pgpass/i.test(text.slice(Math.max(0, at - 200), held.end + 60));
  const isLikely =
    /^localhost$|[a-z][\w-]*\.[a-z]|^\d+\.\d+\.\d+\.\d+$/i.test(host) &&
    isSecretValue(text.slice(held.start, held.end), 'password', 'data');
  return isCertain || isLikely ? held : undefined;
}

/** The password behind the port, when the fields are those of such a line. */
function secretOf(text: string, at: number, fields: RegExp): SecretRange | undefined {
  fields.lastIndex = at + 1;
  const [whole = '', database = '', user = '', written = ''] = fields.exec(text) ?? [];
  const secret = fields === LINE ? written : written.replace(/[.!?]+$/, '');
  if (secret.length < 3 || isPlaceholder(secret) || SAMPLES.has(secret.toLowerCase())) return undefined;
  // A time, a list of numbers, the address of a machine.
  if (
    [database, user].every((field) => /^\d*$/.test(field)) ||
    /^[\da-f]{1,4}(?::[\da-f]{1,4}){2,}$/i.test(whole)
  )
    return undefined;
  const start = at + 1 + whole.length - written.length;
  return { start, end: start + secret.length };
}

/** The longest host and port. */
const LINE_MAX = 220;

const HEAD = /^(?:(?!urn:|arn:)[\w.*-]{1,200}|\/[\w./-]{1,100}):(?:\d{4,5}|\*):$/;
const HEAD_WITHIN = new RegExp(String.raw`(?:^|${OPENS})([\w.*-]{1,200}|\/[\w./-]{1,100}):(\d{4,5}|\*):$`);
/** What PostgreSQL and those before it listen on. */
const PORTS: ReadonlySet<string> = new Set(['5432', '5433', '6432', '*']);
const LINE = /([\w.*$-]{1,64}):([\w.@*-]{1,64}):([^\s:][^\s]{2,100})(?=\r?\n|$)/y;
const WITHIN = /([\w.*$-]{1,64}):([\w.@*-]{1,64}):([^\s:"'`<>|)\],;][^\s"'`<>|)\],;]{2,100})/y;

/** True when a colon could be the one behind the port. */
export const isAfterPort = (before: number): boolean => (before >= 48 && before <= 57) || before === 42;

/** Which file it is that holds `ada:rqXexS6ZhobKA` and `ada:realm:939e…`; anywhere else these are names and digests. */
const HASHED = ['htpasswd', 'htdigest'].map(signOf);
const HASHES =
  /(?<![\w.@/-])[\w.@-]{1,64}:(?:([./A-Za-z0-9]{13})(?![\w./:])|[^:\s"'`]{1,40}:([\da-f]{32})(?!\w))/g;

/** The hashes of a file of `htpasswd` or `htdigest` that have no form of their own. */
export function hashedLogins(text: string): readonly SecretRange[] {
  if (!holdsAny(text, HASHED)) return NONE;
  return [...text.matchAll(HASHES)].flatMap(({ 0: whole, 1: short, 2: digest, index }) => {
    const hash = short ?? digest ?? '';
    if (short !== undefined && !isRandom(short)) return [];
    return [{ start: index + whole.length - hash.length, end: index + whole.length }];
  });
}

/** What says that lines of three words are logins: of PPP, of davfs2. */
const LISTS = ['using CHAP', 'using PAP', 'chap-secrets', 'pap-secrets', 'davfs2', '://dav', 'webdav'].map(
  signOf,
);
const FIELD = String.raw`"?[^\s"#][^\s"]{0,199}"?`;
const BLANK = String.raw`[ \t]+`;
const SECRET_FIELD = String.raw`"?([^\s"#][^\s"]{3,119})"?`;
const LIST_END = String.raw`[ \t]*(?:[ \t]#[^\n]*)?$`;
/** A client, a server, the secret, addresses: one of the two others is `*` or an address. */
const PPP_LINE = new RegExp(
  String.raw`^[ \t]*${FIELD}${BLANK}(?:"?\*"?${BLANK}${SECRET_FIELD}(?:${BLANK}${FIELD}){0,4}|${FIELD}${BLANK}${SECRET_FIELD}(?:${BLANK}"?(?:\*|-|\d+\.\d+\.\d+\.\d+\S{0,9})"?){1,4})${LIST_END}`,
  'dgm',
);
/** An address or a folder, a name, the secret. */
const DAV_LINE = new RegExp(
  String.raw`^[ \t]*"?(?:https?:\/\/|\/)[^\s"#]{1,200}"?${BLANK}${FIELD}${BLANK}${SECRET_FIELD}${LIST_END}`,
  'dgm',
);

/** The secrets of `client * SECRET *`, a line of `chap-secrets`, and of `https://x.test ada SECRET` of davfs2. */
export function listedLogins(text: string): readonly SecretRange[] {
  if (!holdsAny(text, LISTS)) return NONE;
  return [PPP_LINE, DAV_LINE].flatMap((line) =>
    [...text.matchAll(line)].flatMap(({ indices }) => {
      const [start, end] = indices?.[1] ?? indices?.[2] ?? [0, 0];
      return isSecretValue(text.slice(start, end), 'password', 'data') ? [{ start, end }] : [];
    }),
  );
}

/** One of these is in nearly every such file. */
const SIGNS = ['"github-oauth"', '"gitlab-token"'].map(signOf);
const TABLES = 'github-oauth gitlab-oauth gitlab-token bearer bitbucket-oauth forgejo-token'.split(' ');
const TABLE_SIGNS = TABLES.map((name) => signOf(`"${name}"`));
const TABLE = new RegExp(
  String.raw`"(?:${TABLES.join('|')})"\s{0,40}:\s{0,40}\{([^{}]{1,4000}(?:\{[^{}]{1,1000}\}[^{}]{0,1000}){0,20})\}`,
  'g',
);
const HELD =
  /"(?:[\w-]+\.[\w.:-]+|token|consumer-key|consumer-secret|access-token)"\s{0,40}:\s{0,40}"([^"\\\s]{8,400})"/g;

/** The tokens in `{"github-oauth": {"github.com": "SECRET"}}`, a file of Composer, by host. */
export function composerSecrets(text: string): readonly SecretRange[] {
  return holdsAny(text, SIGNS) ? tablesOf(text) : NONE;
}

/** The same for a whole document, by any of the tables. */
export function tablesOf(text: string): readonly SecretRange[] {
  if (!holdsAny(text, TABLE_SIGNS)) return NONE;
  return [...text.matchAll(TABLE)].flatMap(({ 0: table, index }) =>
    [...table.matchAll(HELD)].flatMap(({ 0: held, 1: secret = '', index: at }) => {
      if (isPlaceholder(secret) || SAMPLES.has(secret.toLowerCase())) return [];
      const end = index + at + held.length - 1;
      return [{ start: end - secret.length, end }];
    }),
  );
}

const NONE: readonly SecretRange[] = [];
