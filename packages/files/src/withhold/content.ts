/** How much of a file is looked at. */
export const HEAD_BYTES = 64 * 1024;

/**
 * Whether a file is a private key, whatever it is called: bytes of a key or of a store of keys, blocks of keys and
 * certificates and nothing else, a key of the web, the key file of an account or the configuration of a cluster or a
 * tunnel with its keys. `head` is its beginning, `latin1`, without zero bytes; `bytes` are its first ones as they are.
 */
export const isPrivateKey = (head: string, bytes: Uint8Array = Buffer.from(head, 'latin1')): boolean =>
  isKeyBytes(bytes) ||
  isKeyBlock(head) ||
  ACCOUNT.test(head) ||
  (WEB_KEY.test(head) && /"kty"\s{0,9}:/.test(head) && WEB_PRIVATE.test(head)) ||
  (/^(?:kind|"kind"|clusters|users)\b/m.test(head) && CLUSTER_KEY.test(head));

const ACCOUNT =
  /^\s*\{[^}]{0,9000}?(?:"private_key"\s{0,9}:\s{0,9}"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|"refresh_token"\s{0,9}:\s{0,9}"[^"]{8}[^}]{0,2000}"type"\s{0,9}:\s{0,9}"authorized_user")/;
/** A key of a user, and the token or password of one. */
const CLUSTER_KEY =
  /^[ \t-]*"?client-key-data"?[ \t]*:[ \t]*"?[A-Za-z0-9+/=]{40}|^[ \t-]*user:[ \t]*\r?\n(?:[ \t][^\n]*\n){0,8}?[ \t]{1,80}(?:token|password):[ \t]*"?[^\s"]{6}/m;
/** A key of the web, or a list of them, as a whole file. */
const WEB_KEY =
  /^\s*\{\s*(?:"keys"\s*:\s*\[\s*\{\s*)?"(?:kty|n|e|d|crv|x|y|k|kid|alg|use|key_ops|ext|p|q|dp|dq|qi)"\s*:/;
const WEB_PRIVATE = /"(?:d|k)"\s{0,9}:\s{0,9}"[\w-]{16}/;

/** How the first bytes of keys and stores of keys are: in `latin1`, `.` for any byte. */
const KEY_BYTES: readonly RegExp[] = [
  // PKCS #1, PKCS #8 and SEC 1, of short and long keys.
  /^\x30(?:[\0-\x7f]|\x81.|\x82..)\x02\x01\0\x02(?:[\x20-\x7f]|\x81.|\x82..)/s,
  /^\x30(?:[\0-\x7f]|\x81.|\x82..)\x02\x01[\0\x01]\x30.\x06/s,
  /^\x30(?:[\0-\x7f]|\x81.)\x02\x01\x01\x04[\x1c-\x42]/s,
  // PKCS #8 under a password, PKCS #12.
  /^\x30(?:\x81.|\x82..)\x30(?:[\0-\x7f]|\x81.)\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x05/s,
  /^\x30\x82..\x02\x01\x03\x30/s,
  // Java, KeePass, secret keys of OpenPGP.
  /^(?:\xfe\xed\xfe\xed|\xce\xce\xce\xce)\0\0\0[\x01\x02]/,
  /^\x03\xd9\xa2\x9a[\x65\x67]\xfb\x4b\xb5/,
  /^(?:\x94.|\x95..|\xc5(?:[\0-\xbf]|[\xc0-\xdf].|\xff....))\x04....[\x01-\x1b]/s,
];

const isKeyBytes = (bytes: Uint8Array): boolean => {
  const first = bytes[0];
  if (first === undefined || !KEY_FIRST.has(first)) return false;
  const begin = Buffer.from(bytes.subarray(0, 32)).toString('latin1');
  return KEY_BYTES.some((form) => form.test(begin));
};
const KEY_FIRST: ReadonlySet<number> = new Set([0x30, 0xfe, 0xce, 0x03, 0x94, 0x95, 0xc5]);

/** What begins a key, at the beginning of a line. */
const KEY_LINE =
  /^(?:-{4,5} ?BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY|USER NKEY SEED|OpenVPN (?:Static|tls-crypt))|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1|untrusted comment: (?:(?:minisign|rsign) encrypted|signify) secret key)/;
/** The same, encoded once more. */
const ENCODED_LINE = /^LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,80}/;
/** What may stand before it: nothing, a remark, and what OpenSSL and GnuPG write. */
const BESIDE = /^(?:\s*$|[#;]|Bag Attributes|Key Attributes|subject ?=|issuer ?=| +[\w .]{1,40}:| +\d+ s:)/;
const MARKS = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff|\uFEFF)/;

/** Whether the first line that is neither empty nor a remark, a certificate or a public key begins a private key. */
function isKeyBlock(head: string): boolean {
  let isWithin = false;
  for (let at = MARKS.exec(head)?.[0].length ?? 0; at < head.length; ) {
    const next = head.indexOf('\n', at);
    const end = next === -1 ? head.length : next;
    const line = head.slice(at, Math.min(end, at + 200)).replace(/^\s+(?=[^\s\w])/, '');
    at = end + 1;
    const encoded = ENCODED_LINE.exec(line)?.[0];
    if (KEY_LINE.test(encoded === undefined ? line : Buffer.from(encoded, 'base64').toString('latin1')))
      return true;
    if (/^-{4,5} ?BEGIN /.test(line)) isWithin = true;
    else if (/^-{4,5} ?END /.test(line)) isWithin = false;
    else if (line.startsWith('[Interface]')) return TUNNEL_KEY.test(head.slice(at, at + 4_000));
    else if (!isWithin && !BESIDE.test(line)) return false;
  }
  return false;
}

/** The key of a tunnel of WireGuard. */
const TUNNEL_KEY = /^[ \t]*PrivateKey[ \t]*=[ \t]*[A-Za-z0-9+/]{43}=/m;

/**
 * Whether the words of a file mark it as a secret: a line gives a value to something that is called a secret, or a
 * private key stands in it. It counts for files that git ignores.
 */
export const isMarkedContent = (head: string): boolean => ASSIGNED.test(head) || ANY_PRIVATE_KEY.test(head);

/**
 * The same for files that git keeps: a value of one word with a digit in it, as no label, sentence or placeholder is.
 */
export const holdsCredential = (head: string): boolean =>
  ANY_PRIVATE_KEY.test(head) || ASSIGNED_WORD.test(head);

const ASSIGNED_WORD =
  /(?:^[ \t]*(?:export[ \t]+)?|[{,][ \t]*(?=["']))["']?[\w.-]{0,60}?(?:secret|token|password|passwd|passphrase|api[_-]?key|private[_-]?key|access[_-]?key|credential)s?[\w.-]{0,40}["']?[ \t]*[=:][ \t]*["']?(?=[^\s"']*\d)[^\s"'#;,{[(<$}]{8,}["',}\]]*[ \t]*(?:$|,)/im;

const ASSIGNED =
  /^[ \t]*(?:export[ \t]+)?["']?[\w.-]{0,60}?(?:secret|token|password|passwd|passphrase|api[_-]?key|private[_-]?key|access[_-]?key|credential)s?[\w.-]{0,40}["']?[ \t]*[=:][ \t]*["']?[^\s"'#;,{[(<$]{6}/im;

const ANY_PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/;
