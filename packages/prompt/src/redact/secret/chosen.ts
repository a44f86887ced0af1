import { isPlaceholder, SAMPLES, type SecretRange } from './secret-value.js';

const tableOf = (chars: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => (chars.test(String.fromCharCode(code)) ? 1 : 0));

/** By code: 1 for a sign that a password has in or behind its letters and digits, and next to no other word. */
export const CHOSEN_SIGNS = tableOf(/[!#$%&@]/);
/** By code: 1 for what such a password is made of. */
export const CHOSEN_CHARS = tableOf(/[A-Za-z0-9!#$%&*+@^~_.-]/);
const isChar = (code: number): boolean => code < 128 && CHOSEN_CHARS[code] === 1;

const [LEAST, MOST] = [8, 40];
/** How far before it, or behind it, a word may stand that speaks of signing in. */
const BEFORE = 160;
export const BEHIND = 80;

/** Words of signing in, and of what somebody signs in to. */
const NOUN = new RegExp(
  [
    'pass|pwd|\\bpw\\b|secret|credential|creds|log.?in\\b|sign.?in\\b|auth|token|user|account|admin|root|(?<![a-z])(?:api|private|preshared|my|repo)?[_-]?key|cookie',
    'wi-?fi|wlan|ssid|psk|wep|airport|chap|\\bppp|sudo|ssh|community|snmp|smtp|imap|\\bsip\\b|\\boper\\b|\\bidentify\\b|nickserv',
    '\\bdb|sql|dsn|postgres|oracle|redis|connect|crypt|cipher|hmac|jwt|salt|pbkdf|fernet|hash|sha256|base64|b64|btoa|unlock|obscure',
    'secure|smb|\\brar\\b|send_?keys|sendline|toCharArray|pkcs|pfx|p12|kennwort|senha|contrase|wachtwoord|hasło|парол|密码|パスワード',
    // A flag, a name of mail, a scheme and nothing behind it.
    ' [-/][a-z]{0,2}[pwkcPWKU][ :]?["\'`]?$|\\w@[\\w-]+\\.\\w{2,8}\\b|:\\/\\/$',
  ].join('|'),
  'i',
);

/**
 * A password that a person chose, around the sign at `at`: `hunter2-Blau!`, `tr0ub4dor&3`. Next to no other word looks like it,
 * so one that speaks of signing in, somewhere near, says enough. `floor`: what was looked at ends here. `runEnd`: now it ends there.
 */
export function chosenAt(
  text: string,
  at: number,
  floor: number,
): { readonly found?: SecretRange; readonly runEnd: number } {
  const { word, runEnd } = wordAround(text, at, floor);
  if (word === undefined) return { runEnd };
  const isNear =
    PAIR.test(text.slice(Math.max(0, word.start - NAME_MAX), word.start)) ||
    NOUN.test(text.slice(Math.max(0, word.start - BEFORE), word.start)) ||
    NOUN.test(text.slice(word.end, word.end + BEHIND));
  return isNear ? { found: word, runEnd } : { runEnd };
}

/**
 * The password of `ada:SECRET@git.test`, a login without a scheme; `at` is the sign behind it. Letters of both cases and a
 * digit, or the same would be the address of a mail.
 */
export function loginAt(text: string, at: number): SecretRange | undefined {
  if (text.charCodeAt(at) !== AT || !HOST_BEHIND.test(text.slice(at + 1, at + 1 + HOST_MAX)))
    return undefined;
  const before = text.slice(Math.max(0, at - HOST_MAX - MOST), at);
  const [, name = '', secret = ''] = LOGIN_BEFORE.exec(before) ?? [];
  if (secret === '' || OF_MAIL.test(name) || isPlaceholder(secret) || SAMPLES.has(secret.toLowerCase()))
    return undefined;
  const isMixed =
    /[a-z]/.test(secret) && /[A-Z]/.test(secret) && /\d/.test(secret) && new Set(secret).size >= 6;
  return isMixed ? { start: at - secret.length, end: at } : undefined;
}

const AT = 64;
const HOST_MAX = 64;
const HOST_BEHIND =
  /^(?:(?:[a-z][a-z\d-]{0,40}\.){1,5}[a-z]{2,12}|(?:\d{1,3}\.){3}\d{1,3}|localhost)(?:[:/\s"'\x60),;]|$)/i;
const LOGIN_BEFORE = /(?:^|[\s"'\x60=(<[,])([\w.-]{1,40}):([A-Za-z\d!#$%&*+^~_.-]{8,40})$/;
/** What an address of mail may stand behind. */
const OF_MAIL =
  /^(?:mailto|sips?|xmpp|acct|im|e?-?mail|to|cc|bcc|from|reply-?to|user(?:name)?|login|id|by|author|contact|git|npm|ssh)$/i;

/** Where the last words begin that one which follows the text could speak of, or the text's length. */
export function openChosenAt(text: string): number {
  for (let at = Math.max(0, text.length - BEHIND - MOST), floor = at; at < text.length; at += 1) {
    if (CHOSEN_SIGNS[text.charCodeAt(at)] !== 1) continue;
    const { word, runEnd } = wordAround(text, at, floor);
    if (word !== undefined && word.end + BEHIND > text.length) return word.start;
    floor = runEnd;
    at = runEnd - 1;
  }
  return text.length;
}

/** The run of characters around `at`, and the word in it that could be one. */
function wordAround(
  text: string,
  at: number,
  floor: number,
): { readonly word?: SecretRange; readonly runEnd: number } {
  let runEnd = at + 1;
  while (runEnd < text.length && isChar(text.charCodeAt(runEnd))) runEnd += 1;
  let start = at;
  while (start > floor && at - start <= MOST && isChar(text.charCodeAt(start - 1))) start -= 1;
  if (runEnd - start < LEAST) return { runEnd };
  const before = text.slice(Math.max(0, start - NAME_MAX), start);
  // `\n` of a string literal.
  if (before.endsWith('\\') && /[nrt]/.test(text.charAt(start))) start += 1;
  else if (/[\\$[{/]$/.test(before) && !NAME_BEFORE.test(before)) return { runEnd };
  const behind = text.charAt(runEnd);
  const run = text.slice(start, Math.min(runEnd, start + 2 * MOST));
  // `&z=1` of a query.
  const whole = behind === '=' ? run.slice(0, Math.max(0, run.lastIndexOf('&'))) : run;
  if (/[[(]/.test(behind)) return { runEnd };
  const lead = LEAD.exec(whole)![0].length;
  const chosen = whole.slice(lead).replace(TRAIL, '');
  // `_ref3$name`.
  if (whole.charAt(lead - 1) === '_' || !isChosen(chosen)) return { runEnd };
  return { word: { start: start + lead, end: start + lead + chosen.length }, runEnd };
}

const LEAD = /^[^A-Za-z0-9]*/;
const TRAIL = /[.*_&+~^-]+$/;
/** `ada/` before a password and no path, a scheme, a bracket of a list. */
const NAME_BEFORE = /(?:^|[\s"'`(=:,])[\w.-]{1,32}\/$|:\/\/$|(?:^|[\s=:,])[[{]$|CDATA\[$/;
/** `ada: `, `"ada", "`, `ada / `: a name, and what parts it from its password. */
const PAIR = /(?:^|[\s"'(=[{])[A-Za-z][\w.@-]{1,30}["'`]?\s?[/:,*]\s?["'`]?$/;
const NAME_MAX = 36;

/** Letters, digits and a sign, and no code, address, version or format. */
export const isChosen = (word: string): boolean =>
  word.length >= LEAST &&
  word.length <= MOST &&
  /\d/.test(word) &&
  /[A-Za-z].*[A-Za-z]/.test(word) &&
  /[!#$%&@]/.test(word) &&
  new Set(word).size >= 6 &&
  !NO_PASSWORD.test(word) &&
  (!/^[\w.+-]+@[\w.+~^-]+$/.test(word) || LEET.test(word)) &&
  (!/^[^!$%&@]+$/.test(word) || !FRAGMENT.test(word)) &&
  !SAMPLES.has(word.toLowerCase()) &&
  !isPlaceholder(word);

const NO_PASSWORD = new RegExp(
  [
    // `%20`, `%-20s`, `100%`, `&amp;`, the scope of an address.
    String.raw`%[\dA-Fa-f]{2}|%[-+.\d]*[a-zA-Z](?![A-Za-z0-9])|%-?\d*$|^[\d.]+%|^[\da-f]{1,4}%|^A-Z|&(?:amp|lt|gt|quot|nbsp|apos|#)`,
    // `a.flags&8`, `a!.b1`, `return!1`, `jobs!42`.
    String.raw`&&|\.\w+[&%]|^[A-Za-z.]+&-?\d+$|%\d+\.|!\.|[a-z]!\d+$|!!|@@|^\w+(?:\.\w+)+[!#]?$|!important`,
    // `name$1`, `1.$one`, `core.$Type`, `lambda$0$Type`.
    String.raw`\$\d|\.\$|\$$|^[A-Za-z_.]*\$|^[\d.-]+\$|\$jscomp`,
    // `name@~1.2`, `v5.14-rc1~40`.
    String.raw`@[~^]|[~^]\d+[.^~]`,
  ].join('|'),
);
/** The name of what a link leads to, the number of an issue: one sign, and words behind it. */
const FRAGMENT = /^[A-Za-z_.-]*#|^[\d.]+#|#(?:[a-z_]{2}[\w.-]*|[A-Za-z]?\d[\w.-]*|\w*_\w*)$/;
const LEET = /^[Pp]@[Ss]/;
