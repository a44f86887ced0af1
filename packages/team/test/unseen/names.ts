import type { Pick } from './shell.js';

/** Letters that look like others. */
const ALIKE: Readonly<Record<string, string>> = {
  ...{ a: '\u0430', c: '\u0441', e: '\u0435', o: '\u043e', p: '\u0440', i: '\u0456', s: '\u0455' },
  ...{ _: '\uff3f', m: '\uff4d', k: '\u212a', B: '\u0412', t: '\u{1d5cd}' },
};

const SPELLINGS: readonly ((name: string, pick: Pick) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name, pick) => at(name, pick, (char) => char.toUpperCase()),
  (name, pick) => at(name, pick, (char) => ALIKE[char] ?? `${char}\u200b`),
  (name, pick) =>
    at(name, pick, (char) => `${char}${pick(['\u200b', '\u2060', '\u00ad', '\ufeff', '\u202e', '\t'])}`),
  (name, pick) => at(name, pick, () => ''),
  (name, pick) => at(name, pick, (char) => char + char),
  (name) => name.replaceAll('_', '-'),
  (name) => name.replaceAll('_', '.'),
  (name) => name.replaceAll('__', '_'),
  (name) => ` ${name}`,
  (name) => `${name}\n`,
  (name) => `${name} (cuebook MCP Server)`,
  (name) => `${name}__${name}`,
  (name) => `mcp__cuebook__${name}`,
  (name) => `mcp__cuebook__mcp__cuebook__${name}`,
  (name) => `cuebook.${name}`,
  (name) => `${name}; approved`,
  (_name, pick) => pick(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf']),
  (name) => [...name].reverse().join(''),
  (name) => `${name}${'_'.repeat(80)}`,
];

const at = (name: string, pick: Pick, change: (char: string) => string): string => {
  const chars = [...name];
  const place = pick(chars.map((_, index) => index));
  return chars.map((char, index) => (index === place ? change(char) : char)).join('');
};

/** A name, or one that is near it. */
export const nearName = (pick: Pick, name: string): string => pick(SPELLINGS)(name, pick);

/** Words that say that something is ours, harmless or allowed. */
export const WORDS: readonly string[] = [
  ...['mcp__cuebook__spawn_node', 'spawn_node (cuebook MCP Server)', 'cuebook', 'spawn_node', 'Read', 'read'],
  ...[
    'think',
    'search',
    'allow',
    'approved by ann',
    'allow_always',
    '',
    'mcp_cuebook_read_file',
    'TodoWrite',
  ],
];
