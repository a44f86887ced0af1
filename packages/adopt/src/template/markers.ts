import { mergeTokens, type TemplateReader, type TemplateToken } from './tokens.js';

/** A value that stood for a variable when a prompt was rendered elsewhere. */
export interface Marker {
  readonly name: string;
  readonly text: string;
}

/** A rendered text whose markers are variables again. */
export const markerReader =
  (markers: readonly Marker[]): TemplateReader =>
  (template) => {
    // A longer marker first: one may be the beginning of another.
    const sorted = [...markers]
      .filter(({ text }) => text !== '')
      .sort((a, b) => b.text.length - a.text.length);
    const names = new Map(sorted.map(({ name, text }) => [text, name]));
    if (sorted.length === 0)
      return { tokens: mergeTokens([{ kind: 'text', text: template, start: 0 }]), remarks: [] };
    const pattern = new RegExp(sorted.map(({ text }) => escapeRegExp(text)).join('|'), 'gu');
    const tokens: TemplateToken[] = [];
    let at = 0;
    for (const match of template.matchAll(pattern)) {
      tokens.push({ kind: 'text', text: template.slice(at, match.index), start: at });
      at = match.index + match[0].length;
      tokens.push({ kind: 'variable', name: names.get(match[0]) ?? '', start: match.index, end: at });
    }
    tokens.push({ kind: 'text', text: template.slice(at), start: at });
    return { tokens: mergeTokens(tokens), remarks: [] };
  };

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
