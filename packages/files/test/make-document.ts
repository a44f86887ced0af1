import { crc32, deflateSync } from 'node:zlib';
import { makeZip } from './make-zip.js';

/** A PDF whose streams and objects are exactly these. */
export function makePdf(objects: readonly (string | PdfStream)[]): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  objects.forEach((object, index) => {
    const head = Buffer.from(`${index + 1} 0 obj\n`);
    if (typeof object === 'string') parts.push(head, Buffer.from(`${object}\nendobj\n`, 'latin1'));
    else {
      const { dictionary, data } = object;
      const open = Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`, 'latin1');
      parts.push(head, open, data, Buffer.from('\nendstream\nendobj\n'));
    }
  });
  parts.push(Buffer.from('trailer << /Root 1 0 R >>\n%%EOF\n'));
  return Buffer.concat(parts);
}

export interface PdfStream {
  readonly dictionary: string;
  readonly data: Buffer;
}

/** A stream that is packed. */
export const flate = (text: string | Buffer, more = ''): PdfStream => ({
  dictionary: `/Filter /FlateDecode ${more}`,
  data: deflateSync(typeof text === 'string' ? Buffer.from(text, 'latin1') : text),
});

/** A PNG with these chunks beside its picture. */
export function makePng(chunks: readonly (readonly [type: string, data: Buffer])[]): Uint8Array {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const sizes = Buffer.alloc(8);
    sizes.writeUInt32BE(data.length, 0);
    sizes.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([sizes.subarray(0, 4), body, sizes.subarray(4)]);
  };
  const header = Buffer.from('00000001000000010800000000', 'hex');
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...chunks.map(([type, data]) => chunk(type, data)),
    chunk('IDAT', deflateSync(Buffer.from([0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A document as offices write it, whose words are cut into runs. */
export const makeDocx = (words: readonly string[]): Uint8Array =>
  makeZip([
    { name: '[Content_Types].xml', data: '<?xml version="1.0"?><Types/>' },
    {
      name: 'word/document.xml',
      data: `<?xml version="1.0"?><w:document><w:p>${words.map((word) => `<w:r><w:t>${word}</w:t></w:r>`).join('')}</w:p></w:document>`,
    },
  ]);
