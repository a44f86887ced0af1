import { createHash } from 'node:crypto';
import type { ForeignFile } from './reader.js';

/** `meta.source`: where a sheet was imported from. */
export interface Provenance {
  readonly file: string;
  readonly format: string;
  readonly version?: string | number;
  readonly sha256: string;
}

export const provenance = (file: ForeignFile, format: string, version?: string | number): Provenance => ({
  file: file.path,
  format,
  ...(version === undefined ? {} : { version }),
  sha256: sha256Hex(file.bytes),
});

export const sha256Hex = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');
