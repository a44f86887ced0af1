import type { Io } from '../io.js';

/** Marks text for a terminal; without colour each function answers its text unchanged. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** Colour only on a terminal; NO_COLOR switches it off there, FORCE_COLOR on elsewhere. */
export function styleFor(
  io: Pick<Io, 'env'> & { readonly terminal: Pick<Io['terminal'], 'out' | 'err'> },
  stream: 'out' | 'err',
): Style {
  const coloured = isColoured(io.env, io.terminal[stream]);
  const mark =
    (open: number, close: number) =>
    (text: string): string =>
      coloured && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: mark(1, 22),
    dim: mark(2, 22),
    red: mark(31, 39),
    green: mark(32, 39),
    yellow: mark(33, 39),
    cyan: mark(36, 39),
  };
}

function isColoured(env: Io['env'], isTerminal: boolean): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term } = env;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if (no !== undefined && no !== '') return false;
  return isTerminal && term !== 'dumb';
}

/**
 * Text for a terminal's screen: control characters, which could move the cursor or hide words, are spelled
 * out. Line breaks and tabs stay. Output that is not a terminal's keeps its exact bytes.
 */
export const screenText = (text: string, isTerminal: boolean): string =>
  isTerminal ? text.replace(CONTROL, spellOut) : text;

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

const spellOut = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** `1 error`, `2 errors`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
