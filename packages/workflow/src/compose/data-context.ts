import { type Piece, shellPieces } from '@cuebook/prompt';
import { TEXTS } from '../shipped-texts.js';

/** A file that a menu item hands to the conversation. */
export interface DataContext {
  readonly label: string;
  /** Its path: an alias path, or a real one of the project, which the gates make one. */
  readonly path: string;
  readonly text: string;
}

/** In characters: the rest is read with a tool. */
const MAX_PREVIEW = 4_000;

/** The sixth layer: the beginning of a file, in a fence, with the way to the rest of it. */
export function dataContextPieces({ label, path, text }: DataContext): readonly Piece[] {
  const piece = (words: string): Piece => ({
    text: words,
    origin: { kind: 'result', ref: path },
    trust: 'tool',
    secrecy: 'public',
    volatility: 'session',
  });
  const cut = [...text.slice(0, 2 * MAX_PREVIEW)].slice(0, MAX_PREVIEW).join('');
  const isCut = cut.length < text.length;
  const fields = [
    { key: 'label', value: piece(label) },
    { key: 'path', value: piece(path) },
    ...(isCut ? [{ key: 'more', value: TEXTS.piece('turn.md#data.more') }] : []),
  ];
  return shellPieces({ header: 'DATA_CONTEXT', fields, body: [piece(cut)], closed: true });
}
