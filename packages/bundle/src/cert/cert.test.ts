import { verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { NOW } from '../../test/platform.js';
import { must, reasonOf } from '../../test/scratch.js';
import { canonicalBytes } from '../json/read.js';
import { createKey } from '../key/key.js';
import { certify } from './certify.js';
import { type VerifyOptions, verifyObject } from './verify.js';

const { signer } = createKey();
const keys = new Map([[signer.keyId, signer.publicKey.object]]);
const binding = { kind: 'agent_card', subject: 'ada', objectKey: 'agents/all/ada.json' };
const card = {
  kind: 'agent_card',
  agent_id: 'ada',
  card_version: 5,
  bio: 'né 鳥 "q" \\ \n',
  w: 0.1,
  z: { cert: { signature: 'x' } },
};
const sealed = (object: Record<string, unknown> = card, more = {}) =>
  must(certify(object, { signer, issuer: 'p', binding, version: 5, now: NOW, lifetimeMs: 60_000, ...more }));
const check = (bytes: Uint8Array, more: Partial<VerifyOptions> = {}) =>
  reasonOf(verifyObject(bytes, { keys, expect: binding, now: NOW, ...more }));
const edited = (
  edit: (object: { cert: Record<string, unknown> } & Record<string, unknown>) => void,
): Buffer => {
  const object = JSON.parse(sealed().toString());
  edit(object);
  return canonicalBytes(object) as Buffer;
};

describe('a certificate', () => {
  test('is Ed25519 over RFC 8785 of the object without only the signature', () => {
    const bytes = sealed();
    expect(check(bytes)).toBe('ok');
    expect(canonicalBytes(JSON.parse(bytes.toString()))).toEqual(bytes);
    const object = JSON.parse(bytes.toString());
    const { signature, ...rest } = object.cert;
    const signed = canonicalBytes({ ...object, cert: rest }) as Buffer;
    expect(verify(null, signed, signer.publicKey.object, Buffer.from(signature, 'base64'))).toBe(true);
    expect(rest).toMatchObject({
      kind: 'agent_card',
      subject: 'ada',
      version: 5,
      object_key: 'agents/all/ada.json',
    });
  });

  test('for all objects: what is certified verifies', () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(value, (object) => {
        const made = certify(
          { ...object, kind: 'note' },
          {
            signer,
            issuer: 'p',
            binding: { ...binding, kind: 'note' },
            version: 1,
            now: NOW,
            lifetimeMs: 1000,
          },
        );
        if (made.ok) expect(check(made.value, { expect: { ...binding, kind: 'note' } })).toBe('ok');
      }),
      runs(200, 3_000),
    );
  });

  test.each<[string, Buffer, string]>([
    [
      'the end of its life edited',
      edited(({ cert }) => (cert.expires_at = '2099-01-01T00:00:00Z')),
      'E_CERT bad_signature',
    ],
    ['an end that is none', edited(({ cert }) => (cert.expires_at = 'never')), 'E_CERT missing_cert'],
    ['no end', edited(({ cert }) => delete cert.expires_at), 'E_CERT missing_cert'],
    ['another issuer', edited(({ cert }) => (cert.issuer = 'attacker')), 'E_CERT bad_signature'],
    ['alg none', edited(({ cert }) => (cert.alg = 'none')), 'E_CERT missing_cert'],
    [
      'an older date of issue',
      edited(({ cert }) => (cert.issued_at = '1999-01-01T00:00:00Z')),
      'E_CERT bad_signature',
    ],
    ['another version', edited(({ cert }) => (cert.version = 6)), 'E_CERT bad_signature'],
    ['an unknown key', edited(({ cert }) => (cert.key_id = '0'.repeat(64))), 'E_CERT unknown_key'],
    ['a member more', edited(({ cert }) => (cert.extra = 1)), 'E_CERT missing_cert'],
    ['no cert', edited((object) => delete (object as Record<string, unknown>).cert), 'E_CERT missing_cert'],
    [
      'null for a cert',
      edited((object) => ((object as Record<string, unknown>).cert = null)),
      'E_CERT missing_cert',
    ],
    [
      'a list for a cert',
      edited((object) => ((object as Record<string, unknown>).cert = [])),
      'E_CERT missing_cert',
    ],
    ['a body edited', edited((object) => (object.bio = 'x')), 'E_CERT bad_signature'],
    ['a list', Buffer.from('[]'), 'E_CERT missing_cert'],
    ['null', Buffer.from('null'), 'E_CERT missing_cert'],
    ['nothing', Buffer.alloc(0), 'E_JSON syntax'],
  ])('with %s is refused', (_name, bytes, expected) => {
    expect(check(bytes)).toBe(expected);
  });

  test('is valid for one kind, one subject, one place, and for its time', () => {
    const bytes = sealed();
    const expecting = (more: Partial<typeof binding>) => check(bytes, { expect: { ...binding, ...more } });
    expect(expecting({ kind: 'prompt_bundle' })).toBe('E_CERT wrong_kind');
    expect(expecting({ subject: 'bo' })).toBe('E_CERT wrong_subject');
    expect(expecting({ objectKey: 'agents/all/bo.json' })).toBe('E_CERT wrong_place');
    expect(check(bytes, { floor: 5 })).toBe('ok');
    expect(check(bytes, { floor: 6 })).toBe('E_CERT rollback');
    expect(check(bytes, { now: NOW + 60_000 })).toBe('E_CERT expired');
    expect(check(bytes, { now: NOW + 59_999 })).toBe('ok');
    expect(check(bytes, { now: undefined })).toBe('ok');
    expect(check(sealed({ ...card, agent_id: 'bo' }))).toBe('E_CERT wrong_subject');
    expect(check(sealed({ ...card, kind: 'prompt_bundle' }))).toBe('E_CERT wrong_kind');
    expect(check(sealed({ ...card, card_version: 4 }))).toBe('E_CERT wrong_version');
    expect(check(bytes, { limit: bytes.length - 1 })).toBe('E_JSON too-large');
  });

  test('every byte counts, whichever bit is flipped', () => {
    const bytes = sealed();
    for (let at = 0; at < bytes.length; at += 1)
      for (let bit = 0; bit < 8; bit += 1) {
        const flipped = Buffer.from(bytes);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
        if (check(flipped) === 'ok') expect.fail(`byte ${at} bit ${bit}`);
      }
  });

  test('is not taken in another form, though it says the same', () => {
    const text = sealed().toString();
    expect(check(Buffer.from(JSON.stringify(JSON.parse(text), null, 1)))).toMatch(/^E_JSON/);
    expect(check(Buffer.from(`${text}\n`))).toBe('E_JSON syntax');
    expect(check(Buffer.from(text.replace('"kind":"agent_card"', '"kind":"x","kind":"agent_card"')))).toBe(
      'E_JSON duplicate',
    );
    // The last letter of base64 has four bits to spare.
    const loose = text.replace(/(.)==","subject/, (_all, last: string) => {
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
      return `${letters[letters.indexOf(last) + 1]}==","subject`;
    });
    expect(loose).not.toBe(text);
    expect(check(Buffer.from(loose))).toBe('E_CERT bad_signature');
  });

  test.each<[string, Record<string, unknown>]>([
    ['half a character', { bio: '\ud800' }],
    ['an integer past 2^53', { n: 2 ** 53 }],
    ['a number that is none', { n: Number.NaN }],
    ['a name that is no name', JSON.parse('{"__proto__":1}')],
    ['40 levels', { n: Array.from({ length: 40 }).reduce((inner) => [inner], 1) }],
  ])('is not given to an object with %s', (_name, object) => {
    const options = { signer, issuer: 'p', binding, version: 1, now: NOW, lifetimeMs: 1 };
    const made = certify(object, options);
    // A spread keeps no member called __proto__, so that one is gone rather than signed.
    if (made.ok) expect(made.value.includes('__proto__')).toBe(false);
    else expect(made.error.code).toBe('E_JSON');
  });
});
