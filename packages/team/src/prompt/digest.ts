import { createHash } from 'node:crypto';
import type { Piece } from '@cuebook/prompt';

/** A short digest of a text, to tell whether it is the same as before. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The same, of the text of pieces. */
export const digestPieces = (pieces: readonly Piece[]): string =>
  digest(pieces.map(({ text }) => text).join(''));
