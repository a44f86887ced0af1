import { jsonPlaces, type Labels, type Origin, type Piece } from '@cuebook/prompt';
import type { YamlSource } from '@cuebook/yaml';
import type { Card } from './schema.js';

/** The words of a field of a card, where the card says them. `path` leads to the field. */
export type CardWords = (path: readonly (string | number)[], text: string) => readonly Piece[];

/** A card is what its owner wrote and a reviewer passed. */
const CARD: Labels = { trust: 'operator', secrecy: 'public', volatility: 'deploy' };

const whole = (text: string, origin: Origin): readonly Piece[] => [{ text, origin, ...CARD }];

/** The words of a card that stands in no file. */
export const wordsOf =
  (ref: string): CardWords =>
  (_path, text) =>
    whole(text, { kind: 'value', ref });

/** The words of a card in a YAML file, line by line where the file says them so. */
export const wordsInYaml =
  (yaml: YamlSource): CardWords =>
  (path, text) => {
    const pieces = yaml.pieces(path, CARD);
    const isSaid = pieces.map((piece) => piece.text).join('') === text;
    return isSaid ? pieces : whole(text, { kind: 'value', ...yaml.place(path) });
  };

/** The words of a published card, whose object is called `key`. */
export function wordsOfCard(card: Card, key: string): CardWords {
  const text = textOfCard(card);
  if (text === undefined) return wordsOf(key);
  const place = jsonPlaces(key, text);
  return (path, words) => whole(words, { kind: 'value', ...(place(path) ?? { ref: key }) });
}

/** Keeps the bytes that a card was read from, so that its words have places in them. */
export function keepBytes(card: Card, bytes: Uint8Array): void {
  READ_FROM.set(card, Buffer.from(bytes).toString());
}

/** The bytes that a published card was read from, as text. */
export const textOfCard = (card: Card): string | undefined => READ_FROM.get(card);

const READ_FROM = new WeakMap<Card, string>();
