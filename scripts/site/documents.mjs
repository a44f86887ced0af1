// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from '../process.mjs';

/**
 * A page of the site: a Markdown file of the repository.
 *
 * @typedef {object} Page
 * @property {string} file From the top of the checkout.
 * @property {string} url From the top of the site, with `/` between parts.
 * @property {string} text
 * @property {string} title Its first heading.
 * @property {string} summary The first sentence below it.
 * @property {string} section
 */

/** The sections of the site, in the order in which a reader needs them, and the files of each. */
export const SECTIONS = [
  {
    name: 'Start',
    files: [
      'README.md',
      'docs/start/tutorial.md',
      'docs/start/recipes.md',
      'docs/start/why.md',
      'docs/start/compare.md',
    ],
  },
  {
    name: 'For you',
    files: [
      'docs/start/team-lead.md',
      'docs/start/developer.md',
      'docs/start/workflow-author.md',
      'docs/start/platform-operator.md',
      'docs/start/cluster-operator.md',
      'docs/start/moving-in.md',
    ],
  },
  {
    name: 'Prompts',
    files: [
      'docs/user/sheets.md',
      'docs/user/definitions.md',
      'docs/user/manifests.md',
      'docs/user/import.md',
      'docs/user/export.md',
      'docs/user/programs.md',
      'docs/user/testing.md',
      'docs/user/evals.md',
      'docs/user/ci.md',
      'docs/user/editors.md',
      'docs/user/redaction.md',
    ],
  },
  {
    name: 'Agents at work',
    files: [
      'docs/user/runs.md',
      'docs/user/teams.md',
      'docs/user/threads.md',
      'docs/user/workflows.md',
      'docs/user/providers.md',
      'docs/user/mcp.md',
      'docs/user/acp.md',
      'docs/user/schedules.md',
      'docs/user/webhooks.md',
      'docs/user/records.md',
      'docs/user/server.md',
      'docs/user/people.md',
      'docs/user/machines.md',
      'docs/user/cluster.md',
      'docs/user/telemetry.md',
    ],
  },
  {
    name: 'The platform',
    files: ['docs/user/platform.md', 'docs/user/library.md', 'docs/user/agents.md', 'docs/user/bundles.md'],
  },
  { name: 'Reference', files: ['docs/user/commands.md', 'docs/user/errors.md'] },
];

/** The section of a page that no list above names, by the folder that it lies in. */
const BY_FOLDER = /** @type {const} */ ([
  ['docs/user/', 'Reference'],
  ['docs/internals/', 'How it works'],
  ['docs/decisions/', 'Decisions'],
  ['packages/', 'Packages'],
  ['apps/', 'Packages'],
  ['examples/', 'Examples'],
]);

/** All names of sections, in order. */
export const SECTION_NAMES = [
  ...SECTIONS.map(({ name }) => name),
  'How it works',
  'Decisions',
  'Packages',
  'Examples',
  'More',
];

/**
 * The pages of these files, in the order of the sections.
 *
 * @param {readonly string[]} files
 * @returns {readonly Page[]}
 */
export function pagesOf(files) {
  const listed = SECTIONS.flatMap((section) => section.files);
  const rank = (/** @type {string} */ file) => (listed.includes(file) ? listed.indexOf(file) : listed.length);
  return files
    .map((file) => pageOf(file, readFileSync(join(ROOT, file), 'utf8')))
    .sort((a, b) => {
      const bySection = SECTION_NAMES.indexOf(a.section) - SECTION_NAMES.indexOf(b.section);
      return bySection || rank(a.file) - rank(b.file) || (a.file < b.file ? -1 : 1);
    });
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {Page}
 */
function pageOf(file, text) {
  const title = /^# +(.+?) *#*$/m.exec(text)?.[1] ?? posix.basename(file, '.md');
  return {
    file,
    url: urlOf(file),
    text,
    title: plain(title),
    summary: summaryOf(text),
    section: sectionOf(file),
  };
}

/** @param {string} file */
function sectionOf(file) {
  const named = SECTIONS.find(({ files }) => files.includes(file))?.name;
  return named ?? BY_FOLDER.find(([folder]) => file.startsWith(folder))?.[1] ?? 'More';
}

/**
 * Where a Markdown file stands on the site.
 *
 * @param {string} file
 */
export function urlOf(file) {
  if (file === 'README.md') return 'index.html';
  const short = file.replace(/^docs\//, '').replace(/\/README\.md$/, '.md');
  return short.replace(/\.md$/, '.html').toLowerCase();
}

/**
 * The first sentence of the first paragraph.
 *
 * @param {string} text
 */
function summaryOf(text) {
  const paragraphs = text
    .replace(/^---\n.*?\n---\n/s, '')
    .split(/\n{2,}/)
    .map((each) => each.trim())
    .filter((each) => each !== '' && !/^(?:#|!\[|\||```|<|>|- |\d+\. )/.test(each));
  const words = plain((paragraphs[0] ?? '').replace(/\s+/g, ' '));
  return /^.+?[.!?](?= |$)/.exec(words)?.[0] ?? words;
}

/**
 * Markdown of one line as words alone.
 *
 * @param {string} line
 */
const plain = (line) =>
  line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]/g, '')
    .trim();

/** The address of the repository, where its manifest names one. */
export function repository() {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const named = typeof manifest.repository === 'string' ? manifest.repository : manifest.repository?.url;
  return named?.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** @param {string} file */
export const isThere = (file) => existsSync(join(ROOT, file));
