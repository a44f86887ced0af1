import { isAlias, parseDocument, stringify, type ToStringOptions, visit } from 'yaml';

/**
 * A map as YAML, each key on its lines. `wide`: long texts are never folded, and nothing is named to be repeated. Read
 * again it is the same map: where the library writes a text that reads otherwise, every text is quoted on one line.
 */
export function printYaml(
  value: Readonly<Record<string, unknown>>,
  { wide = false }: { readonly wide?: boolean } = {},
): string {
  const options = wide ? { lineWidth: 0, aliasDuplicateObjects: false } : {};
  const text = stringify(value, options);
  return isSame(text, value) ? text : stringify(value, { ...options, ...QUOTED });
}

/** Texts with line ends and blanks that a block or a quote over several lines would change. */
const QUOTED: ToStringOptions = {
  defaultStringType: 'QUOTE_DOUBLE',
  defaultKeyType: 'PLAIN',
  blockQuote: false,
  lineWidth: 0,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
};

/** Whether a text reads as a value. The library also writes texts that it refuses to read. */
function isSame(text: string, value: unknown): boolean {
  // A key that is there twice shows in the value; the library's own look at it takes the square of the keys.
  const document = parseDocument(text, { uniqueKeys: false });
  if (document.errors.length > 0) return false;
  return JSON.stringify(document.toJS({ maxAliasCount: -1 })) === JSON.stringify(value);
}

/** A text that `readYaml` accepts with these keys set at its top: comments and all other keys stay. */
export function withKeys(text: string, change: Readonly<Record<string, unknown>>): string {
  const document = parseDocument(text);
  for (const [key, value] of Object.entries(change)) document.set(key, document.createNode(value));
  const changed = document.toString({ lineWidth: 0 });
  return isSame(changed, document.toJS()) ? changed : document.toString(QUOTED);
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
