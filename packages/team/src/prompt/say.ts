import type { Labels, Phrase, Piece, Trust, Volatility } from '@cuebook/prompt';
import type { NodeText } from '../graph/node.js';

/** Text that comes with Cuebook. */
export const shipped = (text: string, ref: string, volatility: Volatility = 'build'): Piece => ({
  text,
  origin: { kind: 'shipped', ref },
  trust: 'platform',
  secrecy: 'public',
  volatility,
});

/** A fact of the run that Cuebook itself states: an id, a count, a word of a closed list. */
export const stated = (text: string, ref: string, volatility: Volatility = 'turn'): Piece => ({
  text,
  origin: { kind: 'variable', ref },
  trust: 'platform',
  secrecy: 'public',
  volatility,
});

/** Words of somebody else, with how far they can be trusted. */
export const quoted = (
  text: string,
  {
    trust,
    ref,
    volatility = 'turn',
  }: { readonly trust: Trust; readonly ref: string; readonly volatility?: Volatility },
): Piece => ({
  text: text.toWellFormed(),
  origin: { kind: trust === 'tool' ? 'result' : 'input', ref },
  trust,
  secrecy: 'public',
  volatility,
});

/** One value of several texts. */
export const phrase = (...parts: readonly Piece[]): Phrase => ({ parts });

/** A text of the team file, of a person or of an agent. */
export function written({ text, by, ref, line }: NodeText, volatility: Volatility): Piece {
  const labels: Labels = { trust: by, secrecy: 'public', volatility };
  const place = line === undefined ? { ref } : { ref, line, column: 1 };
  return {
    text: text.toWellFormed(),
    origin: { kind: by === 'author' ? 'value' : 'input', ...place },
    ...labels,
  };
}

/** What stands between two shells. */
export const GAP: Piece = {
  text: '\n\n',
  origin: { kind: 'structure', ref: 'task' },
  trust: 'platform',
  secrecy: 'public',
  volatility: 'build',
};
