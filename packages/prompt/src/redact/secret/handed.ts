import { type Sign, signOf } from '../sign.js';
import { holds, holdsAny } from '../survey.js';
import { clusterSecrets } from './cluster-secret.js';
import { columnSecrets } from './columns.js';
import { cutEntrySecrets } from './cut-entry.js';
import { jwkSecrets } from './jwk.js';
import { hashedLogins, listedLogins } from './login-file.js';
import { phraseSecrets } from './phrase.js';
import { isAllUpper, kindsOf } from './secret-keys.js';
import { isPlaceholder, isRandom, isSecretValue, type SecretRange } from './secret-value.js';
import { toldSecrets } from './told.js';
import { toldWindows } from './told-windows.js';
import { toolSecrets } from './tool-places.js';

/** Programs that read a secret from a pipe, as they stand behind it. */
const READERS = new RegExp(
  [
    String.raw`sudo\b[^|;&\n]{0,80}\s(?:-\w*S\b|--stdin\b)`,
    String.raw`(?:sudo\s+(?:-\w+\s+)*)?(?:su|passwd|smbpasswd|chpasswd|kinit|cryptsetup|ecryptfs-\w+|gocryptfs|pdbedit|saslpasswd2|htpasswd|ansible-vault|step|age|wg)\b`,
    String.raw`[^|;&\n]{0,120}\s(?:--password-stdin|--passphrase-fd|--with-token|--stdin|-stdin|--password-file[ =]-|-pass(?:in|out)?\s+stdin|-passin\s+fd:0)(?:\s|$|[|;&])`,
    String.raw`(?:gh|glab)\s+(?:secret|auth)\s[^|;&\n]{0,80}`,
    String.raw`(?:docker|podman)\s+secret\s+create\b`,
    String.raw`(?:vault|op|doppler|wrangler|fly|flyctl|heroku|vercel|npm|az|gcloud|infisical|sops|pass)\s+(?:\w+\s+){0,2}(?:login|secrets?|auth|insert|kv)\b`,
    String.raw`(?:gpg|gpg2)\b[^|;&\n]{0,80}--(?:batch|pinentry)`,
    String.raw`(?:vercel\s+env\s+add|secret-tool\s+store|systemd-creds\s+encrypt|kubeseal|keyctl\s+padd)\b`,
  ].join('|'),
  'y',
);
/** What puts a text into a pipe, right before it. */
const WRITER =
  /\b(?:echo|printf|print|Write-Output)[ \t]+(?:-[neE]+[ \t]+|(["']?)%s(?:\\n)?\1[ \t]+)*(?:"([^"\n]{1,120})"|'([^'\n]{1,120})'|([^\s"'|;&<>()]{1,120}))[ \t]*$/;
/** Where a command begins: of a line, behind a prompt, a quote or another command. */
const NET = /net(?<=(?:^|[>$#`"'&|;(:])[ \t]{0,8}net)(?:\.exe)?[ \t]+(use|user)[ \t]+([^\n|&;]{1,200})/gim;
/** All that `NET` finds has this in it, and it is looked for several times faster. */
const NET_USE = /net(?:\.exe)?[ \t]+use/i;
const NETS = ['net ', 'net.exe ', 'NET '].map(signOf);
const WRITERS = ['echo', 'print', 'Write-Output'].map(signOf);
/** How far before a pipe what is put into it may begin. */
const BEFORE = 200;

/**
 * Secrets that a program is handed through a pipe, in a here-string, or as a word of its command line without a flag, and
 * those that a function is handed behind their name.
 */
export function handedSecrets(text: string): readonly SecretRange[] {
  const windows = toldWindows(text);
  const found = [
    pipedSecrets(text),
    hereSecrets(text),
    netSecrets(text),
    argumentSecrets(text),
    toldSecrets(text, windows),
    jwkSecrets(text, windows),
    clusterSecrets(text),
    phraseSecrets(text),
    hashedLogins(text),
    listedLogins(text),
    cutEntrySecrets(text),
    toolSecrets(text),
    columnSecrets(text),
  ];
  return found.every(({ length }) => length === 0) ? NONE : disjoint(found.flat());
}

const NONE: readonly SecretRange[] = [];

/** In order, without what lies in another one. */
function disjoint(found: SecretRange[]): readonly SecretRange[] {
  let last = 0;
  return found
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      if (start < last) return false;
      last = end;
      return true;
    });
}

/** `echo PASS | sudo -S`, `printf %s PASS | docker login --password-stdin`. */
function pipedSecrets(text: string): readonly SecretRange[] {
  const found: SecretRange[] = [];
  for (const at of pipesBehindWriters(text)) {
    READERS.lastIndex = skipSpace(text, at + 1);
    if (!READERS.test(text)) continue;
    const before = text.slice(Math.max(0, at - BEFORE), at);
    const match = WRITER.exec(before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('|')) + 1));
    const word = match?.[2] ?? match?.[3] ?? match?.[4];
    if (word !== undefined) push(found, text, { word, from: text.lastIndexOf(word, at) });
  }
  return found;
}

/** Where the pipe is that follows what could put a text into it: most pipes are no such ones, and most texts have none. */
function pipesBehindWriters(text: string): readonly number[] {
  if (!holdsAny(text, WRITERS) || !text.includes('|')) return NO_PIPES;
  const pipes = new Set<number>();
  for (const sign of WRITERS) {
    if (!holds(text, sign)) continue;
    for (let at = text.indexOf(sign.word); at !== -1; at = text.indexOf(sign.word, at + 1)) {
      const pipe = text.slice(at, at + BEFORE + 1).indexOf('|');
      if (pipe !== -1) pipes.add(at + pipe);
    }
  }
  return [...pipes];
}

const NO_PIPES: readonly number[] = [];

/** `sudo -S ls <<< PASS`. */
function hereSecrets(text: string): readonly SecretRange[] {
  if (!holds(text, HERE_SIGN)) return NONE;
  const found: SecretRange[] = [];
  for (let at = text.indexOf('<<<'); at !== -1; at = text.indexOf('<<<', at + 3)) {
    HERE.lastIndex = at + 3;
    const match = HERE.exec(text);
    const word = match?.[1] ?? match?.[2] ?? match?.[3];
    if (match === null || word === undefined) continue;
    const before = text.slice(Math.max(0, at - BEFORE), at);
    const line = before.slice(
      Math.max(before.lastIndexOf('\n'), before.lastIndexOf('|'), before.lastIndexOf(';')) + 1,
    );
    READERS.lastIndex = 0;
    if (READERS.test(`${line.replace(/^[\s$#>]+/, '')} `))
      push(found, text, { word, from: text.indexOf(word, at + 3) });
  }
  return found;
}

const HERE_SIGN = signOf('<<<');
const HERE = /[ \t]*(?:"([^"\n]{1,120})"|'([^'\n]{1,120})'|([^\s"'|;&<>()]{1,120}))/y;

/** `net use Z: \\host\share PASS /user:kim`, `net user kim PASS /add`. */
function netSecrets(text: string): readonly SecretRange[] {
  if (!holdsAny(text, NETS) || !NET_USE.test(text)) return NONE;
  const found: SecretRange[] = [];
  for (const match of text.matchAll(NET)) {
    const [whole, verb = '', rest = ''] = match;
    const start = match.index + whole.length - rest.length;
    const words = [...rest.matchAll(/"[^"]*"|\S+/g)].filter(([word]) => !word.startsWith('/'));
    const at =
      verb.toLowerCase() === 'user' ? 1 : words.findIndex(([word]) => /^"?(?:\\\\|\/\/)/.test(word)) + 1;
    const word = at > 0 ? words[at] : undefined;
    if (word === undefined || /^[*]$|^[A-Za-z]:$/.test(word[0])) continue;
    const plain = word[0].replace(/^"|"$/g, '').replace(/[`'.,]+$/, '');
    push(found, text, { word: plain, from: text.indexOf(plain, start + word.index) });
  }
  return found;
}

/** `define('DB_PASSWORD', 'PASS')`, `setenv("API_TOKEN", "KEY")`, `ConvertTo-SecureString "PASS"`, `WIFI:…;P:PASS;;`. */
function argumentSecrets(text: string): readonly SecretRange[] {
  const found: SecretRange[] = [];
  if (holdsAny(text, ARGUMENTS)) {
    for (const match of text.matchAll(NAMED_ARGUMENT)) {
      const [whole, , name = '', , value = ''] = match;
      const isSecret = kindsOf(name).some((kind) =>
        kind === 'named'
          ? isAllUpper(name) && isRandom(value)
          : (kind === 'password' || kind === 'token') && isSecretValue(value, kind, 'data'),
      );
      if (!isSecret) continue;
      const start = match.index + whole.length - 1 - value.length;
      found.push({ start, end: start + value.length });
    }
  }
  for (const [signs, pattern] of SINGLE) {
    if (!isHeld(text, signs)) continue;
    for (const match of text.matchAll(pattern)) {
      const word = match[1] ?? '';
      push(found, text, {
        word,
        from: match.index + match[0].length - (match[2] ?? '').length - word.length,
      });
    }
  }
  return found;
}

const ARGUMENTS = ['",', "',"].map(signOf);
/** A quoted name and a quoted value, as the first two that a call is given. */
const NAMED_ARGUMENT = /\(\s{0,8}(["'])([A-Za-z][\w.-]{1,60})\1\s{0,2},\s{0,24}(["'])([^"'\\\s]{6,120})\3/g;

/** Places of one secret: what must stand in a text, and the place; the last group stands behind it. Long signs say most. */
const ROWS: readonly (readonly [signs: string | readonly string[], pattern: RegExp])[] = [
  ['SecureString', /ConvertTo-SecureString(?:\s+-String)?\s+["']([^"'\n]{3,120})(["'])/g],
  ['E\t/', /\t(?:TRUE|FALSE)\t\/\S*\t(?:TRUE|FALSE)\t\d+\t[^\t\n]{1,80}\t([^\s]{8,400})(\s|$)/g],
  ['kie "', /\b[Cc]ookie "[\w.-]+=([^";\s]{8,400})(["; ])/g],
  ['BUNDLE_', /\bBUNDLE_\w+(?:: |=)"?[\w.-]+:([^\s"]{6,200})("?)/g],
  ['curl', /\bcurl\s[^\n|;&]{0,200}?(?<=\s)-[a-zA-Z]{1,8}u\s*["']?[^\s:"']{1,64}:([^\s"']{3,120})(["']?)/g],
  ['AUTH ', /(?:^|[\n>])[ \t]*AUTH[ \t]+(?:\w+[ \t]+)?([^\s"']{8,120})(\s|$)/g],
  ['rabbitmqctl', /\brabbitmqctl\s+(?:add_user|change_password)\s+\S+\s+["']?([^\s"']{4,120})(["']?)/g],
  [['://', 'alias'], /\bmc\s+alias\s+set\s+\S+\s+\S+\s+\S+\s+["']?([^\s"']{8,120})(["']?)/g],
  [
    'http-basic.',
    /\b(?:poetry|composer)\s+config\s+(?:-\S+\s+){0,4}http-basic\.\S+\s+\S+\s+["']?([^\s"']{4,120})(["']?)/g,
  ],
  ['go lo', /\bcargo\s+login\s+["']?([^\s"'-][^\s"']{7,120})(["']?)/g],
  ['xfreerdp', /\bxfreerdp\S*\s[^\n|;&]{0,120}?\/p:["']?([^\s"']{4,120})(["']?)/g],
  ['user-secrets', /\bdotnet\s+user-secrets\s+set\s+\S+\s+["']?([^\s"']{6,120})(["']?)/g],
  ['<auth-user-pass>', /<auth-user-pass>\s*\S+\s*\n\s*(\S{4,120})(\s*<)/g],
  ['jdbc:oracle:', /jdbc:oracle:\w+:[\w$#]+\/([^@\s"']{3,120})(@)/g],
  ['@tcp(', /\b[\w.-]{1,64}:([^@\s"'`/]{3,120})(@tcp\()/g],
  ['rtmp://', /\brtmp:\/\/[^\s"']{1,120}\/([a-z0-9]{4}(?:-[a-z0-9]{4}){3,4})(\b)/g],
  ['rtmps://', /\brtmps:\/\/[^\s"']{1,120}\/([a-z0-9]{4}(?:-[a-z0-9]{4}){3,4})(\b)/g],
  [':x-oauth-basic@', /https?:\/\/([^:@\s"'/]{16,120})(:x-oauth-basic@)/g],
  ['~*', /\buser\s+\S+\s+on\b[^\n]{0,80}?\s>(\S{6,120})(\s)/g],
  ['sqlplus', /\bsqlplus\s+(?:-\w+\s+){0,4}["']?[\w$#]{1,40}\/([^@\s"'/]{3,120})(@|["']|\s|$)/g],
  ['wpa_passphrase', /\bwpa_passphrase\s+(?:"[^"\n]*"|\S+)\s+["']?([^\s"']{8,63})(["']?)/g],
  ['SHA', /\{S?SHA\d{0,3}\}([A-Za-z0-9+/=]{20,200})(\b|)/g],
  ['WIFI:', /WIFI:(?:[TSHR]:[^;\n]{0,64};){0,4}P:((?:[^;\\\n]|\\.){4,63})(;)/g],
];
/** By a loop: asked two dozen times of every text. */
function isHeld(text: string, signs: readonly Sign[]): boolean {
  for (let at = 0; at < signs.length; at += 1) if (!holds(text, signs[at]!)) return false;
  return true;
}
const SINGLE: readonly (readonly [signs: readonly Sign[], pattern: RegExp])[] = ROWS.map(
  ([signs, pattern]) => [[signs].flat().map(signOf), pattern],
);

function push(
  found: SecretRange[],
  text: string,
  { word, from }: { readonly word: string; readonly from: number },
): void {
  // `user:PASS` is how some of them read a line.
  const cut = /^[\w.-]{1,32}:(?=.)/.exec(word)?.[0].length ?? 0;
  const secret = word.slice(cut).replace(/\\n$/, '');
  if (from < 0 || /^\$|^`|^</.test(secret) || isPlaceholder(secret)) return;
  if (!isSecretValue(secret, 'password', 'command')) return;
  const start = from + cut;
  if (text.startsWith(secret, start)) found.push({ start, end: start + secret.length });
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at - from < 80 && /[ \t\\\r\n]/.test(text.charAt(at)) && at < text.length) at += 1;
  return at;
}
