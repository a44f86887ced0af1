import { placedSign } from '../sign.js';
import { surveyOf } from '../survey.js';
import { APP_PLACES } from './app-places.js';
import { chosenAt, loginAt } from './chosen.js';
import { isPlaceholder, isSecretValue, SAMPLES, type SecretRange } from './secret-value.js';
import { call, END, LINE, likely, near, placesOf, sure, type ToolPlace, WHO, WORD } from './tool-place.js';

const BEYOND_ASCII = /[^\0-\x7f]/;

/** What files of settings, lines of a protocol, commands and calls say by their own grammar. */
const PLACES: readonly ToolPlace[] = [
  ...APP_PLACES,
  ...sure('requirepass', String.raw`requirepass[ \t]+${WORD}`),
  ...sure('masterauth', String.raw`masterauth[ \t]+${WORD}`),
  ...sure('bindpw', String.raw`bindpw[ \t]+${WORD}`),
  ...sure('rootpw', String.raw`rootpw[ \t]+(?:--plaintext[ \t]+)?${WORD}${END}`),
  ...sure('community ', `community (?<=snmp-server community )(?!public|private)${WORD}`),
  ...sure('ocommunity', String.raw`ocommunity[ \t]+(?!public|private)${WORD}`),
  ...sure('wcommunity', String.raw`wcommunity[ \t]+(?!public|private)${WORD}`),
  ...sure('insecure-password', String.raw`insecure-password[ \t]+${WORD}`),
  ...sure(
    'createUser ',
    String.raw`createUser \S{1,64} (?:MD5|SHA\S{0,8}) ${WORD}`,
    String.raw`createUser \S{1,64} (?:MD5|SHA\S{0,8}) \S{1,120} (?:AES\S{0,8}|DES) ${WORD}`,
  ),
  ...sure('word 0 ', `word 0 (?<=password 0 )${WORD}`),
  ...sure('cret 0 ', `cret 0 (?<=secret 0 )${WORD}`),
  ...likely('enable ', `enable (?:secret|password) ${WORD}`),
  ...sure(
    's-server ',
    String.raw`s-server (?<=(?:radius|tacacs)-server )host \S{1,80} (?:[\w-]{1,20} \d{1,5} ){0,3}key (?:0 )?${WORD}`,
  ),
  ...sure(': PSK ', String.raw`: PSK "([^"\s]{4,120})"`),
  ...sure(': XAUTH ', String.raw`: XAUTH "([^"\s]{4,120})"`),
  ...sure(': EAP ', String.raw`: EAP "([^"\s]{4,120})"`),
  ...sure('IPSec secret', `IPSec secret ${WORD}`),
  ...sure('Xauth password', `Xauth password ${WORD}`),
  ...likely(
    'pass',
    String.raw`pass(?:word)?(?<=\buser(?:name)?\s{1,4}\S{1,60}\s{1,4}(?:(?:there|here)\s{1,4})?(?:with\s{1,4})?pass(?:word)?)[ \t]+${WORD}`,
    String.raw`pass(?:word|phrase) for [^\n:]{1,60}:[ \t]*${WORD}${END}`,
    String.raw`password(?<=\bnmcli\b[^\n]{0,200} password) ${WORD}`,
    String.raw`password(?<=passwd\/[\w-]{1,40}[ \t]+password)[ \t]+${WORD}`,
    String.raw`pass(?:word)?(?<=\/set [\w.]{1,80}pass(?:word)?) ${WORD}`,
    String.raw`pass(?:word)?(?<=\s\/pass(?:word)?):${WORD}`,
    String.raw`pass(?:word|wd)(?<=\s-{1,2}[\w-]{1,50})[ =]${WORD}`,
  ),
  ...near(likely('pass', String.raw`${LINE}pass(?:word|wd|phrase)?[ \t]+${WORD}${END}`), WHO),
  ...near(likely('Pass', String.raw`${LINE}Pass[ \t]+${WORD}${END}`), WHO),
  ...likely('assword', String.raw`assword[ \t]+["']([^"'\s]{4,120})["']`),
  ...likely(
    'assword',
    String.raw`assword[^\n"']{0,12}["']\)?;?\s{1,12}(?:exp_)?send(?:line)?\s?\(?["']([^"'\\\s]{4,120})`,
  ),
  ...sure('assword>', String.raw`assword>\s{0,40}<Value>([^<\s]{3,120})<`),
  ...near(
    likely('PASS ', String.raw`${LINE}(?:(?:C:|>+)[ \t])?PASS (\S{4,120})${END}`),
    /(?:^|\n)\S{0,4}[ \t]*(?:USER|NICK|CAP|331|\+OK)\b/,
  ),
  ...near(likely('PASS ', String.raw`PASS (?<=C: PASS )(\S{4,120})${END}`), /C: /),
  ...likely(
    'LOGIN ',
    String.raw`LOGIN (?<=(?:^|\n)[ \t]*(?:C: )?[A-Za-z]{0,6}\d{1,8} LOGIN )(?:"[^"\n]{1,80}"|\S{1,80}) ${WORD}${END}`,
  ),
  ...['ickserv', 'ickServ'].flatMap((sign) =>
    likely(
      sign,
      String.raw`ick[sS]erv(?<=[nN]ick[sS]erv) (?:identify|IDENTIFY) (?:[\w[\]-]{1,30} )?([^\s"';]{4,120})(?=["';]|[ \t]*(?:\r?\n|$))`,
    ),
  ),
  ...sure('" * "', String.raw`" \* "(?<=(?:^|\n)"[^"\n]{1,60}" \* ")([^"\s]{4,120})"`),
  ...sure('K 8', String.raw`K 8\r?\npassword\r?\nV \d{1,4}\r?\n([^\s]{3,120})`),
  ...sure('K 10', String.raw`K 10\r?\npassphrase\r?\nV \d{1,4}\r?\n([^\s]{3,120})`),
  ...['user=', 'user =', 'user:', 'user "', '-user '].flatMap((sign) =>
    placesOf(sign, 'literal', [
      String.raw`-?user(?<=(?:^|\n)[ \t]*(?:--)?(?:proxy-)?user)(?:[ \t]*[=:][ \t]*|[ \t]+)["']?[^\s"':]{1,64}:([^\s"']{4,120})${END}`,
    ]),
  ),
  ...['secret=', 'secret ='].flatMap((sign) =>
    near(likely(sign, String.raw`secret[ \t]*=[ \t]*${WORD}${END}`), /\bclient\s+\S{1,80}\s*\{/),
  ),
  ...sure('stats auth', String.raw`stats auth [^\s:]{1,64}:(\S{4,120})`),
  ...sure('login=', String.raw`login=(?<=\bcache_peer [^\n]{1,200} login=)[^\s:]{1,64}:(\S{4,120})`),
  ...sure(
    'chpasswd:',
    String.raw`chpasswd:[^\n]{0,80}\n(?:[ \t][^\n]{0,80}\n){0,6}?[ \t]+(?:- )?[\w.-]{1,32}:(\S{4,120})`,
  ),
  ...'пароль пароля 密码 密碼 口令 パスワード 비밀번호 암호 contraseña hasło şifre lösenord'
    .split(' ')
    .flatMap((noun) => likely(noun, String.raw`${noun}["'\x60]?[ \t]{0,4}[:：=][ \t]{0,4}${WORD}`)),
  ...['passe', "parola d'ordine", 'wachtwoord'].flatMap((noun) =>
    likely(noun, String.raw`${noun}["'\x60]?[ \t]{0,4}[:=][ \t]{0,4}${WORD}`),
  ),
  ...[']:25', ']:465', ']:587'].flatMap((sign) =>
    sure(sign, String.raw`\]:(?<=(?:^|\n)\[[\w.-]{1,80}\]:)\d{2,5}[ \t]+[^\s:]{1,80}:(\S{4,120})${END}`),
  ),
  ...sure('"P:', String.raw`"P:(?<="[UI]:[^"\n]{1,80}"[ \t]{1,4}"P:)([^"\s]{3,120})"`),
  ...sure(':pserver:', String.raw`:pserver:[^\s:@]{1,64}:([^\s@]{3,120})@`),
  ...sure(
    'bundle config',
    String.raw`bundle config (?:(?:set|--\w{1,12}) ){0,3}\S{1,80} [^\s:]{1,64}:([^\s"']{4,120})`,
  ),
  ...sure('passwd -', String.raw`passwd -\w{0,4}b\w{0,4} \S{1,120} \S{1,64} ${WORD}`),
  ...likely('kv put ', String.raw`kv put \S{0,80}(?:password|passwd|secret|token)[ \t]+${WORD}`),
  ...sure('admin user add', String.raw`admin user add \S{1,64} \S{1,64} ${WORD}`),
  ...sure('PASSWORD(', String.raw`PASSWORD\(\s{0,4}["']([^"'\s]{3,120})["']`),
  ...likely('asicAuth]', String.raw`asicAuth\]\s{1,4}[\w.@-]{1,64}:[ \t]{0,4}${WORD}${END}`),
  ...sure('/p ', String.raw`\/p (?<=\bsigntool\b[^\n]{0,200} \/p )${WORD}`),
  ...sure('openssl passwd', String.raw`openssl passwd (?:-\w{1,10} ){0,4}(?![-$\s])${WORD}`),
  ...sure('ftp> ', String.raw`ftp> (?:user|USER) \S{1,60} ${WORD}`),
  ...sure('"@', String.raw`"@(?<=(?:^|[\s=:(])[\w$]{1,40}\/"([^"\s]{4,80})"@)[\w/]`),
  ...likely('asscode', String.raw`asscode["'\x60*]{0,3}[ \t]{0,4}[:=][ \t]{0,4}${WORD}${END}`),
  ...sure(
    'PIN',
    String.raw`PIN(?<![A-Za-z_]PIN)(?: (?:code|number))?(?: (?:of|for|to) (?:\w{1,12} ){0,3}\w{1,16})?(?: is|[ \t]{0,2}[:=])[ \t]{0,4}["'\x60]?(\d{5,8})(?!\w|\.\d)`,
  ),
  ...['code is', 'code: '].flatMap((sign) =>
    sure(
      sign,
      String.raw`code(?<=(?:[Vv]erification|[Oo]ne-time|[Ss]ecurity|[Ll]og-?in|[Ss]ign-?in|[Cc]onfirmation|[Aa]uthentication|2FA|MFA|OTP)[ -]code)(?: is|:)[ \t]{1,4}["'\x60*]{0,2}(\d{5,8})(?!\w|\.\d)`,
    ),
  ),
  ...call('set_password(', 3),
  ...call('setPassword(', 3),
  ...sure('/rp ', String.raw`\/rp (?<=\bschtasks\b[^\n]{0,200} \/rp )${WORD}`),
  ...[
    'login(',
    'auth(',
    'auth=(',
    'auth = (',
    'auth: [',
    'asic_auth(',
    'BasicAuth(',
    'DigestAuth(',
    'authenticate(',
  ].flatMap((sign) => call(sign, 2)),
  ...['NetworkCredential(', 'PasswordAuthentication(', 'Credentials('].flatMap((sign) => call(sign, 2)),
  ...['PlainAuth(', '_connect(', 'PDO(', 'getConnection(', '>connect('].flatMap((sign) => call(sign, 3)),
  ...call('Credentials(', 4),
  ...likely('asic_auth ', String.raw`asic_auth ["'][^"'\n]{1,64}["'],[ \t]{0,4}["']([^"'\s]{4,120})["']`),
];

/** What may stand where a sign does. */
interface Sign {
  readonly sign: string;
  readonly places: readonly ToolPlace[];
}

const SIGNS: readonly Sign[] = [...new Set(PLACES.map(({ sign }) => sign))].map((sign) => ({
  sign,
  places: PLACES.filter((each) => each.sign === sign),
}));

/** By number of a sign: what may stand there. */
const BY_NUMBER: (Sign | undefined)[] = [];
for (const sign of SIGNS.filter((each) => !BEYOND_ASCII.test(each.sign)))
  BY_NUMBER[placedSign(sign.sign).number] = sign;
/** The signs in other letters. */
const FOREIGN = SIGNS.filter((each) => BEYOND_ASCII.test(each.sign));

/** How far before a place that what speaks for it may stand. */
const NEAR = 300;

/** Secrets that stand where the grammar of a tool has its password: `bindpw X`, `LOGIN ada X`, `SetBasicAuth("ada", "X")`. */
export function toolSecrets(text: string): readonly SecretRange[] {
  const { places, chosen, isAscii } = surveyOf(text);
  const found: SecretRange[] = [];
  for (let index = 0; index < places.length; index += 2) {
    const sign = BY_NUMBER[places[index]!];
    if (sign) secretsAt(text, places[index + 1]!, sign, found);
  }
  if (chosen.length > 0) chosenIn(text, chosen, found);
  if (isAscii) return found;
  for (const sign of FOREIGN)
    for (let at = text.indexOf(sign.sign); at !== -1; at = text.indexOf(sign.sign, at + 1))
      secretsAt(text, at, sign, found);
  return found;
}

/** The passwords around the signs at these places. */
function chosenIn(text: string, places: readonly number[], found: SecretRange[]): void {
  let end = 0;
  for (let index = 0; index < places.length; index += 1) {
    const login = loginAt(text, places[index]!);
    if (login) found.push(login);
    if (places[index]! < end) continue;
    const { found: secret, runEnd } = chosenAt(text, places[index]!, end);
    if (secret) found.push(secret);
    end = runEnd;
  }
}

function secretsAt(text: string, at: number, { places }: Sign, found: SecretRange[]): void {
  for (const place of places) {
    const secret = secretAt(text, at, place);
    if (secret) found.push(secret);
  }
}

function secretAt(
  text: string,
  at: number,
  { place, holds, near: beside }: ToolPlace,
): SecretRange | undefined {
  place.lastIndex = at;
  const [start, end] = place.exec(text)?.indices?.[1] ?? [];
  if (start === undefined || end === undefined) return undefined;
  if (beside && !beside.test(text.slice(Math.max(0, at - NEAR), at))) return undefined;
  const secret = text.slice(start, end).replace(/(?:\\[rn]|[;,)])+$/, '');
  if (isPlaceholder(secret) || SAMPLES.has(secret.toLowerCase()) || !isSecretValue(secret, 'password', holds))
    return undefined;
  return { start, end: start + secret.length };
}
