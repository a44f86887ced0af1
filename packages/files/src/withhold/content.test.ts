import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isPrivateKey } from './content.js';

const isKey = (file: Uint8Array | string): boolean => {
  const bytes = Buffer.from(file as string, 'utf8');
  return isPrivateKey(bytes.toString('latin1').replaceAll('\0', ''), bytes);
};

const PAIRS = {
  'an RSA key': generateKeyPairSync('rsa', { modulusLength: 1024 }),
  'a key of a curve': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'a key of a longer curve': generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  'an Edwards key': generateKeyPairSync('ed25519'),
  'a key of an exchange': generateKeyPairSync('x25519'),
};
const LOCK = { cipher: 'aes-256-cbc', passphrase: 'x' } as const;

describe('a private key by what it holds', () => {
  it.each(Object.entries(PAIRS))(
    'is seen in every encoding of %s, and its public half in none',
    (name, pair) => {
      const { privateKey, publicKey } = pair;
      const types =
        name === 'an RSA key' ? ['pkcs1', 'pkcs8'] : name.includes('curve') ? ['sec1', 'pkcs8'] : ['pkcs8'];
      for (const type of types as 'pkcs8'[]) {
        const pem = privateKey.export({ format: 'pem', type }) as string;
        const cases: Readonly<Record<string, Uint8Array | string>> = {
          pem,
          'pem, with line ends of Windows': pem.replaceAll('\n', '\r\n'),
          'pem, with a mark before it': `\ufeff${pem}`,
          'pem, twice encoded': Buffer.from(pem).toString('base64'),
          'pem, in UTF-16': Buffer.from(`\ufeff${pem}`, 'utf16le'),
          'pem, behind remarks': `# made today\n; for a test\n\n${pem}`,
          'pem, behind what OpenSSL writes': `Bag Attributes\n    friendlyName: x\nsubject=CN = x\nKey Attributes: <No Attributes>\n${pem}`,
          'pem, behind a certificate': `-----BEGIN CERTIFICATE-----\nMIIB\nAAAA\n-----END CERTIFICATE-----\n${pem}`,
          'pem, behind its public half': `${publicKey.export({ format: 'pem', type: 'spki' })}${pem}`,
          bytes: privateKey.export({ format: 'der', type }) as Buffer,
          'bytes under a password': privateKey.export({ format: 'der', type: 'pkcs8', ...LOCK }) as Buffer,
          'a key of the web': JSON.stringify(privateKey.export({ format: 'jwk' })),
          'keys of the web': JSON.stringify({ keys: [privateKey.export({ format: 'jwk' })] }, null, 2),
        };
        for (const [how, file] of Object.entries(cases))
          expect([type, how, isKey(file)]).toEqual([type, how, true]);
      }
      expect(isKey(publicKey.export({ format: 'pem', type: 'spki' }))).toBe(false);
      expect(isKey(publicKey.export({ format: 'der', type: 'spki' }) as Buffer)).toBe(false);
      expect(isKey(JSON.stringify(publicKey.export({ format: 'jwk' })))).toBe(false);
    },
  );

  it.each<readonly [string, Uint8Array | string]>([
    ['PKCS #12', Buffer.from('30820a010201033082', 'hex')],
    ['a store of Java', Buffer.from('feedfeed00000002', 'hex')],
    ['a store of Java with keys alone', Buffer.from('cececece00000002', 'hex')],
    ['KeePass', Buffer.from('03d9a29a67fb4bb501000400', 'hex')],
    ['OpenPGP', Buffer.from('950598045f0000000108', 'hex')],
    ['OpenPGP, new form', Buffer.from('c55804600000001609', 'hex')],
    ['SSH2', '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: x\nP2/5'],
    ['minisign', 'untrusted comment: minisign encrypted secret key\nRWRTY0Iy'],
    ['signify', 'untrusted comment: signify secret key\nRWRCSwAAAA'],
    ['a seed of NATS', '-----BEGIN USER NKEY SEED-----\nSUAC\n------END USER NKEY SEED------'],
    ['OpenVPN', '#\n# 2048 bit OpenVPN static key\n#\n-----BEGIN OpenVPN Static key V1-----\n6acef'],
    ['WireGuard', `# home\n[Interface]\nAddress = 10.0.0.2/32\nPrivateKey = ${'A'.repeat(43)}=\n[Peer]\n`],
    ['a login of gcloud', '{ "client_id": "x", "refresh_token": "1//0abcdefgh", "type": "authorized_user" }'],
    ['a cluster, by token', 'kind: Config\nusers:\n- name: a\n  user:\n    token: abcdefghij\n'],
    [
      'a cluster, by password',
      'clusters: []\nusers:\n- name: a\n  user:\n    username: a\n    password: hunter2\n',
    ],
  ])('is seen in a file of %s', (_name, file) => {
    expect(isKey(file)).toBe(true);
  });

  it.each([
    ['a page about keys', '# Keys\n\n```\n-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n```\n'],
    ['code that reads one', "const begin = '-----BEGIN PRIVATE KEY-----';\n"],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'],
    ['a page about tunnels', 'Write this:\n[Interface]\nPrivateKey = <yours>\n'],
    ['a tunnel without its key', '[Interface]\nAddress = 10.0.0.2/32\n'],
    ['a Deployment', 'kind: Deployment\nspec:\n  user:\n  - a\n'],
    ['a public signature', 'untrusted comment: signature from minisign secret key\nRUQ'],
    ['digits', '0123\n456'],
  ])('is not seen in %s', (_name, text) => {
    expect(isKey(text)).toBe(false);
  });
});
