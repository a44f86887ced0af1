import type { AdoptCode } from '../codes.js';
import type { GoPieces } from './go.js';

/** A stretch of a template as the reader of its language sees it. Offsets are those of the template. */
export type TemplateToken =
  | { readonly kind: 'text'; readonly text: string; readonly start: number }
  | { readonly kind: 'variable'; readonly name: string; readonly start: number; readonly end: number }
  | SectionToken;

/** A condition or loop as a template of a sheet. */
export interface SectionToken {
  readonly kind: 'section';
  readonly pieces: GoPieces;
  readonly start: number;
  readonly end: number;
}

/** Something a template says that is worth a line, at its offset. */
export interface TemplateRemark {
  readonly code: AdoptCode;
  readonly severity: 'error' | 'warning' | 'info';
  readonly start: number;
  readonly message: string;
}

/**
 * A template read. `tokens` are there when all of it has a meaning in a sheet: then text and variables in this order
 * give the bytes that the language's own library gives. Otherwise at least one remark says why not.
 */
export interface ReadTemplate {
  readonly tokens?: readonly TemplateToken[];
  readonly remarks: readonly TemplateRemark[];
}

/** The reader of one template language. */
export type TemplateReader = (template: string) => ReadTemplate;

/** Tokens with texts that touch put together and empty ones left out. */
export function mergeTokens(tokens: readonly TemplateToken[]): readonly TemplateToken[] {
  const merged: TemplateToken[] = [];
  for (const token of tokens) {
    const last = merged.at(-1);
    if (token.kind === 'text' && token.text === '') continue;
    if (token.kind === 'text' && last?.kind === 'text')
      merged[merged.length - 1] = { ...last, text: last.text + token.text };
    else merged.push(token);
  }
  return merged;
}

/** Names that every JavaScript object has: libraries find them although nobody handed them in. */
export const isInherited = (name: string): boolean =>
  name.split('.').some((part) => part in Object.prototype || part === '__proto__');

/** Names that a person meant as one: letters of any script, digits, blanks, dot, dash, underscore. */
export const looksLikeName = (name: string): boolean =>
  /^[\p{L}_$][\p{L}\p{M}\p{N}_$ .-]*$/u.test(name) && !/\.\.|\.$/.test(name);

/** Names that a text, list, number or truth value has by itself: libraries find them where a field was meant. */
export const isForeignField = (name: string): boolean =>
  name === '__proto__' ||
  [Object.prototype, Array.prototype, String.prototype, Number.prototype, Boolean.prototype].some(
    (prototype) => name in prototype,
  );
