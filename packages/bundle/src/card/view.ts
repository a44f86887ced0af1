import { guard } from '@cuebook/guard';
import { decodedOrigin, fail, ok, type Piece, type Result } from '@cuebook/prompt';
import { TEXTS } from '../shipped-texts.js';
import { codePoints } from './points.js';
import type { CardDraft } from './schema.js';
import type { CardWords } from './words.js';

/** `E_CARD_VIEW`: the view of a card is longer than agents take. */
export interface ViewError {
  readonly code: 'E_CARD_VIEW';
  readonly length: number;
  readonly limit: number;
}

/** In code points. */
export const DEFAULT_VIEW_LIMIT = 600;

/** The fields of a view, in the order in which they stand. A list is a list of items. */
export type ViewFields = Readonly<Partial<Record<ViewKey, string | readonly string[]>>>;
export type ViewKey = (typeof VIEW_KEYS)[number];
export const VIEW_KEYS = [
  'name',
  'style',
  'rule',
  'personality',
  'interests',
  'capabilities',
  'tone',
  'about',
] as const;

/** The compact form of a card for prompts: one line a field. A card whose view is past the limit is refused. */
export function promptView(card: CardDraft, limit = DEFAULT_VIEW_LIMIT): Result<string, ViewError> {
  const view = printView(viewFields(card));
  const length = codePoints(view);
  return guard('card.view-bound', length > limit) ? fail({ code: 'E_CARD_VIEW', length, limit }) : ok(view);
}

/** `name: Ada`, a line each. A value never reaches past its line: `parseView` is the exact inverse. */
export function printView(fields: ViewFields): string {
  return VIEW_KEYS.flatMap((key) => {
    const value = fields[key];
    if (value === undefined) return [];
    return [`${key}: ${typeof value === 'string' ? escapeText(value) : value.map(escapeItem).join('; ')}`];
  }).join('\n');
}

/** The fields of a printed view; undefined for a text that is none. Lists come back as lists. */
export function parseView(view: string): ViewFields | undefined {
  const fields: Partial<Record<ViewKey, string | readonly string[]>> = {};
  let next = 0;
  for (const line of view === '' ? [] : view.split('\n')) {
    const split = line.indexOf(': ');
    const key = line.slice(0, split) as ViewKey;
    const place = VIEW_KEYS.indexOf(key);
    if (split === -1 || place < next) return undefined;
    next = place + 1;
    const value = line.slice(split + 2);
    fields[key] = LISTS.has(key) ? splitItems(value) : unescapeText(value);
  }
  return fields;
}

const LISTS: ReadonlySet<ViewKey> = new Set(['interests', 'capabilities', 'tone']);

/** The words of a card that its view is made of. */
function viewFields(card: CardDraft): ViewFields {
  const { persona, personality: p } = card;
  const style = persona?.inspiration?.reference ?? persona?.template_id;
  const list = (items: readonly string[]) => (items.length === 0 ? undefined : items);
  const fields: Record<string, string | readonly string[] | undefined> = {
    name: card.name,
    style,
    rule: persona === undefined ? undefined : TEXTS.text(RULE),
    personality: `extrovert ${p.extrovert}, curious ${p.curious}, creative ${p.creative}, stable ${p.stable}`,
    interests: list(card.interests),
    capabilities: list(card.capabilities),
    tone: list(persona?.voice.tone_tags ?? []),
    about: card.bio === '' ? undefined : card.bio,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ViewFields;
}

/** The view of a card with the place of every word; its text is that of `promptView`. */
export function viewPieces(card: CardDraft, words: CardWords): readonly Piece[] {
  const { persona, personality } = card;
  const line = (key: ViewKey, pieces: readonly Piece[]): readonly Piece[] => [mark(`${key}: `), ...pieces];
  const list = (key: ViewKey, path: readonly string[], items: readonly string[] = []): Lines =>
    items.length === 0
      ? []
      : [
          line(
            key,
            items.flatMap((item, index) => [
              ...(index === 0 ? [] : [mark('; ')]),
              ...escapePieces(words([...path, index], item), escapeItem),
            ]),
          ),
        ];
  const text = (key: ViewKey, path: readonly string[], value: string | undefined): Lines =>
    value === undefined ? [] : [line(key, escapePieces(words(path, value)))];
  const reference = persona?.inspiration?.reference;
  const traits = TRAITS.flatMap((trait, index) => [
    mark(`${index === 0 ? '' : ', '}${trait} `),
    ...words(['personality', trait], String(personality[trait])),
  ]);
  const lines = [
    ...text('name', ['name'], card.name),
    ...(reference === undefined
      ? text('style', ['persona', 'template_id'], persona?.template_id)
      : text('style', ['persona', 'inspiration', 'reference'], reference)),
    ...(persona === undefined ? [] : [line('rule', [TEXTS.piece(RULE, 'deploy')])]),
    line('personality', traits),
    ...list('interests', ['interests'], card.interests),
    ...list('capabilities', ['capabilities'], card.capabilities),
    ...list('tone', ['persona', 'voice', 'tone_tags'], persona?.voice.tone_tags),
    ...text('about', ['bio'], card.bio === '' ? undefined : card.bio),
  ];
  return lines.flatMap((each, index) => (index === 0 ? each : [mark('\n'), ...each]));
}

type Lines = readonly (readonly Piece[])[];

const TRAITS = ['extrovert', 'curious', 'creative', 'stable'] as const;
const RULE = 'base-prompt.md#view.rule';

const mark = (text: string): Piece => ({
  text,
  origin: { kind: 'structure', ref: 'card view' },
  trust: 'platform',
  secrecy: 'public',
  volatility: 'build',
});

/** Pieces on one line. What an escape changed is no slice of its source any more. */
export const escapePieces = (pieces: readonly Piece[], spell = escapeText): readonly Piece[] =>
  pieces.map((piece) => {
    const text = spell(piece.text);
    return text === piece.text ? piece : { ...piece, text, origin: decodedOrigin(piece.origin) };
  });

/** Text on one line: whatever a reader could take for the end of a line is spelled out. */
export const escapeText = (text: string): string =>
  text.replace(BREAKS, (char) => (char === '\\' ? '\\\\' : char === '\n' ? '\\n' : spell(char)));

const escapeItem = (text: string): string => escapeText(text).replaceAll(';', '\\;');

/** Items hold no bare semicolon, so each one ends the item before it. */
const splitItems = (text: string): readonly string[] =>
  [...text.matchAll(/((?:[^\\;]|\\.)+)(?:; |$)/g)].map(([, item = '']) => unescapeText(item));

const spell = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

const unescapeText = (text: string): string =>
  text.replace(/\\(?:u([0-9a-f]{4})|(.))/g, (_all, hex: string | undefined, char: string) =>
    hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : char === 'n' ? '\n' : char,
  );

/** The escape itself, and the characters that end a line somewhere. */
const BREAKS = /[\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
