// @ts-check
import './node-version.mjs';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './process.mjs';

// Writes the types of definitions that `cuebook init` puts beside a project where nothing is installed. They are what the
// compiler says of the real ones: run it after `npm run build` when those have changed.

const FILE = join(ROOT, 'apps', 'cli', 'src', 'init', 'define-types.ts');
const BUILT = join(ROOT, 'packages', 'define', 'dist', 'definition');

/** All types of definitions in one file that imports only zod. */
export function defineTypes() {
  const parts = readdirSync(BUILT)
    .filter((name) => name.endsWith('.d.ts'))
    .sort()
    .map((name) => readFileSync(join(BUILT, name), 'utf8'))
    .map((text) => text.replace(/^(?:import .*|export \{\};)\n/gm, '').trim());
  const head = '// For editors, where @cuebook/define is not installed.';
  return `${[head, "import type { z } from 'zod';", ...parts].join('\n')}\n`.replaceAll('    ', '  ');
}

/** The source file that holds them. @param {string} types */
const sourceOf = (
  types,
) => `/** What the compiler says of the types of definitions: \`node scripts/define-types.mjs\` writes it. */
export const DEFINE_TYPES = \`${types.replace(/[\\`]|\$\{/g, '\\$&')}\`;
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(FILE, sourceOf(defineTypes()));
