import { guard } from '@cuebook/guard';
import type { Reporter } from '../diagnostic.js';
import { type MappedText, mappedFile } from './mapped.js';

/** A file past this many bytes is not read. */
export const MAX_BYTES = 16 * 1024 * 1024;

/** The text of a file: strict UTF-8 of bounded size, without a byte order mark. Undefined when it is not, which is reported. */
export function decodeFile(bytes: Uint8Array, report: Reporter): MappedText | undefined {
  if (guard('adopt.size', bytes.length > MAX_BYTES)) {
    report.error('E_IMPORT_SYNTAX', undefined, `The file is larger than ${MAX_BYTES} bytes`);
    return undefined;
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const bad = text.indexOf('\ufffd');
  if (guard('adopt.utf8', bad >= 0 && Buffer.compare(Buffer.from(text), bytes) !== 0)) {
    report.error('E_IMPORT_SYNTAX', mappedFile(text).at(bad), 'The file is not UTF-8 text at this place');
    return undefined;
  }
  return mappedFile(text.startsWith('\ufeff') ? text.slice(1) : text);
}

/** The same for a file whose text is the prompt: a byte order mark that is left out is told, because tools send it. */
export function decodePrompt(bytes: Uint8Array, report: Reporter): MappedText | undefined {
  if (guard('adopt.mark', hasByteOrderMark(bytes)))
    report.info(
      'W_IMPORT_DIALECT',
      { line: 1, column: 1 },
      'The byte order mark before the text was left out; tools that do not know it send it',
    );
  return decodeFile(bytes, report);
}

/** Whether a file begins with the mark of UTF-8 that some editors write. */
export const hasByteOrderMark = ([first, second, third]: Uint8Array): boolean =>
  first === 0xef && second === 0xbb && third === 0xbf;
