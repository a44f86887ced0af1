import type { TemplateToken } from './tokens.js';

/** Names that every engine takes. */
const PORTABLE_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Whether a name may stand in a template of any engine. */
export const isPortableName = (name: string): boolean => PORTABLE_NAME.test(name);

/**
 * Where a list of texts and variables leaves the portable core: the first text that some engine would read as more than
 * text, with the reason. Undefined when `{{name}}` for each variable gives the same bytes everywhere.
 */
export function outsideCore(
  tokens: readonly (
    | Pick<TemplateToken & { kind: 'text' }, 'kind' | 'text'>
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'section' }
  )[],
): string | undefined {
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'section') return 'a condition or loop';
    if (token.kind === 'variable') {
      if (!isPortableName(token.name)) return `the name ${JSON.stringify(token.name)}`;
      continue;
    }
    const mark = /\{\{|\{%|\{#|#\}|<<<dotprompt:/.exec(token.text)?.[0];
    if (mark !== undefined) return `the characters ${mark}`;
    const next = tokens[index + 1];
    if (next?.kind === 'variable' && /[{\\]$/.test(token.text))
      return `${token.text.slice(-1)} before a variable`;
    if (tokens[index - 1]?.kind === 'variable' && token.text.startsWith('}')) return '} after a variable';
  }
  return undefined;
}
