// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../process.mjs';

// What is published, as data. Every other workspace is private: its code is part of these packages.

/**
 * The address that every published package names: `repository` of the package.json at the top of the checkout, and of no
 * other file. It must equal the repository's, letter case included.
 *
 * @type {{ readonly type: string, readonly url: string }}
 */
export const REPOSITORY = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).repository;

/** The same as a page. */
const PAGE = REPOSITORY.url.replace(/^git\+/, '').replace(/\.git$/, '');
export const HOMEPAGE = `${PAGE}#readme`;
/** Where the files of the repository can be read. */
export const PAGES = `${PAGE}/blob/main/`;
export const BUGS = { url: `${PAGE}/issues` };

/**
 * One published package.
 *
 * @typedef {object} PublicPackage
 * @property {string} name
 * @property {string} folder its workspace, from the top of the checkout
 * @property {readonly string[]} keywords
 * @property {readonly string[]} ours the published packages that it depends on; other packages of ours are inlined
 * @property {readonly string[]} dependencies packages of other makers that stay imports
 * @property {Readonly<Record<string, string>>} optional what only some users need, with the range that fits
 * @property {'node' | 'neutral'} platform where it runs
 * @property {boolean} [isCommand] whether it starts a program: `src/main.ts` is an entry too
 * @property {number} unpackedKb the most that its files may take
 * @property {number} [shippedKb] the most that a browser loads: minified and compressed
 */

/** @type {readonly PublicPackage[]} */
export const PUBLIC = [
  {
    name: '@cuebook/template',
    folder: 'packages/template',
    keywords: [
      'go',
      'golang',
      'text/template',
      'template',
      'template-engine',
      'helm',
      'kubernetes',
      'sourcemap',
    ],
    ours: [],
    dependencies: [],
    optional: {},
    platform: 'neutral',
    unpackedKb: 600,
    shippedKb: 60,
  },
  {
    name: '@cuebook/prompt',
    folder: 'packages/prompt',
    keywords: ['prompt', 'llm', 'ai', 'agents', 'redaction', 'prompt-injection', 'provenance'],
    ours: [],
    dependencies: ['diff'],
    optional: {},
    platform: 'neutral',
    unpackedKb: 1000,
    shippedKb: 90,
  },
  {
    name: '@cuebook/define',
    folder: 'packages/define',
    keywords: ['prompt', 'llm', 'ai', 'agents', 'tools', 'typescript', 'zod'],
    ours: ['@cuebook/prompt'],
    dependencies: ['@swc/wasm-typescript', 'zod'],
    optional: {},
    platform: 'node',
    unpackedKb: 4000,
  },
  {
    name: 'cuebook',
    folder: 'apps/cli',
    keywords: [
      'prompt',
      'prompts',
      'llm',
      'ai',
      'agents',
      'prompt-management',
      'claude',
      'openai',
      'agents-md',
      'mcp',
      'cli',
    ],
    ours: ['@cuebook/define'],
    dependencies: ['libsql', 'zod'],
    optional: { '@opentelemetry/api': '>=1.9.0 <2', 'graphile-worker': '^0.16.6', pg: '^8.23.1' },
    platform: 'node',
    isCommand: true,
    unpackedKb: 20_000,
  },
];
