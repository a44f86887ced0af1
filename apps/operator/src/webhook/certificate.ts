import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A certificate and its key, as PEM. */
export interface ServingCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * A certificate that signs itself, for a server that is told to its only client by hand: the API server believes the very
 * certificate that the webhook's configuration names.
 */
export function selfSigned(
  names: readonly string[],
  { from, until }: { readonly from: Date; readonly until: Date },
): ServingCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid(COMMON_NAME), der(UTF8, Buffer.from(names[0] ?? 'cuebook')))));
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const serial = randomBytes(16);
  // Positive, and without a first byte that says nothing.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const hosts = names.map((each) => der(DNS_NAME, Buffer.from(each)));
  const body = sequence(
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, serial),
    algorithm,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension(BASIC_CONSTRAINTS, sequence(der(BOOLEAN, Buffer.from([0xff]))), true),
        extension(EXTENDED_KEY_USAGE, sequence(oid(SERVER_AUTH))),
        extension(SUBJECT_ALT_NAME, sequence(...hosts)),
      ),
    ),
  );
  const signature = createSign('SHA256').update(body).sign(privateKey);
  const whole = sequence(body, algorithm, der(BIT_STRING, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString('base64').replace(/.{1,64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const BOOLEAN = 0x01;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8 = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const DNS_NAME = 0x82;

const COMMON_NAME = '2.5.4.3';
const BASIC_CONSTRAINTS = '2.5.29.19';
const SUBJECT_ALT_NAME = '2.5.29.17';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length > 0xff ? [length >> 8, length & 0xff] : [length];
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, Buffer.concat(parts));

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const digits = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(OBJECT_ID, Buffer.from(bytes));
}

/** Two digits of the year until 2049, four after. */
function time(date: Date): Buffer {
  const text = `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  return date.getUTCFullYear() < 2050
    ? der(UTC_TIME, Buffer.from(text.slice(2)))
    : der(GENERALIZED_TIME, Buffer.from(text));
}

const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(oid(id), ...(isCritical ? [der(BOOLEAN, Buffer.from([0xff]))] : []), der(OCTET_STRING, value));
