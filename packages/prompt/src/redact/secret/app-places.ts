import { ARGUMENT, call, END, likely, sure, type ToolPlace, WORD } from './tool-place.js';

/** What a name ends with that holds a secret, whatever its case is. */
const NAME = String.raw`[\w-]{0,40}(?:[Pp]ass(?:[Ww](?:or)?d|[Pp]hrase)?|PASS(?:W(?:OR)?D|PHRASE)?|[Pp]wd|PWD|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Aa]pi[_-]?[Kk]ey|API_?KEY)`;
/** A value in the quotes that are open. */
const QUOTED = String.raw`([^"'\x60\s]{4,200})["'\x60]`;

/** The text that a test or a script types into a field of a password: the field is named in the call or before it. */
function typed(sign: string): readonly ToolPlace[] {
  const name = sign.replaceAll(/[(.]/g, String.raw`\$&`);
  const field = String.raw`(?:"[^"\n]{0,100}[Pp]ass(?:word|wd|phrase|code)[^"\n]{0,40}"|'[^'\n]{0,100}[Pp]ass(?:word|wd|phrase|code)[^'\n]{0,40}')`;
  return likely(
    sign,
    String.raw`${name}\s{0,8}${field}\s{0,8},\s{0,24}["']${QUOTED}`,
    String.raw`${name}(?<=[Pp]ass(?:word|wd|phrase|code)[^\n]{0,80})\s{0,8}(?:${ARGUMENT}\s{0,8},\s{0,24})?["']${QUOTED}`,
  );
}

/** A value behind the sign between a name and what holds it: `password: Some("X")`, `[password] => X`. */
const held = (sign: string, before: string, after: string): readonly ToolPlace[] => {
  const name = sign.replaceAll(/[(){}[\].*+?^$|]/g, String.raw`\$&`);
  return likely(sign, `${name}(?<=${before})${after}`);
};

/** Where values that programs print, programs that sign in, pages and forms have a secret. */
export const APP_PLACES: readonly ToolPlace[] = [
  // What languages write around a value.
  ...held('Some("', String.raw`\b${NAME}"?\s?[:=]\s?Some\("`, QUOTED),
  ...held('ional("', String.raw`\b${NAME}"?\s?[:=]\s?Optional\("`, QUOTED),
  ...['assword{"', 'ecret{"', 'oken{"', 'pi_key{"', 'piKey{"'].flatMap((sign) =>
    held(sign, String.raw`\b${NAME}\{"`, QUOTED),
  ),
  ...held(' As String = "', String.raw`\b${NAME} As String = "`, QUOTED),
  ...['= q{', '= q(', '= qq{', '= q|'].flatMap((sign) =>
    held(sign, String.raw`\$${NAME}\s?= q{1,2}[{(|]`, String.raw`([^\s{}()|;]{4,200})[})|]`),
  ),
  ...held('= [[', String.raw`\b${NAME}\s?= \[\[`, String.raw`([^\s\]]{4,200})\]\]`),
  ...held('] => ', String.raw`\[${NAME}\] => `, String.raw`([^\s"']{4,200})(?=\s|$)`),
  ...held('"]=>', String.raw`\["${NAME}"\]=>`, String.raw`\s{1,8}string\(\d{1,4}\) "([^"\s]{4,200})"`),
  ...held('";s:', String.raw`s:\d{1,3}:"${NAME}";s:`, String.raw`\d{1,4}:"([^"\s]{4,200})"`),
  // What people type into forms.
  ...['.fill(', '.type(', 'send_keys(', 'sendKeys(', 'setValue(', 'typeText(', 'pressSequentially('].flatMap(
    typed,
  ),
  ...held('with: "', `[Pp]ass(?:word|code)["'], {1,4}with: "`, QUOTED),
  ...held("with: '", `[Pp]ass(?:word|code)["'], {1,4}with: '`, QUOTED),
  ...likely('Input Password', String.raw`Input Password(?: {2,}|\t+)\S{1,80}(?: {2,}|\t+)${WORD}`),
  ...['type="password"', "type='password'"].flatMap((sign) =>
    likely(
      sign,
      String.raw`${sign}[^<>\n]{0,160}?\svalue=["']${QUOTED}`,
      String.raw`${sign}(?<=\svalue=["']${QUOTED}[^<>\n]{0,160}${sign})`,
    ),
  ),
  ...likely(
    'send -- ',
    String.raw`send -- (?<=assword[^\n]{0,40}\n?[^\n]{0,40}send -- )["']([^"'\\\s]{4,120})`,
  ),
  // Elements that have attributes.
  ...['</pass', '</Pass', '</PASS'].flatMap((sign) =>
    likely(
      sign,
      String.raw`${sign}(?<=<(?:\w{1,20}:)?[Pp](?:ass|ASS)(?:[Ww]ord|WORD|wd)?\s[^<>]{1,120}>([^<>\s]{4,120})${sign})`,
    ),
  ),
  // Databases and their tools.
  ...['expdp ', 'impdp ', 'sqlldr ', 'dbca '].flatMap((sign) =>
    sure(sign, String.raw`${sign}[ \t]*(?:userid=)?["']?[\w$#]{1,40}\/([^@\s"'/]{3,120})`),
  ),
  ...sure('SETUSER ', String.raw`SETUSER \S{1,64}(?: [^\s>]\S{0,80}){0,12} >([^\s"']{3,120})`),
  ...sure('auth-pass ', String.raw`auth-pass \S{1,80} ${WORD}`),
  ...sure('@tcp(', String.raw`@tcp\((?<=[\w.-]{1,64}:([^\s"'\x60/:@]{4,120})@tcp\()`),
  ...sure('@unix(', String.raw`@unix\((?<=[\w.-]{1,64}:([^\s"'\x60/:@]{4,120})@unix\()`),
  ...[
    'ldap_bind(',
    'imap_open(',
    'ftp_login(',
    '_auth_password(',
    'mysqli(',
    'odbc_connect(',
    'Sequelize(',
  ].flatMap((sign) => call(sign, 3)),
  ...['oci_connect(', 'oci_pconnect(', 'AuthenticationToken('].flatMap((sign) => call(sign, 2)),
  ...call('asicAuth(', 2),
  // Chat, networks and machines.
  ...sure('::add-mask::', String.raw`::add-mask::([^\s"'$]{4,300})`),
  ...likely(
    'ickServ :',
    String.raw`ickServ :(?:IDENTIFY|identify|GHOST|REGISTER)[ \t](?:[\w[\]-]{1,30}[ \t])?${WORD}${END}`,
  ),
  ...sure(
    'com2sec',
    String.raw`com2sec6?[ \t]+(?:-Cn[ \t]+\S+[ \t]+)?\S{1,40}[ \t]+\S{1,60}[ \t]+(?!public\b|private\b)([^\s"']{3,64})`,
  ),
  ...sure('51:b:', `51:b:(?<=password 51:b:)([0-9A-Fa-f]{20,4000})`),
  ...sure(
    'UGFzc3dvcmQ6',
    String.raw`UGFzc3dvcmQ6\s{1,8}(?:[CS<>]{1,3}:? ?)?([A-Za-z0-9+/]{4,120}={0,2})(?=\s|$)`,
  ),
  ...sure(':::', String.raw`:::(?<=:\d{1,9}:([0-9a-fA-F]{32}:[0-9a-fA-F]{32}):::)`),
  ...['rization "', "rization '"].flatMap((sign) =>
    likely(sign, `${sign}(?:[Bb]asic|[Bb]earer|[Tt]oken) ([A-Za-z0-9+/=._~-]{8,400})["']`),
  ),
  // The bytes of a key without the lines around them.
  ...['IBAAKCA', 'IBADANBgkqhkiG9w0BAQEFAASC', 'AgEAMBMGByqGSM49AgEGCCqGSM49AwEHB'].flatMap((sign) =>
    sure(
      sign,
      String.raw`${sign}(?<=(?:^|[^A-Za-z0-9+/])MI[A-Za-z0-9+/]{2,6}${sign})((?:[A-Za-z0-9+/]{8,90}={0,2}(?:\r?\n[ \t>|]{0,8})?){1,90})`,
    ),
  ),
  ...sure('Static key V1-', String.raw`Static key V1-----\s{0,8}((?:[0-9a-f]{32}\s{0,8}){1,16})`),
];
