import { type InputBook, tokenPart } from '../build.js';
import { quote, type Reporter } from '../diagnostic.js';
import type { DraftPart, DraftText } from '../draft.js';
import { sheetName } from '../names.js';
import { indented } from '../template/handlebars/partial.js';
import type { DotToken } from '../template/handlebars/read.js';
import type { MappedText } from '../text/mapped.js';
import type { DotPartial, DotPartials } from './dotprompt-partials.js';

/** The file that a token stands in. */
export interface DotPlace {
  readonly source: MappedText;
  readonly report: Reporter;
  readonly book: InputBook;
}

type PlainToken = Exclude<DotToken, { readonly kind: 'partial' }>;

/** A token of the prompt or of a partial, or a partial as a text of its own. */
export type PlacedToken =
  | { readonly token: PlainToken; readonly place: DotPlace }
  | {
      readonly include: string;
      readonly inner: readonly PlacedToken[];
      readonly token: { readonly kind: 'include'; readonly start: number };
      readonly place: DotPlace;
    };

/** The tokens with every partial resolved: an include, or its own tokens. Undefined when one cannot be kept. */
export function expanded(
  tokens: readonly DotToken[],
  place: DotPlace,
  how: { readonly partials: DotPartials; readonly inline: boolean },
): readonly PlacedToken[] | undefined {
  const placed = tokens.map((token): readonly PlacedToken[] | undefined => {
    if (token.kind !== 'partial') return [{ token, place }];
    const at = place.source.at(token.start);
    const refuse = (why: string): undefined => {
      const message = `${quote(token.written)} ${why}; the prompt was not imported`;
      place.report.warning('W_IMPORT_REFERENCE', at, message);
    };
    const partial = how.partials.find(token.name);
    if (typeof partial === 'string') return refuse(partial);
    if (token.indent !== '') {
      if (partial.fixed === undefined)
        return refuse('is indented, and the library indents each line of the values in it too');
      return [
        { token: { kind: 'text', text: indented(partial.fixed, token.indent), start: token.start }, place },
      ];
    }
    const { source, report } = partial;
    const inner = expanded(partial.tokens, { source, report, book: place.book.within(report) }, how);
    if (inner === undefined) return undefined;
    if (inner.length === 0 || how.inline || partial.hasRoles) return inner;
    const include = textNameOf(partial);
    place.report.info(
      'W_IMPORT_REFERENCE',
      at,
      `${quote(token.written)} became an include of texts/${include}`,
    );
    return [{ include, inner, token: { kind: 'include', start: token.start }, place }];
  });
  return placed.every((each) => each !== undefined) ? placed.flat() : undefined;
}

/** All tokens, those of included texts too. */
export const allTokens = (placed: readonly PlacedToken[]): readonly PlainToken[] =>
  placed.flatMap((each) => ('include' in each ? allTokens(each.inner) : [each.token]));

/** A token as a part of a message; an included text is put into `texts`. */
export function placedPart(
  placed: PlacedToken,
  required: (name: string) => boolean,
  texts: Map<string, DraftText>,
): DraftPart {
  if (!('include' in placed)) {
    const { token, place } = placed;
    if (token.kind === 'role' || token.kind === 'history') throw new Error('a role is not a part');
    return tokenPart(token, place.source, place.book, required);
  }
  const { include: name, inner } = placed;
  const parts = merged(inner.map((each) => placedPart(each, required, texts)));
  const [only] = parts;
  const isText = parts.length === 1 && only !== undefined && 'text' in only;
  texts.set(name, isText ? { name, markdown: only.text } : { name, parts });
  return { include: name };
}

/** Texts that touch are one. */
export const merged = (parts: readonly DraftPart[]): readonly DraftPart[] =>
  parts.reduce<DraftPart[]>((all, part) => {
    const last = all.at(-1);
    if ('text' in part && last !== undefined && 'text' in last)
      all[all.length - 1] = { text: last.text + part.text };
    else all.push(part);
    return all;
  }, []);

/** Whether a part is white space, whatever the values. */
export function isBlankPart(part: DraftPart, texts: ReadonlyMap<string, DraftText>): boolean {
  if ('text' in part) return part.text.trim() === '';
  const text = 'include' in part ? texts.get(part.include) : undefined;
  if (text === undefined) return false;
  return 'markdown' in text
    ? text.markdown.trim() === ''
    : text.parts.every((each) => isBlankPart(each, texts));
}

/** Whether a part has text that is not white space, whatever the values. */
export function isWordy(part: DraftPart, texts: ReadonlyMap<string, DraftText>): boolean {
  if ('text' in part) return part.text.trim() !== '';
  const text = 'include' in part ? texts.get(part.include) : undefined;
  if (text === undefined) return false;
  return 'markdown' in text ? text.markdown.trim() !== '' : text.parts.some((each) => isWordy(each, texts));
}

/** `prompts/_tone.prompt` is the text `partials/tone`. */
const textNameOf = ({ path }: DotPartial): string =>
  `partials/${sheetName(path.replace(/\.prompt$/, '').replace(/^(?:.*\/)?prompts\//, ''))}`;
