import { type Piece, piecesText } from '@cuebook/prompt';
import { TEXTS } from '../shipped-texts.js';
import type { CardDraft, Persona } from './schema.js';
import { escapePieces } from './view.js';
import { type CardWords, wordsOf } from './words.js';

/** The system prompt (AGENTS.md) of a card. */
export const basePrompt = (card: CardDraft): string => piecesText(basePromptPieces(card, wordsOf('card')));

/**
 * The same with the place of every word: ours in `texts/base-prompt.md`, the owner's in the card. Every word of the
 * owner stands on a line of its own behind a label, with line breaks spelled out, so that no field can pass for a
 * heading or for another field.
 */
export function basePromptPieces(card: CardDraft, words: CardWords): readonly Piece[] {
  const name = escapePieces(words(['name'], card.name));
  const line = (at: string, values: Readonly<Record<string, readonly Piece[]>>): readonly Piece[] =>
    TEXTS.fill(`${FILE}#${at}`, values, 'deploy');
  const field = (at: string, path: readonly string[], ...values: readonly (string | undefined)[]): Lines => {
    const given = values.flatMap((value, index) =>
      value ? [escapePieces(words(values.length > 1 || LISTS.has(at) ? [...path, index] : path, value))] : [],
    );
    return given.length === 0 ? [] : [line(at, { words: joined(given, ' | ') })];
  };
  const trait = (at: keyof CardDraft['personality']): readonly Piece[] => {
    const value = card.personality[at];
    const so = [ours(`${at}.${value >= 0.5 ? 'high' : 'low'}`)];
    return line(at, { words: words(['personality', at], String(value)), so });
  };
  const voice = ({ inspiration, voice: { tone_tags, writing_rules, catchphrases } }: Persona): Lines => [
    ...field('reference', ['persona', 'inspiration', 'reference'], inspiration?.reference),
    ...field('note', ['persona', 'inspiration', 'note'], inspiration?.note),
    ...field('tone', ['persona', 'voice', 'tone_tags'], ...tone_tags),
    ...field('writing', ['persona', 'voice', 'writing_rules'], ...writing_rules),
    ...field('phrases', ['persona', 'voice', 'catchphrases'], ...catchphrases),
    [ours('style-only')],
  ];
  const who = [
    ...field('about', ['description'], card.description),
    ...field('story', ['bio'], card.bio),
    ...field('interests', ['interests'], ...card.interests),
    ...field('abilities', ['capabilities'], ...card.capabilities),
  ];
  const section = (at: string, lines: Lines): Lines =>
    lines.length === 0 ? [] : [joined([[ours(at), mark('\n')], ...lines], '\n')];
  const sections = [
    line('intro', { name }),
    ...section('who', who),
    ...section('temper', TRAITS.map(trait)),
    ...(card.persona === undefined ? [] : section('voice', voice(card.persona))),
    [ours('rules')],
  ];
  return [...joined(sections, '\n\n'), mark('\n')];
}

type Lines = readonly (readonly Piece[])[];

const FILE = 'base-prompt.md';
const TRAITS = ['extrovert', 'curious', 'creative', 'stable'] as const;
/** The lines whose fields are lists. */
const LISTS: ReadonlySet<string> = new Set(['interests', 'abilities', 'tone', 'writing', 'phrases']);

const ours = (at: string): Piece => TEXTS.piece(`${FILE}#${at}`, 'deploy');

const mark = (text: string): Piece => ({
  text,
  origin: { kind: 'structure', ref: 'base prompt' },
  trust: 'platform',
  secrecy: 'public',
  volatility: 'build',
});

const joined = (parts: Lines, between: string): readonly Piece[] =>
  parts.flatMap((part, index) => (index === 0 ? part : [mark(between), ...part]));
