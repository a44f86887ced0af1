import type { Labels, Origin, Phrase, Piece, Trust, Volatility } from '@cuebook/prompt';
import type { NodeText } from '../graph/node.js';
import type { FactPlace, FactPlaces } from '../graph/places.js';
import { TEXTS } from '../shipped-texts.js';

/** Words of ours in the task payload, by their name in `texts/task.md`. */
export const told = (name: string, volatility: Volatility = 'turn'): Piece =>
  TEXTS.piece(`task.md#${name}`, volatility);

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
export function written({ text, by, ref, runs }: NodeText, volatility: Volatility): readonly Piece[] {
  const labels: Labels = { trust: by, secrecy: 'public', volatility };
  const words = text.toWellFormed();
  if (runs === undefined || text === '')
    return [{ text: words, origin: { kind: by === 'author' ? 'value' : 'input', ref }, ...labels }];
  let from = 0;
  return runs.map(([length, ...place]) => {
    from += length;
    return { text: words.slice(from - length, from), origin: originOf(ref, place), ...labels };
  });
}

/** A fact of a node or an edge, at its place in the team file where it is from there. */
export function fact(
  name: string,
  text: string,
  { at, volatility }: { readonly at: FactPlaces | undefined; readonly volatility: Volatility },
): Piece {
  const ours = stated(text, `node ${name}`, volatility);
  const place = at !== undefined && Object.hasOwn(at.at, name) ? at.at[name] : undefined;
  return at === undefined || place === undefined ? ours : { ...ours, origin: originOf(at.ref, place) };
}

/** What the run makes of a fact of the team file, such as what is left of a limit. */
export function madeFrom(name: string, made: Piece, at: FactPlaces | undefined): Piece {
  const place = at !== undefined && Object.hasOwn(at.at, name) ? at.at[name] : undefined;
  if (at === undefined || place === undefined) return made;
  const [line, column] = place;
  return { ...made, origin: { ...made.origin, via: [{ ref: at.ref, line, column }] } };
}

function originOf(ref: string, [line, column, verbatim]: FactPlace): Origin {
  return { kind: verbatim === undefined ? 'value' : 'file', ref, line, column };
}

/** White space and marks that hold texts together. */
export const between = (text: string): Piece => ({
  text,
  origin: { kind: 'structure', ref: 'task' },
  trust: 'platform',
  secrecy: 'public',
  volatility: 'build',
});

/** What stands between two shells. */
export const GAP: Piece = between('\n\n');
