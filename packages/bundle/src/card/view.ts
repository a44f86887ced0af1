import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { codePoints } from './points.js';
import type { CardDraft } from './schema.js';

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
    rule: persona === undefined ? undefined : 'style reference only; never claims to be its inspiration',
    personality: `extrovert ${p.extrovert}, curious ${p.curious}, creative ${p.creative}, stable ${p.stable}`,
    interests: list(card.interests),
    capabilities: list(card.capabilities),
    tone: list(persona?.voice.tone_tags ?? []),
    about: card.bio === '' ? undefined : card.bio,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ViewFields;
}

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
