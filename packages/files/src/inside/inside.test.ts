import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { flate, makeDocx, makePdf, makePng } from '../../test/make-document.js';
import { makeZip } from '../../test/make-zip.js';
import type { InsideLimits } from './budget.js';
import { lookInside, Unreadable } from './inside.js';

const WORD = 'tulip-harvest-4417';

const cut = (text: string, size: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');
const utf32 = (text: string): Buffer => {
  const chars = [...text];
  const bytes = Buffer.alloc(4 * chars.length);
  for (const [at, char] of chars.entries()) bytes.writeUInt32LE(char.codePointAt(0) as number, 4 * at);
  return bytes;
};
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

/** Codes that mean nothing by themselves, and the map that says what they stand for. */
const CODES = `<${[...WORD].map((_, at) => (at + 0x20).toString(16).padStart(4, '0')).join('')}> Tj`;
const MAP = [
  '1 begincodespacerange <0000> <ffff> endcodespacerange',
  `${WORD.length} beginbfchar`,
  ...[...WORD].map(
    (char, at) => `<${(at + 0x20).toString(16).padStart(4, '0')}> <${utf16be(char).toString('hex')}>`,
  ),
  'endbfchar',
].join('\n');

const text = (key: string, value: Buffer): Buffer => Buffer.concat([Buffer.from(`${key}\0`), value]);

const HOLDERS: Readonly<Record<string, Uint8Array>> = {
  'bytes of nothing known': Buffer.concat([
    Buffer.from([0, 1, 2, 3]),
    Buffer.from(WORD),
    Buffer.from([0, 255]),
  ]),
  'UTF-16 among zero bytes': Buffer.concat([
    Buffer.alloc(7),
    Buffer.from(WORD, 'utf16le'),
    Buffer.from([1, 2, 0]),
  ]),
  'UTF-16, the other way round': Buffer.concat([Buffer.alloc(8), utf16be(WORD), Buffer.from([1, 2, 0])]),
  'a zip': makeZip([{ name: 'a.txt', data: `x ${WORD}` }]),
  'the name of an entry': makeZip([{ name: `${WORD}.txt`, data: 'x' }]),
  'a zip in a zip': makeZip([{ name: 'b.zip', data: makeZip([{ name: 'a.txt', data: WORD }]) }]),
  'an entry that the directory leaves out': makeZip([
    { name: 'a.txt', data: WORD.repeat(9), unlisted: true },
    { name: 'b.txt', data: 'x' },
  ]),
  'a document': makeDocx([WORD]),
  'a document cut into runs': makeDocx(cut(WORD, 3)),
  'UTF-16 in a zip': makeZip([
    { name: 'a', data: Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(WORD, 'utf16le')]) },
  ]),
  gzip: gzipSync(`${WORD}`),
  'a tar in gzip': gzipSync(
    Buffer.concat([Buffer.from('a.txt'), Buffer.alloc(507), Buffer.from(WORD), Buffer.alloc(400)]),
  ),
  'a PDF in a zip': makeZip([{ name: 'a.pdf', data: makePdf([flate(`BT (${WORD}) Tj ET`)]) }]),
  'a PDF string': makePdf([`<< /Title (${WORD}) >>`]),
  'a PDF string in hex': makePdf([`<< /Title <${hex(WORD)}> >>`]),
  'a PDF string in UTF-16': makePdf([`<< /Title <feff${utf16be(WORD).toString('hex')}> >>`]),
  'a PDF string in octal': makePdf([
    `<< /Title (${[...WORD].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')}) >>`,
  ]),
  'a PDF page': makePdf([flate(`BT /F1 12 Tf (${WORD}) Tj ET`)]),
  'a PDF page, letter by letter': makePdf([
    flate(`BT [${[...WORD].map((char) => `(${char}) -20`).join(' ')}] TJ ET`),
  ]),
  'a PDF page, moved for every letter': makePdf([
    flate(`BT ${[...WORD].map((char) => `(${char}) Tj 7 0 Td`).join('\n')} ET`),
  ]),
  'a PDF page in hex letters': makePdf([flate(`BT <${hex(WORD)}> Tj ET`)]),
  'a PDF page with codes of a font': makePdf([flate(MAP), flate(`BT ${CODES} ET`)]),
  'a PDF of two filters': makePdf([
    {
      dictionary: '/Filter [/ASCIIHexDecode /FlateDecode]',
      data: Buffer.from(`${deflateSync(Buffer.from(`(${WORD}) Tj`)).toString('hex')}>`),
    },
  ]),
  'a PDF in base 85': makePdf([
    { dictionary: '/Filter /ASCII85Decode', data: Buffer.from(base85(`(${WORD}) Tj`)) },
  ]),
  'a PDF of run lengths': makePdf([
    {
      dictionary: '/Filter /RunLengthDecode',
      data: Buffer.from([...WORD].flatMap((char) => [0, char.charCodeAt(0)]).concat(128)),
    },
  ]),
  'a PDF with a predictor': makePdf([
    flate(
      Buffer.concat(cut(WORD, 9).map((row) => Buffer.concat([Buffer.from([0]), Buffer.from(row)]))),
      '/DecodeParms << /Predictor 12 /Columns 9 >>',
    ),
  ]),
  'PDF metadata': makePdf([flate(`<?xpacket?><x:xmpmeta>${WORD}</x:xmpmeta>`, '/Type /Metadata')]),
  'text of a PNG': makePng([['tEXt', text('Comment', Buffer.from(WORD))]]),
  'packed text of a PNG': makePng([
    ['zTXt', text('Comment', Buffer.concat([Buffer.from([0]), deflateSync(Buffer.from(WORD))]))],
  ]),
  'international text of a PNG': makePng([
    [
      'iTXt',
      text(
        'XML',
        Buffer.concat([Buffer.from([1, 0]), Buffer.from('en\0k\0'), deflateSync(Buffer.from(WORD))]),
      ),
    ],
  ]),
  'a comment of a GIF': Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Buffer.from([1, 0, 1, 0, 0, 0, 0, 0x21, 0xfe, 5]),
    Buffer.from(WORD.slice(0, 5)),
    Buffer.from([WORD.length - 5]),
    Buffer.from(WORD.slice(5)),
    Buffer.from([0, 0x3b]),
  ]),
  'a stream of zlib': deflateSync(Buffer.from(WORD)),
  'an object of git': deflateSync(Buffer.from(`blob 18\0${WORD}`)),
  'a pack of git': Buffer.concat([
    Buffer.from('PACK\0\0\0\x02\0\0\0\x01\xb2\x01', 'latin1'),
    deflateSync(Buffer.from(WORD)),
    Buffer.alloc(20, 7),
  ]),
  'gzip behind something else': Buffer.concat([Buffer.from([1, 2, 3, 0x78, 0x9c, 0]), gzipSync(WORD)]),
  'streams in a stream': deflateSync(Buffer.concat([Buffer.from([0, 1]), deflateSync(Buffer.from(WORD))])),
  'a stream of a small window': Buffer.concat([
    Buffer.from([9, 9, 0]),
    deflateSync(Buffer.from(WORD), { windowBits: 13, level: 9 }),
    deflateSync(Buffer.from(WORD), { windowBits: 15, level: 1 }),
  ]),
  'a comment of a JPEG': Buffer.concat([
    Buffer.from('ffd8fffe0014', 'hex'),
    Buffer.from(WORD),
    Buffer.from('ffd9', 'hex'),
  ]),
};

function base85(words: string): string {
  let out = '';
  for (let at = 0; at < words.length; at += 4) {
    const part = Buffer.alloc(4);
    const size = part.write(words.slice(at, at + 4), 'latin1');
    let value = part.readUInt32BE(0);
    let group = '';
    for (let digit = 0; digit < 5; digit += 1) {
      group = String.fromCharCode(33 + (value % 85)) + group;
      value = Math.floor(value / 85);
    }
    out += group.slice(0, size + 1);
  }
  return `${out}~>`;
}

async function wordsOf(bytes: Uint8Array, limits?: InsideLimits): Promise<string> {
  const inside = lookInside(bytes, limits);
  if (inside.kind === 'text') return inside.text;
  const texts: string[] = [];
  for await (const found of inside.texts) texts.push(found);
  return texts.join('\n\n');
}

describe('a word is found in', () => {
  it.each(Object.entries(HOLDERS))('%s', async (_, bytes) => {
    expect(lookInside(bytes).kind).toBe('binary');
    expect(await wordsOf(bytes)).toContain(WORD);
  });
});

describe('text as a whole', () => {
  it.each<readonly [string, Buffer]>([
    ['UTF-8', Buffer.from(`é ${WORD}\n`)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${WORD}`)],
    ['UTF-16 with a mark', Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(`é ${WORD}`, 'utf16le')])],
    ['UTF-16 the other way round', Buffer.concat([Buffer.from('feff', 'hex'), utf16be(`é ${WORD}`)])],
    ['UTF-16 without a mark', Buffer.from(WORD, 'utf16le')],
    ['Latin-1', Buffer.from(`é ${WORD}`, 'latin1')],
    ['UTF-32', utf32(`${WORD} \u{1f337}`)],
    ['UTF-32 with a mark', utf32(`\ufeffé ${WORD}`)],
    ['UTF-32 the other way round', utf32(`\ufeffé ${WORD}`).swap32()],
  ])('%s is read, and written back in the same encoding', (_, bytes) => {
    const inside = lookInside(bytes);
    expect(inside.kind).toBe('text');
    if (inside.kind !== 'text') return;
    expect(inside.text).toContain(WORD);
    expect(Buffer.from(inside.encode(inside.text)).equals(bytes)).toBe(true);
    expect(Buffer.from(inside.encode(inside.text.replace(WORD, '[gone]'))).includes('tulip')).toBe(false);
  });
});

const reasonOf = async (bytes: Uint8Array, limits?: InsideLimits): Promise<string> => {
  try {
    await wordsOf(bytes, limits);
    return 'ok';
  } catch (thrown) {
    return thrown instanceof Unreadable ? thrown.reason : String(thrown);
  }
};

describe('bytes that unpack to too much, or to nobody knows what', () => {
  const zeros = Buffer.alloc(3 * 1024 * 1024);
  const small: InsideLimits = { bytes: 2 * 1024 * 1024 };
  const nested = (depth: number): Uint8Array =>
    depth === 0 ? Buffer.from('x') : makeZip([{ name: 'a.zip', data: nested(depth - 1) }]);
  it.each<readonly [string, Uint8Array, string]>([
    ['a zip of zeros', makeZip([{ name: 'a', data: zeros }]), 'bomb'],
    ['a zip that lies about its size', makeZip([{ name: 'a', data: zeros, claims: 1 }]), 'bomb'],
    ['gzip of zeros', gzipSync(zeros), 'bomb'],
    ['a PDF of zeros', makePdf([flate(zeros)]), 'bomb'],
    [
      'a PNG whose text is zeros',
      makePng([['zTXt', text('a', Buffer.concat([Buffer.from([0]), deflateSync(zeros)]))]]),
      'bomb',
    ],
    ['archives within archives', nested(8), 'bomb'],
    ['an entry that is encrypted', makeZip([{ name: 'a', data: WORD, flags: 0x801 }]), 'encrypted'],
    ['a PDF that is encrypted', makePdf(['<< /Encrypt 3 0 R >>']), 'encrypted'],
    ['an entry packed otherwise', makeZip([{ name: 'a', data: WORD, method: 12 }]), 'packed'],
    ['7z', Buffer.from('377abcaf271c0004', 'hex'), 'packed'],
    ['Zstandard behind something else', Buffer.from('502a4d1804000000', 'hex'), 'packed'],
    ['LZMA', Buffer.from('5d00008000ffffff', 'hex'), 'packed'],
    ['compress', Buffer.from('1f9d9057', 'hex'), 'packed'],
    ['an LZH archive', Buffer.from('220d2d6c68352d', 'hex'), 'packed'],
    ['a stream of zeros', Buffer.concat([Buffer.from([0, 1]), deflateSync(zeros)]), 'bomb'],
    ['what could be a stream everywhere', Buffer.alloc(18_000, Buffer.from([0x78, 0x9c, 0])), 'bomb'],
    [
      'a broken archive',
      Buffer.concat([
        Buffer.from('PK\u0003\u0004'),
        Buffer.alloc(40, 1),
        Buffer.from('PK\u0005\u0006'),
        Buffer.alloc(18, 9),
      ]),
      'broken',
    ],
  ])('%s', async (_, bytes, reason) => {
    expect(await reasonOf(bytes, small)).toBe(reason);
  });

  it('has an end in time', async () => {
    expect(await reasonOf(makeZip([{ name: 'a', data: 'x' }]), { ms: -1 })).toBe('bomb');
  });

  it('has an end in parts', async () => {
    const many = makeZip(Array.from({ length: 30 }, (_, at) => ({ name: `a${at}`, data: 'x' })));
    expect(await reasonOf(many, { parts: 20 })).toBe('bomb');
  });
});
