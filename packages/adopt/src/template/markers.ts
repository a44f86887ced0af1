import { mergeTokens, type TemplateReader, type TemplateToken } from './tokens.js';

/** A value that stood for a variable when a prompt was rendered elsewhere. */
export interface Marker {
  readonly name: string;
  readonly text: string;
}

/** A rendered text whose markers are variables again. */
export function markerReader(markers: readonly Marker[]): TemplateReader {
  const tree = treeOf(markers);
  return (template) => {
    const tokens: TemplateToken[] = [];
    let from = 0;
    for (let at = 0; at < template.length; ) {
      const found = longestAt(template, at, tree);
      if (found === undefined) {
        at += (template.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
        continue;
      }
      tokens.push({ kind: 'text', text: template.slice(from, at), start: from });
      tokens.push({ kind: 'variable', name: found.name, start: at, end: found.end });
      at = found.end;
      from = at;
    }
    tokens.push({ kind: 'text', text: template.slice(from), start: from });
    return { tokens: mergeTokens(tokens), remarks: [] };
  };
}

/** Markers by their characters: a thousand of them cost no more at a place than one. */
interface MarkerTree {
  readonly next: Map<string, MarkerTree>;
  name?: string;
}

function treeOf(markers: readonly Marker[]): MarkerTree {
  const root: MarkerTree = { next: new Map() };
  for (const { name, text } of markers) {
    if (text === '') continue;
    let at = root;
    for (const char of text) {
      const next = at.next.get(char) ?? { next: new Map() };
      at.next.set(char, next);
      at = next;
    }
    at.name = name;
  }
  return root;
}

/** The longest marker at a place: one may be the beginning of another. */
function longestAt(
  text: string,
  start: number,
  tree: MarkerTree,
): { readonly name: string; readonly end: number } | undefined {
  let found: { readonly name: string; readonly end: number } | undefined;
  let at = start;
  let node: MarkerTree | undefined = tree;
  while (at < text.length) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
    node = node.next.get(char);
    if (node === undefined) break;
    at += char.length;
    if (node.name !== undefined) found = { name: node.name, end: at };
  }
  return found;
}
