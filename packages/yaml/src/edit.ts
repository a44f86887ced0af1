import { isAlias, parseDocument, stringify, visit } from 'yaml';

/** A map as YAML, each key on its lines. `wide`: long texts are never folded, and nothing is named to be repeated. */
export const printYaml = (
  value: Readonly<Record<string, unknown>>,
  { wide = false }: { readonly wide?: boolean } = {},
): string => stringify(value, wide ? { lineWidth: 0, aliasDuplicateObjects: false } : {});

/** A text that `readYaml` accepts with these keys set at its top: comments and all other keys stay. */
export function withKeys(text: string, change: Readonly<Record<string, unknown>>): string {
  const document = parseDocument(text);
  for (const [key, value] of Object.entries(change)) document.set(key, document.createNode(value));
  return document.toString({ lineWidth: 0 });
}

/** Whether a text that `readYaml` accepts names a node or refers to one: a few of them make a small text a huge value. */
export function hasAnchors(text: string): boolean {
  let found = false;
  visit(parseDocument(text), {
    Node: (_key, node) => {
      if (!isAlias(node) && !('anchor' in node && node.anchor !== undefined)) return undefined;
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}
