import { deflateSync, gzipSync } from 'node:zlib';
import { createRedactor } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { flate, makeDocx, makePdf, makePng } from '../../../files/test/make-document.js';
import { makeZip } from '../../../files/test/make-zip.js';
import { cleanBytes } from './clean-bytes.js';

const SECRET = 'Qm7!vTr-tulip_Harvest.4417';
const redactor = createRedactor({
  roots: [['@project', '/srv/tulip/project']],
  private: ['/home/quinnray'],
  names: ['quinnray'],
  credentials: [SECRET],
});

/** How a secret may be spelled. `before` moves it to every alignment. */
const SPELLINGS: Readonly<Record<string, (secret: string, before: string) => string>> = {
  plain: (secret, before) => `${before}${secret}\n`,
  base64: (secret, before) => Buffer.from(`${before}${secret} more words`).toString('base64'),
  'base64 for URLs': (secret, before) => Buffer.from(`${before}${secret} more`).toString('base64url'),
  hex: (secret, before) => `${before} ${Buffer.from(secret).toString('hex')}`,
  'upper hex': (secret, before) => `${before} ${Buffer.from(secret).toString('hex').toUpperCase()}`,
  JSON: (secret, before) => JSON.stringify({ [before]: [secret] }),
  'percent signs': (secret, before) =>
    `${before}=${[...secret].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')}`,
};

const ENCODINGS: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-16': (text) => Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(text, 'utf16le')]),
  'UTF-16 the other way round': (text) =>
    Buffer.concat([Buffer.from('feff', 'hex'), Buffer.from(text, 'utf16le').swap16()]),
  'Latin-1': (text) => Buffer.from(`é ${text}`, 'latin1'),
};

const pdfString = (text: string): string => `(${text.replace(/[\\()]/g, '\\$&')})`;

const CONTAINERS: Readonly<Record<string, (text: string) => Uint8Array>> = {
  zip: (text) => makeZip([{ name: 'a.txt', data: text }]),
  'a zip in a zip': (text) => makeZip([{ name: 'a.jar', data: makeZip([{ name: 'b', data: text }]) }]),
  docx: (text) => makeDocx([text.replaceAll('<', '&lt;')]),
  gzip: (text) => gzipSync(text),
  'a PDF page': (text) => makePdf([flate(`BT ${pdfString(text)} Tj ET`)]),
  'PDF metadata': (text) => makePdf([`<< /Author ${pdfString(text)} >>`]),
  'packed text of a PNG': (text) =>
    makePng([['zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.from(text))])]]),
  'text of a PNG': (text) => makePng([['tEXt', Buffer.from(`Comment\0${text}`)]]),
};

/** What of the secret could still be read, in any of its spellings. */
const holds = (bytes: Uint8Array): boolean => {
  const buffer = Buffer.from(bytes);
  const texts = [
    buffer.toString('latin1'),
    buffer.toString('utf16le'),
    buffer.toString('latin1').replaceAll('\0', ''),
  ];
  const needles = [
    SECRET,
    Buffer.from(SECRET).toString('hex'),
    Buffer.from(SECRET).toString('base64').slice(0, -4),
  ];
  return texts.some((text) => needles.some((needle) => text.toLowerCase().includes(needle.toLowerCase())));
};

const before = fc.string({ unit: fc.constantFrom(...'abc xyz123'), maxLength: 9 });

describe('the bytes of an attachment pass the masks that text passes', () => {
  it('text of every encoding loses a secret, however it is spelled', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(ENCODINGS)),
        fc.constantFrom(...Object.keys(SPELLINGS)),
        before,
        async (encoding, spelling, words) => {
          const told = SPELLINGS[spelling]?.(SECRET, words) ?? '';
          const clean = await cleanBytes(ENCODINGS[encoding]?.(told) ?? new Uint8Array(), redactor);
          expect(clean.ok).toBe(true);
          if (clean.ok) expect(holds(clean.value)).toBe(false);
        },
      ),
      runs(80, 20_000),
    );
  });

  it('a container that holds a secret is refused, whatever it is and however the secret is spelled', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(CONTAINERS)),
        fc.constantFrom(...Object.keys(SPELLINGS)),
        before,
        async (container, spelling, words) => {
          const told = SPELLINGS[spelling]?.(SECRET, words) ?? '';
          const bytes = CONTAINERS[container]?.(told) ?? new Uint8Array();
          expect([container, spelling, await cleanBytes(bytes, redactor)]).toEqual([
            container,
            spelling,
            { ok: false, error: 'credential' },
          ]);
        },
      ),
      runs(60, 10_000),
    );
  });

  it.each(Object.entries(CONTAINERS))(
    '%s is sent as it is, unless something private stands in it',
    async (_, make) => {
      expect(await cleanBytes(make('Words of quinnray about tulips.'), redactor)).toEqual({
        ok: false,
        error: 'name',
      });
      const plain = await cleanBytes(make('Plain words about tulips.'), redactor);
      expect(
        plain.ok && Buffer.from(plain.value).equals(Buffer.from(make('Plain words about tulips.'))),
      ).toBe(true);
    },
  );

  it.each([
    'ghp_0123456789abcdefghijABCDEFGHIJ',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END PRIVATE KEY-----',
  ])('a credential that nobody named is known by its shape: %s', async (shape) => {
    expect(await cleanBytes(makeZip([{ name: 'a', data: shape }]), redactor)).toEqual({
      ok: false,
      error: 'credential',
    });
    const text = await cleanBytes(Buffer.from(shape), redactor);
    expect(text.ok && Buffer.from(text.value).toString()).toContain('[removed:credential]');
  });

  it('a private path is masked in text, and refused where it cannot be', async () => {
    const text = await cleanBytes(Buffer.from('see /home/quinnray/x and /srv/tulip/project/a.md'), redactor);
    expect(text.ok && Buffer.from(text.value).toString()).toMatch(
      /^see (?!.*quinnray).* and @project\/a\.md$/,
    );
    const zip = await cleanBytes(makeZip([{ name: 'a', data: 'see /home/quinnray/x' }]), redactor);
    expect(zip.ok).toBe(false);
  });

  it('what nobody can look into is refused', async () => {
    expect(await cleanBytes(makePdf(['<< /Encrypt 3 0 R >>']), redactor)).toEqual({
      ok: false,
      error: 'encrypted',
    });
    expect(await cleanBytes(Buffer.from('377abcaf271c0004', 'hex'), redactor)).toEqual({
      ok: false,
      error: 'packed',
    });
  });

  it.each(Object.entries(CONTAINERS))(
    '%s that a text holds is refused with a secret in it, or told without it',
    async (_, make) => {
      const mail = (words: string): Buffer =>
        Buffer.from(
          `Dear all,\n\n${Buffer.from(make(words)).toString('base64').replace(/.{76}/g, '$&\n')}\n`,
        );
      const told = await cleanBytes(mail(`tulips ${SECRET}`), redactor);
      // What stands in it unpacked, or by itself in gzip, is masked where it stands.
      expect(
        told.ok
          ? /^Dear all,\s[\s\S]*\[removed:credential\]/.test(Buffer.from(told.value).toString())
          : told.error,
      ).toBe(told.ok ? true : 'credential');
      expect((await cleanBytes(mail('Plain words about tulips.'), redactor)).ok).toBe(true);
    },
  );

  it('random bytes are sent as they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 3_000 }), async (bytes) => {
        const clean = await cleanBytes(bytes, redactor);
        expect(clean.ok).toBe(true);
      }),
      runs(60, 5_000),
    );
  });
});
