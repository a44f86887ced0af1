import { parseSync } from 'vite';
import { COMMANDS } from '../apps/cli/src/commands.js';

/** What a source file says about our command lines. */
export interface SourceHints {
  /** Built by `hint` or `commandLine`, with a word in place of each value. */
  readonly built: readonly string[];
  /** Texts that hold one which was written by hand. */
  readonly byHand: readonly string[];
}

/** Reads a TypeScript or JavaScript file. Comments are no texts. */
export function sourceHints(name: string, code: string): SourceHints {
  const built: string[] = [];
  const byHand: string[] = [];
  // Most files have neither, and to parse one takes a hundred times as long as to see that.
  if (!code.includes('cuebook ') && !/\b(?:hint|commandLine)\s*`/.test(code)) return { built, byHand };
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    else if (typeof node === 'object' && node !== null) {
      const found = node as Readonly<Record<string, unknown>>;
      if (found.type === 'TaggedTemplateExpression') {
        const { tag, quasi } = found as unknown as Tagged;
        if (tag.name === 'hint' || tag.name === 'commandLine') {
          built.push(`cuebook ${quasi.quasis.map(({ value }) => value.cooked).join('VALUE')}`);
          visit(quasi.expressions);
          return;
        }
      }
      const text =
        found.type === 'Literal' && typeof found.value === 'string'
          ? found.value
          : found.type === 'TemplateElement'
            ? (found.value as { cooked: string }).cooked
            : '';
      if (WRITTEN.test(text)) byHand.push(text);
      for (const [key, value] of Object.entries(found)) if (key !== 'type') visit(value);
    }
  };
  visit(parseSync(name, code).program);
  return { built, byHand };
}

interface Tagged {
  readonly tag: { readonly name?: string };
  readonly quasi: {
    readonly quasis: readonly { readonly value: { readonly cooked: string } }[];
    readonly expressions: readonly unknown[];
  };
}

const WRITTEN = new RegExp(`(?<![\\w./@-])cuebook (?:${COMMANDS.map(({ name }) => name).join('|')})\\b`);
